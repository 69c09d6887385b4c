"""How a project runs by itself: the night, its budget, the drift watch. Keys of models.yaml's top level."""

import re
from typing import Annotated
from zoneinfo import available_timezones

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PositiveFloat, field_validator

_CRON = re.compile(r"[0-9A-Za-z*/,\-# ?]+")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _time_zone(name: str) -> str:
    if name not in available_timezones():
        raise ValueError(f"no time zone is called {name!r}; write one such as Europe/Berlin")
    return name


TimeZone = Annotated[str, AfterValidator(_time_zone)]


class Nightly(_Strict):
    """When the nightly sweep starts, and what it may cost at most."""

    cron: str = "0 2 * * *"
    timezone: TimeZone = "UTC"
    budget_usd: PositiveFloat | None = None

    @field_validator("cron")
    @classmethod
    def _five_fields(cls, cron: str) -> str:
        if len(cron.split()) != 5 or not _CRON.fullmatch(cron):
            raise ValueError(f"{cron!r} is no cron line; write minute, hour, day, month and weekday: 0 2 * * *")
        return cron


class DailyBudget(_Strict):
    """A hard cap over all sweeps of a day."""

    per_day: PositiveFloat
    timezone: TimeZone = "UTC"


class Drift(_Strict):
    """The drift watch: a few items of each model are asked again each night.

    Attributes:
        items: asked of each model; fewer than four could never be an alarm within one night.
        budget_usd: hard cap of one night.
        baseline_nights: from which a model's own instability is learnt.
    """

    items: int = Field(default=24, ge=4)
    budget_usd: PositiveFloat | None = None
    baseline_nights: int = Field(default=7, ge=3, le=14)
