"""Discovered models: what providers list, what of it is evaluated, and since when. Kept in the home, not in a file of
the user's: models.yaml is written by people.

Which models match and when they are retired is decided in `assets/models`; here they are read and written.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path

from filelock import FileLock
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from resources.registries.discovery_rules import DiscoveryRule, by_source, rule_in_force
from resources.registries.model_specs import ModelSpec
from resources.types import FactsweepError
from resources.warehouse import replacing


class DiscoveredState(StrEnum):
    """What becomes of a listed model."""

    SEEN = "seen"  # matches no pattern; listed once, never asked
    WAITING = "waiting"  # matches; the day's number is reached
    EVALUATED = "evaluated"
    RETIRED = "retired"  # no longer listed


class DiscoveredModel(BaseModel):
    """One listed model.

    Attributes:
        id: the partition key it has or would have, `<provider>/<name>`.
        source: the provider that lists it, and whose server it is, as `DiscoveryRule.source` says it.
        released: when the provider says that it was made.
        context: the most tokens of a prompt, by the provider or else by litellm's table.
        missing_since: the first listing in a row that lacks it.
        registered_on: the budget's day on which it became a partition.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    source: str
    name: str
    state: DiscoveredState
    first_seen: datetime
    registered_on: str | None = None
    missing_since: datetime | None = None
    retired_at: datetime | None = None
    released: date | None = None
    context: int | None = None

    @field_validator("source")
    @classmethod
    def _without_slash(cls, source: str) -> str:
        return source.rstrip("/")  # files of earlier versions have it as the rule had it


class Discovered(BaseModel):
    """All that providers ever listed, by id."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    models: dict[str, DiscoveredModel] = {}

    def specs(self, rules: Iterable[DiscoveryRule]) -> Iterator[ModelSpec]:
        """The evaluated models as models.yaml would name them; one whose rule is gone is no model any more."""
        sources = by_source(rules)
        for found in self.models.values():
            if found.source in sources and found.state is DiscoveredState.EVALUATED:
                rule = rule_in_force(sources[found.source], found.name)
                yield rule.spec_of(found.id, found.name, found.released, found.context)


def read_discovered(file: Path) -> Discovered:
    """What was discovered so far.

    Raises:
        FactsweepError: when the file is damaged; nothing may be registered anew over it.
    """
    try:
        return Discovered.model_validate_json(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Discovered()
    except (OSError, ValidationError, UnicodeDecodeError, json.JSONDecodeError):
        raise FactsweepError(
            f"{file} cannot be read; restore it, or delete it to have all models listed anew"
        ) from None


@contextmanager
def changing_discovered(file: Path) -> Iterator[Path]:
    """Held while what was discovered is read, changed and written: two ticks may come at once."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(file.with_suffix(".lock")):
        yield file


def write_discovered(file: Path, discovered: Discovered) -> None:
    """Puts the file in place whole.

    Raises:
        DiskFull: the former file is still in place.
    """
    with replacing(file) as temporary:
        temporary.write_text(discovered.model_dump_json(indent=1, exclude_none=True), encoding="utf-8")
