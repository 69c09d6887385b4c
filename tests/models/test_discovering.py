"""What a listing changes: new ones, those that vanish, those that match nothing, and lists that are not believed."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from assets.models.discovering import Stock, take_stock
from resources.listings import Listed
from resources.registries import DiscoveryRule, ModelSpec
from resources.registries.discovery import Discovered, DiscoveredState

START = datetime(2026, 3, 1, 8, tzinfo=UTC)
FILE = Path("/home/of/discovered.json")
RULE = DiscoveryRule(provider="acme", include=("gpt-*",), exclude=("*-audio",), at_most_per_day=2)


class Days:
    """Listings of one source, one after the other, a day apart unless said otherwise."""

    def __init__(self, *rules: DiscoveryRule) -> None:
        self.rules = rules or (RULE,)
        self.known = Discovered()
        self.now = START

    def lists(self, *names: str, hours: int = 24, why: str | None = None, named: Sequence[ModelSpec] = ()) -> Stock:
        listing = why if why is not None else [Listed(name) for name in names]
        stock = take_stock(
            self.known, self.rules, {self.rules[0].source: listing}, named, self.now, f"{self.now:%Y-%m-%d}", FILE
        )
        self.known = stock.discovered
        self.now += timedelta(hours=hours)
        return stock

    def state(self, name: str) -> DiscoveredState:
        return next(model.state for model in self.known.models.values() if model.name == name)

    @property
    def evaluated(self) -> list[str]:
        return sorted(spec.id for spec in self.known.specs(self.rules))


def test_the_first_listing_registers_as_many_as_a_day_may_have_and_the_next_days_the_others() -> None:
    days = Days()

    first = days.lists("gpt-c", "gpt-a", "gpt-b", hours=1)
    assert first.registered == ["acme/gpt-a", "acme/gpt-b"]
    assert "1 new models wait for another day" in first.notes[-1]
    assert days.lists("gpt-c", "gpt-a", "gpt-b").registered == [], "the day's number is reached"

    assert days.lists("gpt-c", "gpt-a", "gpt-b").registered == ["acme/gpt-c"]
    assert days.evaluated == ["acme/gpt-a", "acme/gpt-b", "acme/gpt-c"]


def test_what_does_not_match_is_told_once() -> None:
    days = Days()

    assert days.lists("gpt-a", "gpt-a-audio", "whisper").notes == ["acme: seen, not evaluated: gpt-a-audio, whisper."]
    assert days.lists("gpt-a", "gpt-a-audio", "whisper").notes == []
    assert days.state("whisper") is DiscoveredState.SEEN


def test_what_models_yaml_names_itself_is_no_discovery() -> None:
    days = Days(RULE.model_copy(update={"at_most_per_day": 1}))
    named = [ModelSpec(id="mine", model="acme/gpt-a")]

    days.lists("gpt-a", "gpt-b", named=named, hours=1)
    days.lists("gpt-a", "gpt-b", named=named)

    assert days.evaluated == ["acme/gpt-b"]


def test_what_models_yaml_names_on_another_server_is_another_model() -> None:
    rule = DiscoveryRule(provider="acme", api_base="http://x/v1")
    days = Days(rule)
    here = ModelSpec(id="here", model="acme/a", api_base="http://x/v1/")
    there = ModelSpec(id="acme/b", model="acme/b", api_base="http://other/v1")

    stock = days.lists("a", "b", named=[here, there])

    assert stock.registered == ["acme/b (acme at http://x/v1)"], "the id acme/b is taken"


@pytest.mark.parametrize("name", ["gpt-a|b", "gpt-" + "x" * 300, "gpt-a...z"])
def test_a_name_that_can_be_no_partition_is_seen_only(name: str) -> None:
    days = Days()

    days.lists(name, "gpt-b")

    assert days.evaluated == ["acme/gpt-b"]


@pytest.mark.parametrize("name", ["gpt-5 (new)", "gpt-é/ü", "gpt-😀", "gpt-5:free"])
def test_odd_names_are_models_all_the_same(name: str) -> None:
    days = Days()

    days.lists(name)

    assert days.evaluated == [f"acme/{name}"]


def test_what_two_listings_in_a_row_lack_is_retired_and_may_come_back() -> None:
    days = Days()
    days.lists("gpt-a", "gpt-b")

    assert days.lists("gpt-a").retired == []
    gone = days.lists("gpt-a")
    assert gone.retired == ["acme/gpt-b"]
    assert days.evaluated == ["acme/gpt-a"]

    back = days.lists("gpt-a", "gpt-b")
    assert back.notes == ["acme/gpt-b is listed again."]
    assert back.registered == [], "it was asked before; what it misses the nightly sweep buys"
    assert days.evaluated == ["acme/gpt-a", "acme/gpt-b"]


def test_what_waited_vanished_and_is_back_waits_for_its_day() -> None:
    days = Days(RULE.model_copy(update={"at_most_per_day": 1}))
    days.lists("gpt-a", "gpt-b", "gpt-c", hours=1)
    days.lists("gpt-a", "gpt-b", hours=1)
    days.lists("gpt-a", "gpt-b", hours=1)
    assert days.state("gpt-c") is DiscoveredState.RETIRED

    days.lists("gpt-a", "gpt-b", "gpt-c")
    assert days.state("gpt-c") is DiscoveredState.WAITING

    assert days.lists("gpt-a", "gpt-b", "gpt-c").registered == ["acme/gpt-b"]
    assert days.lists("gpt-a", "gpt-b", "gpt-c").registered == ["acme/gpt-c"]


def test_what_waits_and_is_not_listed_is_not_registered() -> None:
    days = Days(RULE.model_copy(update={"at_most_per_day": 1}))
    days.lists("gpt-a", "gpt-b")

    assert days.lists("gpt-a").registered == []


def test_a_hiccup_retires_nobody() -> None:
    days = Days()
    days.lists("gpt-a", "gpt-b")
    days.lists("gpt-a")
    days.lists("gpt-a", "gpt-b")

    assert days.lists("gpt-a").retired == []


@pytest.mark.parametrize("names", [(), ("gpt-a",)])
def test_a_list_that_lacks_most_of_what_was_there_changes_nothing(names: tuple[str, ...]) -> None:
    days = Days(RULE.model_copy(update={"at_most_per_day": 9}))
    days.lists("gpt-a", "gpt-b", "gpt-c")
    before = days.known

    notes = [days.lists(*names).notes[0] for _ in range(3)]

    assert days.known == before
    said = (
        f"acme lists {len(names)} of the 3 models that it listed before; nothing is changed. "
        "Should that be so for good, delete its models from /home/of/discovered.json."
    )
    assert notes == [said] * 3


EVERY = DiscoveryRule(provider="acme", at_most_per_day=20)


@pytest.mark.parametrize(("before", "after"), [("a", "z"), ("ab", "z"), ("abcde", "xyz"), ("abcde", "exyz")])
def test_a_small_server_may_replace_all_of_its_models(before: str, after: str) -> None:
    days = Days(EVERY)
    days.lists(*before)
    days.lists(*after)

    days.lists(*after)

    assert days.evaluated == [f"acme/{name}" for name in after]


@pytest.mark.parametrize(("before", "after"), [("a", ""), ("abc", "z"), ("abcdef", "uvwxyz"), ("abcdef", "abuvwxyz")])
def test_a_list_that_is_much_shorter_or_replaces_many_is_not_believed(before: str, after: str) -> None:
    days = Days(EVERY)
    days.lists(*before)
    known = days.known

    for _ in range(3):
        days.lists(*after)

    assert days.known == known


def test_a_provider_that_fails_changes_nothing_and_says_so() -> None:
    days = Days()
    days.lists("gpt-a")
    before = days.known

    assert days.lists(why="answers with status 500").notes == ["acme answers with status 500; nothing is changed."]
    assert days.known == before


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


def test_two_servers_of_one_provider_are_told_apart() -> None:
    days = Days()
    days.lists("gpt-a")
    other = DiscoveryRule(provider="acme", api_base="http://other")

    stock = take_stock(days.known, [other], {other.source: [Listed("gpt-a")]}, (), days.now, "day", FILE)

    assert stock.registered == ["acme/gpt-a (acme at http://other)"]


@pytest.mark.parametrize(("stated", "context"), [(32_768, 32_768), (None, 272_000)])
def test_the_length_of_prompt_is_the_providers_word_or_else_the_tables(
    stated: int | None, context: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assets.models.discovering.context_of", {"acme/gpt-a": 272_000}.get)
    listing = [Listed("gpt-a", context=stated)]

    stock = take_stock(Discovered(), [RULE], {RULE.source: listing}, (), START, "day", FILE)

    assert [spec.context for spec in stock.discovered.specs([RULE])] == [context]


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
