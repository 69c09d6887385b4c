"""Which models belong to which rule, how they are asked, and what a changed rule changes."""

from typing import Any

import pytest

from resources.registries import DiscoveryRule, ModelSpec
from resources.registries.discovery import Discovered
from tests.models.days import RULE, Days


def test_changed_patterns_take_in_what_was_only_seen() -> None:
    days = Days()
    days.lists("gpt-a", "o-9")
    days.rules = (RULE.model_copy(update={"include": ("gpt-*", "o-*")}),)

    assert days.lists("gpt-a", "o-9").registered == ["acme/o-9"]


def test_changed_patterns_let_go_of_what_waited_and_keep_what_was_evaluated() -> None:
    days = Days(RULE.model_copy(update={"at_most_per_day": 1}))
    days.lists("gpt-a", "gpt-b")
    days.rules = (RULE.model_copy(update={"include": ("o-*",)}),)

    assert days.lists("gpt-a", "gpt-b").notes == ["acme: seen, not evaluated: gpt-b."]
    assert days.evaluated == ["acme/gpt-a"]


SMALL = DiscoveryRule(provider="acme", include=("*-mini",), at_most_per_day=1, params={"max_tokens": 9})
LARGE = DiscoveryRule(provider="acme", include=("gpt-*", "o-*"), at_most_per_day=2, banks=("x",))


def test_of_two_rules_for_one_source_the_first_that_matches_says_how_a_model_is_asked() -> None:
    days = Days(SMALL, LARGE)

    notes = days.lists("gpt-mini", "gpt-a", "tts").notes

    assert notes == ["acme: seen, not evaluated: tts."]
    assert {spec.id: (spec.params, spec.banks) for spec in days.known.specs(days.rules)} == {
        "acme/gpt-mini": ({"max_tokens": 9}, None),
        "acme/gpt-a": ({}, ("x",)),
    }


def test_each_rule_counts_its_own_models_of_a_day() -> None:
    days = Days(SMALL, LARGE)

    stock = days.lists("a-mini", "b-mini", "gpt-a", "gpt-b", "gpt-c", hours=1)

    assert stock.registered == ["acme/a-mini", "acme/gpt-a", "acme/gpt-b"]
    assert stock.notes == [
        "acme: 1 new models wait for another day (at_most_per_day: 1).",
        "acme: 1 new models wait for another day (at_most_per_day: 2).",
    ]
    assert days.lists("a-mini", "b-mini", "gpt-a", "gpt-b", "gpt-c").registered == []


def test_an_evaluated_model_that_no_rule_matches_any_more_goes_on_with_the_first() -> None:
    days = Days(SMALL, LARGE)
    days.lists("gpt-a")
    days.rules = (SMALL, LARGE.model_copy(update={"include": ("o-*",)}))

    assert days.lists("gpt-a").notes == []
    assert [spec.params for spec in days.known.specs(days.rules)] == [{"max_tokens": 9}]


def test_a_model_on_the_fixed_list_of_the_second_rule_is_the_second_rules() -> None:
    days = Days(
        DiscoveryRule(provider="acme", models=("a",)), DiscoveryRule(provider="acme", models=("b",), banks=("x",))
    )

    days.lists("a", "b")

    assert [(spec.id, spec.banks) for spec in days.known.specs(days.rules)] == [("acme/a", None), ("acme/b", ("x",))]


def test_a_discovered_model_is_asked_as_its_rule_says() -> None:
    stated: dict[str, Any] = {
        "api_base": "http://b",
        "api_key_env": "K",
        "params": {"temperature": 0},
        "price": {"input": 0.5, "output": 2},
        "concurrency": 3,
        "timeout": 20,
        "seed": False,
        "retries": {"attempts": 1, "seconds": 9},
        "banks": ("x",),
        "extra": {"api_version": "env:VERSION"},
    }
    rule = DiscoveryRule.model_validate({"provider": "acme"} | stated)
    days = Days(rule)
    days.lists("m")

    assert list(days.known.specs([rule])) == [ModelSpec(id="acme/m", model="acme/m", **stated)]


@pytest.mark.parametrize(("before", "after"), [("http://x/v1", "http://x/v1/"), ("http://x/v1/", "http://x/v1")])
def test_a_slash_at_the_end_of_a_servers_address_changes_nothing(before: str, after: str) -> None:
    days = Days(DiscoveryRule(provider="acme", api_base=before))
    days.lists("m")
    [spec] = days.known.specs(days.rules)
    days.rules = (DiscoveryRule(provider="acme", api_base=after),)

    assert days.lists("m").registered == []
    assert list(days.known.specs(days.rules)) == [spec], "a call's identity holds the api_base"


def test_a_server_recorded_with_a_slash_at_the_end_is_the_same() -> None:
    days = Days(DiscoveryRule(provider="acme", api_base="http://x/v1"))
    days.lists("m")
    recorded = days.known.model_dump_json().replace("http://x/v1", "http://x/v1/")
    days.known = Discovered.model_validate_json(recorded)

    assert days.lists("m").registered == []
