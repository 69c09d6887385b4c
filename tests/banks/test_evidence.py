import json
from pathlib import Path

import pytest

from assets.items.bank_files import read_items
from checks import evidence
from checks.evidence import Claim, evaluate, fault_of, main
from resources.registries.banks import Bank, BankSpec, Domain, DomainSpec
from resources.types import Format

SQUARE = Claim("sci-1", "9", "3 ** 2")
ABSENT = Claim("law-1", "9", 'mod("no_such_package").nine')


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ('mod("datetime").date(2024, 11, 5)', "5 November 2024"),
        ('mod("pandas").Timestamp("1867-10-18 09:00", tz="UTC")', "18 October 1867"),
        ("483597.9e9 / 1e9", "483597.9"),
        ("37e0", "37"),
        ('mod("fractions").Fraction(2, 3)', "2/3"),
        ('"yen"', "yen"),
    ],
)
def test_a_value_becomes_the_text_of_a_gold(expression: str, text: str) -> None:
    assert evaluate(expression) == text


def test_months_are_english_whatever_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calendar.month_name", [""] + ["Monat"] * 12)
    assert evaluate('mod("datetime").date(2024, 5, 1)') == "1 May 2024"


def test_a_gold_that_the_package_confirms_has_no_fault() -> None:
    assert fault_of(SQUARE) is None


def test_a_fault_names_the_item_and_what_both_say() -> None:
    assert fault_of(Claim("sci-1", "8", "3 ** 2")) == "sci-1: the package says '9', the gold is '8'"


def test_evidence_that_fails_is_a_fault() -> None:
    fault = fault_of(Claim("sci-1", "9", "[][0]"))
    assert fault == "sci-1: the evidence fails (IndexError: list index out of range); the gold is '9'"


def test_the_recheck_ends_well_when_all_golds_hold(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(evidence, "shipped_claims", lambda: [SQUARE, SQUARE])
    assert main() == 0
    assert capsys.readouterr().out == "2 golds rechecked, 0 faults.\n"


def test_the_recheck_prints_a_line_a_fault_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(evidence, "shipped_claims", lambda: [SQUARE, Claim("sci-2", "8", "3 ** 2")])
    assert main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "sci-2: the package says '9', the gold is '8'",
        "2 golds rechecked, 1 faults.",
    ]


def test_a_package_that_is_missing_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(evidence, "shipped_claims", lambda: [ABSENT])
    assert main() == 1
    told = capsys.readouterr().err
    assert told.startswith("law-1: the module no_such_package is not installed.")
    assert "`make check-bank` installs" in told


def test_reading_a_bank_evaluates_no_evidence(tmp_path: Path) -> None:
    trace = tmp_path / "evaluated"
    line = {"id": "q1", "topic": "T", "question": "What?", "answer": "A"}
    line["evidence"] = f'mod("pathlib").Path({str(trace)!r}).touch()'
    bank = Bank("own", tmp_path, BankSpec(title="Own", format=Format.SHORT_ANSWER))
    domain = Domain("own.law", tmp_path / "domains" / "law.yaml", DomainSpec(title="Law"))
    bank.items_file(domain).parent.mkdir()
    bank.items_file(domain).write_text(json.dumps(line))

    assert read_items(bank, domain).frame["item_id"].to_list() == ["q1"]
    assert not trace.exists()
