"""The drift watch: each night a few items are asked again, so that a model that changes behind its name is noticed."""
