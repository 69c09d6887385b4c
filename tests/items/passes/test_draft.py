"""A draft's way in and out: one question from each card, by a generator in rotation that stays with its cards."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from assets.items.drafting import Drafter
from assets.items.passes.draft import Ruling, Verdict
from tests.support.author import BROKEN, EMPTY, HALF, REFUSAL, Trouble, always, at_first, reworked, with_keys
from tests.support.bad_evidence import HOSTILE
from tests.support.catalogue import FERRY, LAMP, MOLE, QUAY
from tests.support.facts import Fact, card_of, draft_of
from tests.support.replies import server_error
from tests.support.workshop import Workshop


def drafted(workshop: Workshop, *facts: Fact, former: Mapping[str, str] | None = None) -> list[Ruling]:
    workshop.author.facts = facts
    with workshop.desk() as (installation, desk):
        bank, domain, cast = workshop.parts(installation)
        drafter = Drafter(domain.spec.title, bank.prompt("draft"), cast.generators, desk)
        return drafter.draft([card_of(fact) for fact in facts], former or {})


def test_a_draft_has_its_question_its_gold_and_who_wrote_it(workshop: Workshop) -> None:
    (ruling,) = drafted(workshop, QUAY)

    assert ruling.verdict is Verdict.PASS
    assert (ruling.draft.question, ruling.draft.answer) == (QUAY.question, "24.8")
    assert (ruling.draft.generator, ruling.draft.lab) == ("gen-one", "openai")
    assert ruling.draft.item_id == card_of(QUAY).card_id


def test_a_card_of_which_no_question_can_be_made_is_dropped(workshop: Workshop) -> None:
    (ruling,) = drafted(workshop, replace(QUAY, question=""))

    assert ruling.verdict is Verdict.FAIL
    assert ruling.reason == "no question was drafted: no question can be made of it"


def test_an_empty_skip_beside_a_question_is_no_skip(workshop: Workshop) -> None:
    workshop.author.trouble("draft", QUAY, with_keys(skip=""))

    assert drafted(workshop, QUAY)[0].verdict is Verdict.PASS


@pytest.mark.parametrize(("answer", "gold"), [(1912, "1912"), (24.8, "24.8"), ("  Aldena ", "Aldena")])
def test_a_gold_given_as_a_number_is_the_gold(workshop: Workshop, answer: object, gold: str) -> None:
    workshop.author.trouble("draft", QUAY, with_keys(answer=answer))

    assert drafted(workshop, QUAY)[0].draft.answer == gold


def test_a_version_given_as_a_number_keeps_its_last_zero(workshop: Workshop) -> None:
    workshop.author.trouble("draft", QUAY, reworked(lambda text: text.replace('"24.8"', "3.10")))

    assert drafted(workshop, QUAY)[0].draft.answer == "3.10"


@pytest.mark.parametrize(
    ("aliases", "kept"),
    [
        (["24.8 m", " ", "24.8", "24.8 m"], ("24.8 m",)),
        ([24.75, None], ("24.75",)),
        (None, ()),
        ([f"form {number}" for number in range(20)], tuple(f"form {number}" for number in range(8))),
    ],
)
def test_aliases_are_tidied(workshop: Workshop, aliases: object, kept: tuple[str, ...]) -> None:
    workshop.author.trouble("draft", QUAY, with_keys(aliases=aliases))

    assert drafted(workshop, QUAY)[0].draft.aliases == kept


@pytest.mark.parametrize("kind", ["measurement", "", None])
def test_an_unknown_answer_type_is_other(workshop: Workshop, kind: object) -> None:
    workshop.author.trouble("draft", QUAY, with_keys(answer_type=kind))

    assert drafted(workshop, QUAY)[0].draft.answer_type == "other"


@pytest.mark.parametrize(
    "trouble",
    [
        at_first(BROKEN),
        at_first(REFUSAL),
        at_first(HALF),
        at_first(EMPTY),
        reworked(lambda text: f"```json\n{text}\n```"),
        reworked(lambda text: f"Here it is:\n{text}\nShall I write more?"),
    ],
    ids=["broken", "refusal", "half", "empty", "fence", "chatter"],
)
def test_a_reply_that_can_be_read_in_the_end_makes_the_draft(workshop: Workshop, trouble: Trouble) -> None:
    workshop.author.trouble("draft", QUAY, trouble)

    assert drafted(workshop, QUAY)[0].draft.question == QUAY.question


@pytest.mark.parametrize(
    ("trouble", "reason"),
    [
        (always(REFUSAL), "is no JSON object: 'I cannot help with that.'"),
        (always(BROKEN), "is no valid JSON at character"),
        (always(HALF), "is no valid JSON at character"),
        (always(EMPTY), "is empty"),
        (with_keys(answer=""), "the object: holds no question with its answer"),
    ],
    ids=["refusal", "broken", "half", "empty", "no gold"],
)
def test_a_reply_that_cannot_be_read_twice_drops_its_card_alone(
    workshop: Workshop, trouble: Trouble, reason: str
) -> None:
    workshop.author.trouble("draft", QUAY, trouble)

    bad, good = drafted(workshop, QUAY, FERRY)

    assert bad.verdict is Verdict.FAIL
    assert bad.reason.startswith(f"the reply of gen-one, asked twice, {reason}")
    assert good.verdict is Verdict.PASS


def test_a_draft_whose_call_fails_waits(workshop: Workshop) -> None:
    workshop.author.trouble("draft", QUAY, always(server_error()))

    (ruling,) = drafted(workshop, QUAY)

    assert (ruling.verdict, ruling.reason) == (None, "gen-one: its call failed")


def test_evidence_that_closes_its_tag_stays_between_the_tags(workshop: Workshop) -> None:
    drafted(workshop, HOSTILE)

    prompt = workshop.server.log[0].message
    assert (prompt.count("<evidence>"), prompt.count("</evidence>")) == (1, 1)
    assert prompt.index("To the verifier:") < prompt.index("</evidence>")


def test_a_card_stays_with_the_generator_that_drafted_from_it(workshop: Workshop) -> None:
    workshop.bank["roles"]["generator"] = ["gen-one", "gen-two"]
    workshop.write()
    facts = (QUAY, FERRY, MOLE, LAMP)

    rulings = drafted(workshop, *facts, former=dict.fromkeys((card_of(fact).card_id for fact in facts), "gen-two"))

    assert {ruling.draft.generator for ruling in rulings} == {"gen-two"}


def test_a_generator_that_is_gone_is_replaced(workshop: Workshop) -> None:
    (ruling,) = drafted(workshop, QUAY, former={card_of(QUAY).card_id: "gen-gone"})

    assert ruling.draft.generator == "gen-one"


def test_other_words_keep_the_aliases_and_another_gold_does_not() -> None:
    draft = replace(draft_of(QUAY), aliases=("24.8 m",))

    assert draft.reworded("How long is it?").aliases == ("24.8 m",)
    assert draft.reworded("How long is it?", "24.8").aliases == ("24.8 m",)
    assert draft.reworded("How long is it?", "25").aliases == ()
