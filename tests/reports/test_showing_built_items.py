"""`factsweep show` of a built item: its source, its card, what each pass decided and what people did."""

from pathlib import Path

import pytest

from assets.items.bank_files import read_items
from assets.reports.showing import show_item
from assets.reviews.applying import apply_decisions
from resources.types import ConfigurationError
from tests.reviews.harbours import KEY, NOW, Harbours, built, decisions_file

HOSTILE = "\x1b[2J\u202e"


def ids(harbours: Harbours) -> list[str]:
    return read_items(harbours.bank, harbours.domain).frame["item_id"].to_list()


def recorded(harbours: Harbours) -> Harbours:
    """The items as a sweep records them."""
    harbours.installation.lake.write("items", read_items(harbours.bank, harbours.domain).frame, domain=KEY)
    return harbours


def shown(harbours: Harbours, item_id: str) -> list[str]:
    return list(show_item(harbours.installation, item_id, model=None))


def test_a_built_item_shows_its_source_card_and_verdicts(tmp_path: Path) -> None:
    harbours = recorded(built(tmp_path))

    lines = shown(harbours, ids(harbours)[0])

    assert lines[lines.index("since      2025-04") + 1 :] == [
        "document   https://harbour.example/rules/pilots (Rules of the harbour)",
        "           tier 1, published 2025-04, as the document declares (dc.date)",
        "card       Pilotage is compulsory for vessels of more than 85 metres, whatever they carry.",
        "section    Harbour › Pilots",
        "fact       Vessels longer than 85 metres must take a pilot.",
        "pass       0 draft: pass by writer, $0.001200",
        "           drafted from its card",
        "pass       1 ambiguity: rewritten by checker, $0.001200",
        "           the question can be read in one way only now",
        "           question was  Above which length?",
        "           question now  Above which length must a vessel take a pilot in the invented harbour, in metres?",
        "pass       2 entailment: pass by checker, price unknown",
        "           the excerpt says so",
    ]


def test_reviews_are_shown(tmp_path: Path) -> None:
    harbours = recorded(built(tmp_path))
    kept = ids(harbours)[0]
    entry = harbours.entry(kept, "correct", answer="86", note="the rule says more than")
    apply_decisions(harbours.installation, decisions_file(tmp_path, entry), NOW)

    assert shown(harbours, kept)[-4:] == [
        "review     correct by Ann, 2026-06-02 09:30 UTC",
        "           the rule says more than",
        "           answer was  85",
        "           answer now  86",
    ]


def test_a_draft_that_never_became_an_item_is_shown(tmp_path: Path) -> None:
    harbours = built(tmp_path)
    dropped = ids(harbours)[1]

    lines = shown(harbours, dropped)

    assert lines[:3] == [
        f"{dropped}   {KEY} / Pilots   dropped by reliance",
        "question   How long is it valid?",
        "gold       two years",
    ]
    assert "pass       1 reliance: fail by checker, $0.001200" in lines


def test_a_dropped_item_of_the_file_is_shown_once(tmp_path: Path) -> None:
    harbours = recorded(built(tmp_path))
    dropped = ids(harbours)[1]

    lines = shown(harbours, dropped)

    assert lines[0] == f"{dropped}   {KEY} / Pilots   dropped, private"
    assert sum(line.startswith("question ") for line in lines) == 1
    assert "           asks about 'it'" in lines


def test_a_source_that_is_gone_is_told(tmp_path: Path) -> None:
    harbours = recorded(built(tmp_path))
    harbours.installation.lake.remove("sources", domain=KEY)

    told = "document   https://harbour.example/rules/pilots (no longer among the domain's sources)"
    assert told in shown(harbours, ids(harbours)[0])


def test_an_id_that_nothing_knows_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no item is called 'nothing'"):
        shown(built(tmp_path), "nothing")


@pytest.mark.parametrize("name", ["fact", "reason", "title", "excerpt", "question"])
def test_what_others_wrote_does_not_steer_the_terminal(tmp_path: Path, name: str) -> None:
    harbours = recorded(built(tmp_path, texts={name: f"words {HOSTILE} words"}))

    text = "\n".join(shown(harbours, ids(harbours)[0]))

    assert "words \\u001b[2J\\u202e words" in text
    assert "\x1b" not in text and "\u202e" not in text
