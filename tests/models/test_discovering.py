"""What a listing changes: new ones, those that vanish, those that match nothing, and lists that are not believed."""

import pytest

from assets.models.discovering import take_stock
from resources.listings import Listed
from resources.registries import DiscoveryRule, ModelSpec
from resources.registries.discovery import Discovered, DiscoveredState
from tests.models.days import FILE, RULE, START, Days


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


def test_a_fixed_list_is_believed_however_much_it_shrinks() -> None:
    names = tuple(f"m{number}" for number in range(8))
    days = Days(DiscoveryRule(provider="acme", models=names, at_most_per_day=8))
    days.lists(*names)

    days.rules = (DiscoveryRule(provider="acme", models=names[:1], at_most_per_day=8),)
    days.lists("m0")
    days.lists("m0")

    assert days.evaluated == ["acme/m0"]


def test_a_name_that_is_too_long_beside_its_source_is_seen_and_no_more() -> None:
    long = "g" * 190
    days = Days(DiscoveryRule(provider="acme"))
    taken = ModelSpec(id=f"acme/{long}", model="other/model")

    days.lists(long, named=[taken])
    days.lists(long, named=[taken])

    assert days.state(long) is DiscoveredState.SEEN
    assert days.evaluated == []
