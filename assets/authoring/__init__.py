"""Asking the models that build a bank: who plays which role, many calls at once, replies as JSON."""
