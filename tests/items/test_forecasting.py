"""The forecast of a build: what it calls the most is never exceeded, whatever the models reply."""

import re
from dataclasses import replace

from assets.evidence_cards.making import CARDS_PER_CHUNK
from assets.items.forecasting import forecast_build
from tests.support.author import BROKEN, always, at_first
from tests.support.catalogue import QUAY
from tests.support.workshop import Workshop

# As many facts as one passage may give cards.
FACTS = tuple(
    replace(
        QUAY, excerpt=f"Berth {name} is {length} paces long.", question=f"How long is berth {name}?", answer=f"{length}"
    )
    for name, length in zip("ABCDEFGHIJKLMNOPQRST"[:CARDS_PER_CHUNK], range(31, 31 + CARDS_PER_CHUNK), strict=True)
)


def forecast(workshop: Workshop) -> tuple[int, int]:
    """Expected and most calls, read off dollars: each request costs one."""
    for model in workshop.models:
        model["price"] = {"input": 0, "output": 0, "request": 1}
    workshop.write()
    installation = workshop.open()
    text = "\n".join(forecast_build(installation, *workshop.parts(installation)))
    expected, most = re.findall(r"(?:calls, |at most )\$([\d.]+)", text)[-2:]
    return round(float(expected)), round(float(most))


def test_the_most_is_what_a_build_costs_in_which_every_reply_is_unreadable(workshop: Workshop) -> None:
    workshop.bank["passes"] = ["similarity"]
    workshop.plain_document("berths", " ".join(fact.excerpt for fact in FACTS), *FACTS)
    workshop.wants(Harbours=len(FACTS))
    expected, most = forecast(workshop)
    workshop.author.trouble("cards", FACTS[0], at_first(BROKEN))
    for fact in FACTS:
        workshop.author.trouble("draft", fact, always(BROKEN))

    workshop.build()

    asked = workshop.author.places()
    assert (asked["cards"], asked["draft"]) == (2, 2 * CARDS_PER_CHUNK)
    assert workshop.requests == most > expected


def test_a_build_that_is_done_forecasts_nothing(workshop: Workshop) -> None:
    workshop.document("ports", QUAY)
    workshop.wants(Harbours=1)
    workshop.build()

    assert forecast(workshop) == (0, 0)
