"""Rotation: which of several generators writes what, so that no model family colours a bank."""

from collections.abc import Sequence
from hashlib import sha256

from resources.registries import ModelSpec


def in_rotation(key: str, generators: Sequence[ModelSpec]) -> ModelSpec:
    """The generator for `key`, always the same one; where one is added or lacks, only its own share moves."""
    return max(generators, key=lambda spec: sha256(f"{key} {spec.id}".encode()).digest())
