"""Invented texts as long as real ones: domains with their topics, questions, golds, and how models put an answer.

What is asked, what is right and who answers is decided elsewhere.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass


def _list(text: str) -> list[str]:
    """Words divided by spaces, or phrases divided by `|`."""
    return text.split("|" if "|" in text else None)


@dataclass(frozen=True)
class Theme:
    """A domain: its title, its topics, and what its questions are about."""

    title: str
    topics: tuple[str, ...]
    matters: tuple[str, ...]


THEMES = {
    "business": Theme(
        "Business",
        ("Accounting rules", "Auctions", "Company registers", "Exchanges", "Insurance", "Payment systems", "Tariffs"),
        (
            "late delivery of perishable goods",
            "the weighting of an index",
            "deposits of clearing members",
            "the valuation of unsold stock",
            "claims after a general average",
            "duties on refined sugar",
        ),
    ),
    "health": Theme(
        "Health",
        ("Anatomy", "Blood products", "Clinical trials", "Dosage", "Epidemiology", "Health statistics", "Imaging"),
        (
            "the storage of plasma",
            "the reading of a contrast scan",
            "the follow-up of cohort studies",
            "doses for children under five",
            "the notification of fevers",
            "the naming of the carpal bones",
        ),
    ),
    "humanities": Theme(
        "Humanities and social sciences",
        ("Archives", "Architecture", "Calendars", "Census taking", "Numismatics", "Philology", "Treaties and borders"),
        (
            "the restoration of the west gallery",
            "the counting of households",
            "the minting of copper coins",
            "the leap month",
            "the spelling of borrowed words",
            "the frontier along the upper river",
        ),
    ),
    "law": Theme(
        "Law",
        ("Arbitration", "Courts", "Land registration", "Maritime law", "Procedure", "Public holidays", "Water rights"),
        (
            "appeals against an interim order",
            "the registration of easements",
            "salvage in coastal waters",
            "the seat of an arbitration",
            "holidays that fall on a Sunday",
            "the drawing of irrigation water",
        ),
    ),
    "science": Theme(
        "Science, engineering and mathematics",
        ("Astronomy", "Bridges", "Combinatorics", "Crystals", "Geodesy", "Metrology", "Particle detectors"),
        (
            "the calibration of pendulum clocks",
            "the fatigue of welded joints",
            "the census of faint variable stars",
            "the levelling of coastal benchmarks",
            "the symmetry of twinned crystals",
            "the cooling of drift chambers",
        ),
    ),
    "software": Theme(
        "Software engineering",
        ("Build tools", "Character sets", "Compilers", "Databases", "File formats", "Network protocols", "Schedulers"),
        (
            "the escaping of separators",
            "the order of lock acquisition",
            "the padding of short frames",
            "the pruning of stale caches",
            "the folding of combining marks",
            "the precedence of unary operators",
        ),
    ),
}
_HEADS = _list(
    "Alder Bram Carn Dun Elver Fenn Garth Harrow Ister Kell Lorn Marl Nether Oster Pell Quarn Rill Stav Thorn Vare"
)
_TAILS = _list("bury combe dale fell gard ham holt lund mere ness rick stad stow thorpe wick worth")
_GIVEN = _list(
    "Ada Bruno Clara Desmond Edda Felix Greta Hanno Ines Jorun Kaspar Lidia Milo Nora Otto Petra Rufus Selma Tilda"
)
_BODIES = _list(
    "Assembly|Board of Trade|Chamber|Commission|Institute|Royal Society|Standing Committee|Surveyors' Office"
)
_PAPERS = _list("charter|code of practice|convention|directive|handbook|ordinance|protocol|regulation|standard|statute")
_MONTHS = _list("January February March April May June July August September October November December")
_UNITS = _list("calendar days|cubic metres|hours|instalments|kilograms|members|millimetres|pages|signatures|units")
_QUALITIES = _list(
    "amber coastal composite deferred dormant floating graded inverse nested open provisional residual split"
)
_THINGS = _list("anchor bond census clause ledger lien margin parity quorum register span tariff tenure tracer weir")
_CLAUSES = (
    "",
    "",
    " in its second reading",
    " as amended after the reform of {year}",
    ", according to the edition that has been in force since {year} and leaving its annexes aside",
    ", counting from the day on which the notice was published and not from the day on which it was served",
)
_HINTS = {
    "date": "Answer with day, month and year.",
    "number": "Give the number and its unit.",
    "name": "Give the full name.",
    "place": "Give its name only.",
    "version": "Give the version as it was released.",
    "other": "Give the term only.",
}
_QUESTIONS = {
    "date": "On which date did the {body} of {place} adopt the {paper} on {matter}{clause}?",
    "number": "How many {unit} does the {paper} of the {place} {body} allow for {matter}{clause}?",
    "name": "Who chaired the {body} of {place} when it settled its {paper} on {matter}{clause}?",
    "place": "In which town did the {place} {body} sign the {paper} that governs {matter}{clause}?",
    "version": "In which release of the {place} {paper} was the section on {matter} first made binding{clause}?",
    "other": "Which term does the {paper} of the {place} {body} use for {matter}{clause}?",
}
KINDS = tuple(_QUESTIONS)
_SURE = (
    "{answer}. It replaced an earlier arrangement that had been found wanting.",
    "The answer is {answer}.",
    "From what I recall, this was {answer}, and later editions left it unchanged.",
    "**{answer}**\n\nThe passage is short, but commentators agree on how it is to be read.",
)
_REMARKS = (
    "Two later amendments concern neighbouring provisions only.",
    "The wording was debated for some time, since the draft had left open which of the two readings was meant.",
    "Secondary sources sometimes give another figure because they count from the earlier publication.",
    "The matter is treated again in the second annex, without a change in substance.",
)
_ABSTENTIONS = (
    "I don't know.",
    "I don't know.",
    "I don't know",
    "I'm not certain enough to answer this; I don't know.",
    "I don't have reliable information about this specific provision, so I would rather not guess.",
)


def _place(chance: random.Random) -> str:
    return chance.choice(_HEADS) + chance.choice(_TAILS)


_GOLDS: dict[str, Callable[[random.Random], str]] = {
    "date": lambda chance: f"{chance.randint(1, 28)} {chance.choice(_MONTHS)} {chance.randint(1790, 2024)}",
    "number": lambda chance: f"{chance.randint(2, 4_000):,} {chance.choice(_UNITS)}",
    "name": lambda chance: f"{chance.choice(_GIVEN)} {_place(chance)}",
    "place": _place,
    "version": lambda chance: f"{chance.randint(0, 9)}.{chance.randint(0, 19)}.{chance.randint(0, 9)}",
    "other": lambda chance: f"{chance.choice(_QUALITIES)} {chance.choice(_THINGS)}",
}


def question(chance: random.Random, kind: str, theme: Theme) -> str:
    """A question of this kind, between 90 and 300 characters long, with what to answer with."""
    asked = _QUESTIONS[kind].format(
        body=chance.choice(_BODIES),
        place=_place(chance),
        paper=chance.choice(_PAPERS),
        matter=chance.choice(theme.matters),
        unit=chance.choice(_UNITS),
        clause=chance.choice(_CLAUSES).format(year=chance.randint(1820, 2020)),
    )
    return f"{asked} {_HINTS[kind]}"


def gold(chance: random.Random, kind: str) -> str:
    return _GOLDS[kind](chance)


def wrong(chance: random.Random, kind: str, gold: str) -> str:
    """Another answer of the same kind."""
    while (other := _GOLDS[kind](chance)) == gold:
        pass
    return other


def put(chance: random.Random, answer: str, wordy: float) -> str:
    """How a model puts its answer: alone, or, in a share `wordy` of the answers, in sentences."""
    if chance.random() >= wordy:
        return answer
    remarks = chance.sample(_REMARKS, chance.choice((0, 0, 1, 2, 4)))
    return " ".join([chance.choice(_SURE).format(answer=answer), *remarks])


def coarser(answer: str) -> str:
    """What is near `answer` and not all of it."""
    return f"about {answer}" if " " not in answer else answer.split(" ", 1)[1]


def abstention(chance: random.Random) -> str:
    return chance.choice(_ABSTENTIONS)


def musing(chance: random.Random) -> str:
    """The beginning of an answer that never came to its end."""
    return " ".join(chance.choice(_REMARKS) for _ in range(chance.choice((0, 4, 16)))).rstrip(".")
