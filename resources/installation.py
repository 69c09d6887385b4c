"""One installation: its registries, lake and ledger, opened together."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from resources.home import Home, bank_roots, current_home, models_file
from resources.ledger import Ledger
from resources.registries import Banks, Models, ModelSpec, load_banks, load_models
from resources.registries.discovery import read_discovered
from resources.warehouse import Lake


@dataclass(frozen=True)
class Installation:
    """What every command and asset works on."""

    home: Home
    banks: Banks
    models: Models

    @classmethod
    def open(cls) -> "Installation":
        """The installation that the environment names."""
        home, models = current_home(), load_models(models_file())
        if models.discovery:
            models = models.with_discovered(read_discovered(home.discovered).specs(models.discovery))
        return cls(home, load_banks(bank_roots()), models)

    @cached_property
    def lake(self) -> Lake:
        return Lake(self.home.lake)

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger(self.home.ledger_url)

    @property
    def problems(self) -> list[str]:
        """All faults in the registry files, a sentence each."""
        return [str(problem) for problem in (*self.models.problems, *self.banks.problems)]

    def endpoint(self, spec: ModelSpec) -> str | None:
        """What stands for the API base in a call's identity: the embedded server's port changes."""
        if spec.local:
            from resources.local_model import local_identity

            return local_identity(spec.local, self.home.local_models)
        return spec.api_base

    def budget_day(self, now: datetime) -> str:
        """The date of `now` in the budget's time zone."""
        zone = self.models.budget.timezone if self.models.budget else "UTC"
        return now.astimezone(ZoneInfo(zone)).date().isoformat()


def utc_now() -> datetime:
    return datetime.now(UTC)
