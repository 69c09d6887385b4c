"""One module a command of `factsweep`; each imports what is heavy inside its function."""
