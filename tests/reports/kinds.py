"""Banks of every kind, a few items each."""

from resources.types import Method
from tests.reports.banks import SmallBank


def two_models() -> SmallBank:
    """`a` is right on ten items of twelve, `b` on none."""
    bank = SmallBank()
    bank.add_many(12)
    bank.say("a", "c" * 10 + "ia")
    bank.say("b", "i" * 12)
    return bank


def only_baselines() -> SmallBank:
    bank = SmallBank()
    bank.add_many(6)
    bank.say("abstain", "a" * 6, cost=0.0)
    bank.say("guess", "i" * 6, cost=0.0)
    return bank


def nothing_graded() -> SmallBank:
    bank = SmallBank(notes={"a": "2 truncated; 1 filtered; 3 failed"})
    bank.add_many(6)
    bank.say("a", "ttfxxx", cost=None)
    bank.say("b", "uuuuuu")
    return bank


def two_graders() -> SmallBank:
    bank = SmallBank(spec={"title": "Facts", "format": "short_answer", "roles": {"judge": "j"}})
    bank.add_many(6)
    bank.say("a", "ccccii")
    bank.say("b", "cccccc", method=Method.JUDGE, judge="j")
    return bank


def choices() -> SmallBank:
    bank = SmallBank(spec={"title": "Exam", "format": "multiple_choice"})
    bank.add_many(6, options=["Ohm", "Volt"], answer="B")
    bank.say("a", "cccici", text="B", method=Method.CHOICE, reason="unreadable choice: none is declared")
    return bank


def several_samples() -> SmallBank:
    bank = SmallBank(spec={"title": "Facts", "format": "short_answer", "samples": 3})
    bank.add_many(6)
    for sample in range(3):
        bank.say("a", "ccicci" if sample else "ccccci", sample=sample)
    return bank


def few_sources() -> SmallBank:
    bank = SmallBank()
    bank.add_many(4)
    bank.say("a", "ccci")
    bank.say("b", "cccc", cost=None)
    return bank


KINDS = [two_models, only_baselines, nothing_graded, two_graders, choices, several_samples, few_sources]
