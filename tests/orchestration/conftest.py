"""Fixtures of this room: a small world behind a server that knows the right answers, and a Dagster instance for it."""

from tests.support.capitals import instance, server, world
from tests.support.receiver import receiver

__all__ = ["instance", "receiver", "server", "world"]
