"""`drift:` in models.yaml."""

import pytest

from resources.registries import Drift
from tests.drift.conftest import Watch


def test_an_empty_section_means_the_defaults(nights: Watch) -> None:
    nights.world.drift = {}
    nights.world.write()

    assert nights.world.open().models.drift == Drift(items=24, budget_usd=None, baseline_nights=7)


@pytest.mark.parametrize(
    ("section", "key"),
    [({"items": 3}, "drift.items"), ({"baseline_nights": 30}, "drift.baseline_nights"), ({"item": 9}, "drift.item")],
)
def test_a_value_that_cannot_be_is_told_with_its_key(nights: Watch, section: dict, key: str) -> None:
    nights.world.drift = section
    nights.world.write()

    (problem,) = nights.world.open().models.problems
    assert problem.key == key
