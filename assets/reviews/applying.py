"""Taking a file of decisions into the bank: each is recorded in `reviews/<domain>.jsonl` and carried out on its line.

The record is written first, then the lines, then the table. Whatever stops this in between, applying the same file
again finishes it, and records no decision twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from pathlib import Path

from assets.items.bank_files import add_lines, replace_file
from assets.items.item_lines import ItemLine, LineFault, parse_line
from assets.items.line_edits import with_values
from assets.reviews.decisions import Decisions, Entry, read_decisions
from assets.reviews.records import Decision, Review, by_item, read_reviews, reviews_file, reviews_frame
from resources.installation import Installation
from resources.locks import bank_files
from resources.registries import Bank, Domain, Problem
from resources.types import ConfigurationError, FactsweepError

_STATUS = {
    Decision.ACCEPT: "active",
    Decision.REJECT: "dropped",
    Decision.DISPUTE: "disputed",
    Decision.CORRECT: "active",
}


@dataclass(frozen=True)
class Applied:
    """What became of each decision.

    Attributes:
        taken: recorded and carried out now.
        before: recorded by an earlier application.
        refused: with entry, reason and remedy.
        set_aside: lines of the record that cannot be read; they stay as they are.
    """

    domain: str
    taken: int
    before: int
    refused: tuple[Problem, ...]
    set_aside: tuple[Problem, ...]
    files: tuple[Path, ...]


class _Refusal(ValueError):
    """Why a decision is not taken, with the remedy."""


@dataclass
class _Lines:
    """The domain's file of items: its lines as bytes, and which of them holds an item that can be decided upon."""

    bank: Bank
    domain: Domain
    raw: list[bytes]
    items: dict[str, tuple[int, ItemLine]] = field(default_factory=dict)

    @classmethod
    def read(cls, bank: Bank, domain: Domain) -> "_Lines":
        file = bank.items_file(domain)
        lines = cls(bank, domain, list(BytesIO(file.read_bytes())) if file.exists() else [])
        topics = {topic.name for topic in domain.spec.topics}
        for place in range(len(lines.raw)):
            try:
                line = parse_line(lines.text(place), bank.spec.format)
            except (UnicodeDecodeError, LineFault):
                continue
            if not topics or line.topic in topics:
                lines.items.setdefault(line.id, (place, line))
        return lines

    def text(self, place: int) -> str:
        """A line without the mark that some editors put before the first."""
        return self.raw[place].decode().removeprefix("\ufeff")

    def put(self, place: int, text: str) -> None:
        mark = "\ufeff" if self.raw[place].startswith(b"\xef\xbb\xbf") else ""
        self.raw[place] = (mark + text).encode()

    def versions(self, line: ItemLine) -> tuple[str, str]:
        row = line.row(self.bank.name, self.domain.key, self.bank.spec.format)
        return row["question_version"], row["answer_version"]


def apply_decisions(installation: Installation, file: Path, now: datetime) -> Applied:
    """Takes what can be taken of the file.

    Raises:
        ConfigurationError: when the file is no sound file of decisions; nothing is written then.
        FactsweepError: when a file cannot be written.
    """
    decisions = read_decisions(file, now)
    known = installation.banks.domains
    if decisions.domain not in known:
        listed = ", ".join(known) or "none"
        raise ConfigurationError(
            f"{file} is about domain {decisions.domain!r}, which is not registered; known: {listed}. "
            "Set FACTSWEEP_BANKS to the folder of its bank"
        )
    bank, domain = known[decisions.domain]
    set_aside: list[Problem] = []
    written = reviews_file(bank, domain), bank.items_file(domain)
    try:
        with bank_files(bank.folder):
            past = by_item(read_reviews(bank, domain, set_aside))
            lines = _Lines.read(bank, domain)
            former = list(lines.raw)
            new, before, refused = _carry_out(decisions, lines, past, file)
            if new:
                add_lines(written[0], [review.line for review in new])
            if lines.raw != former:
                replace_file(written[1], b"".join(lines.raw))
            installation.lake.write("reviews", reviews_frame(bank, domain), domain=domain.key)
    except OSError as error:
        raise FactsweepError(
            f"{error.filename or domain.key} cannot be read or written ({error.strerror}); make room or mend its "
            f"permissions and apply {file} again: nothing is taken twice"
        ) from error
    return Applied(domain.key, len(new), before, tuple(refused), tuple(set_aside), written)


def _carry_out(
    decisions: Decisions, lines: _Lines, past: dict[str, list[Review]], file: Path
) -> tuple[list[Review], int, list[Problem]]:
    """Changes `lines`; returns what is to be recorded, how many are recorded already, and what is refused."""
    new: list[Review] = []
    refused: list[Problem] = []
    entry_of: dict[str, int] = {}
    before = 0
    for number, entry in enumerate(decisions.entries, 1):
        try:
            first = entry_of.setdefault(entry.item_id, number)
            if first != number:
                raise _Refusal(f"is decided in entry {first} already; keep one of them")
            review = _decide(decisions, entry, lines, past.get(entry.item_id, []))
        except _Refusal as refusal:
            refused.append(Problem(file, f"entry {number} ({entry.item_id})", str(refusal)))
            continue
        before += review is None
        new += [review] if review else []
    return new, before, refused


def _decide(decisions: Decisions, entry: Entry, lines: _Lines, past: Sequence[Review]) -> Review | None:
    """Carries one decision out on its line; None where it is recorded already.

    Raises:
        _Refusal: the line is as it was.
    """
    if entry.item_id not in lines.items:
        raise _Refusal(f"is no item of {lines.domain.key}; make the page anew, or mend the id")
    place, line = lines.items[entry.item_id]
    current = lines.versions(line) == (entry.question_version, entry.answer_version)
    last = past[-1] if past else None
    same = [review for review in past if _says(review, decisions, entry)]
    if any(review.decided_at == decisions.saved_at for review in same):
        # Recorded, but perhaps stopped before its line was changed. A later decision about the item outranks it.
        if current and last in same:
            lines.put(place, _changed(entry, lines, place, line)[0])
        return None
    if last in same and _is_carried_out(entry, line, last, current=current):
        return None  # the page was saved again with more decisions in it
    if last is not None and last.decided_at >= decisions.saved_at:
        raise _Refusal(
            f"{last.reviewer or 'somebody'} decided {last.decision} about it at {last.decided_at:%Y-%m-%d %H:%M} UTC, "
            "after this file was saved; make the page anew and decide again"
        )
    if not current:
        raise _Refusal("its question or gold has changed since the page was made; make the page anew and decide again")
    if line.status == "retired":
        raise _Refusal("was retired since the page was made; set its status in the items file to bring it back")
    text, after = _changed(entry, lines, place, line)
    if entry.decision is Decision.CORRECT and _words(after) == _words(line):
        raise _Refusal("is to be corrected, and nothing of it is changed; give other words, or decide accept")
    lines.put(place, text)
    return Review(
        item_id=entry.item_id,
        decision=entry.decision,
        note=entry.note or None,
        reviewer=decisions.reviewer,
        question_before=line.question,
        answer_before=line.answer,
        question_after=entry.question,
        answer_after=entry.answer,
        decided_at=decisions.saved_at,
    )


def _says(review: Review, decisions: Decisions, entry: Entry) -> bool:
    """Whether the review is this decision of this reviewer, whenever it was saved."""
    return (review.decision, review.note, review.reviewer, review.question_after, review.answer_after) == (
        entry.decision,
        entry.note or None,
        decisions.reviewer,
        entry.question,
        entry.answer,
    )


def _is_carried_out(entry: Entry, line: ItemLine, review: Review, *, current: bool) -> bool:
    """Whether the line is as the decision would leave it, and its words are those that were reviewed."""
    if line.status != _STATUS[entry.decision]:
        return False
    if entry.decision is Decision.CORRECT:
        return all((getattr(line, key) or ()) == value for key, value in entry.changes.items())
    return current and (line.question, line.answer) == (review.question_before, review.answer_before)


def _changed(entry: Entry, lines: _Lines, place: int, line: ItemLine) -> tuple[str, ItemLine]:
    """The line with the decision carried out, as text and as an item.

    Raises:
        _Refusal: when it would be no valid line.
    """
    wanted = {"status": _STATUS[entry.decision]} | entry.changes
    changes = {key: value for key, value in wanted.items() if (getattr(line, key) or ()) != value}
    text = with_values(lines.text(place), changes)
    try:
        return text, parse_line(text, lines.bank.spec.format)
    except LineFault as fault:
        raise _Refusal(f"as corrected it is no valid item: {fault}") from None


def _words(line: ItemLine) -> tuple[object, ...]:
    return line.question, line.answer, line.aliases or ()
