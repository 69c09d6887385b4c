"""Fixtures of this room: a small world behind a server that knows the right answers."""

from tests.support.capitals import server, world

__all__ = ["server", "world"]
