"""Asking: what is sent to a model for an item, and what stands in for it in a baseline."""
