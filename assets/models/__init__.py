"""Which models there are: what providers list against what is known."""
