"""Grading: from a model's answer to one of four grades, or to none with its reason."""
