"""Fixtures of this room: a workshop that builds a bank behind a scripted author."""

from tests.support.workshop import workshop

__all__ = ["workshop"]
