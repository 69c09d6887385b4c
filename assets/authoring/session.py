"""A session at the desk: whose account, which caps, and that every price is known where there is a cap."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Protocol

from assets.authoring.desk import Desk
from resources.installation import Installation, utc_now
from resources.ledger import Owner, Purse
from resources.llm import PriceTable, Tally
from resources.registries import ModelSpec
from resources.types import ConfigurationError


class Company(Protocol):
    """Whoever may be asked: a bank's cast, its scouts, the watched models with their judges."""

    @property
    def specs(self) -> list[ModelSpec]: ...


@contextmanager
def desk_for(
    installation: Installation,
    cast: Company,
    account: str,
    budget_usd: float | None,
    on_progress: Callable[[Tally], None] = lambda tally: None,
    now: datetime | None = None,
) -> Iterator[Desk]:
    """A desk that buys on `account` within the account's cap and the day's.

    Raises:
        ConfigurationError: when there is a cap and a price is unknown; nothing is bought then.
    """
    refuse_unknown_prices(installation, cast, budget_usd)
    installation.ledger.bury_dead()
    day = installation.budget_day(now or utc_now())
    caps = {f"sweep:{account}": budget_usd} if budget_usd is not None else {}
    if installation.models.budget is not None:
        caps[f"day:{day}"] = installation.models.budget.per_day
    owner = Owner.register()
    try:
        with Desk(installation, Purse(owner, account, day, caps), cast.specs, on_progress) as desk:
            yield desk
    finally:
        owner.retire()


def refuse_unknown_prices(installation: Installation, cast: Company, budget_usd: float | None) -> None:
    """A cap cannot hold where a price is unknown.

    Raises:
        ConfigurationError: naming the models whose price nobody states.
    """
    if budget_usd is None and installation.models.budget is None:
        return
    prices = PriceTable()
    if unknown := [spec.id for spec in cast.specs if prices.of(spec) is None]:
        raise ConfigurationError(
            f"a budget needs every price, and nobody states one for {', '.join(unknown)}; "
            "add `price: {input: …, output: …}` (USD per million tokens; `request:` for a search) in models.yaml"
        )
