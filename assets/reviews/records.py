"""What people decided about a domain's items: the bank's file `reviews/<domain>.jsonl`, one decision a line.

The file only grows. An item that stands in it is a person's: no build overwrites its line. `applying.py` adds to it.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import polars as pl
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from assets.items.item_lines import LineFault, parse_object
from checks.bank_contracts import REVIEWS
from resources.registries import Bank, Domain, Problem
from resources.registries.problems import RegistryFault, validate
from resources.types import ConfigurationError


class Decision(StrEnum):
    """What a person can decide about an item."""

    ACCEPT = "accept"
    REJECT = "reject"
    DISPUTE = "dispute"
    CORRECT = "correct"


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC)


UtcMoment = Annotated[AwareDatetime, AfterValidator(_utc)]
Filled = Annotated[str, Field(min_length=1)]


class Review(BaseModel):
    """One line: a row of the table `reviews` without bank and domain."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    item_id: Filled
    decision: Decision
    note: str | None = None
    reviewer: str | None = None
    question_before: Filled
    answer_before: Filled
    question_after: str | None = None
    answer_after: str | None = None
    decided_at: UtcMoment

    @property
    def line(self) -> str:
        return self.model_dump_json(exclude_none=True)


def reviews_file(bank: Bank, domain: Domain) -> Path:
    return bank.folder / "reviews" / f"{domain.file.stem}.jsonl"


def read_reviews(bank: Bank, domain: Domain, refused: list[Problem] | None = None) -> list[Review]:
    """The domain's reviews in the order of the file; a missing file is a domain without reviews.

    Args:
        refused: takes what is set aside: lines that are no review, and a second one of an item at one moment.
    """
    file = reviews_file(bank, domain)
    refused = [] if refused is None else refused
    reviews: list[Review] = []
    line_of: dict[tuple[str, datetime], int] = {}
    try:
        raw_lines = file.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        refused.append(Problem(file, "", f"cannot be read ({error.strerror}); restore it or its permissions"))
        return []
    for number, raw in enumerate(raw_lines, 1):
        if not raw.strip():
            continue
        where = f"line {number}"
        try:
            review = validate(Review, parse_object(raw.decode()), file, where)
        except UnicodeDecodeError as error:
            refused.append(Problem(file, where, f"is not UTF-8 at byte {error.start + 1}; save the file as UTF-8"))
        except LineFault as fault:
            refused.append(Problem(file, where, str(fault)))
        except RegistryFault as fault:
            refused += fault.problems
        else:
            first = line_of.setdefault((review.item_id, review.decided_at), number)
            if first == number:
                reviews.append(review)
            else:
                reason = f"item {review.item_id!r} was decided at the same moment in line {first}; remove one of them"
                refused.append(Problem(file, where, reason))
    return reviews


def by_item(reviews: Iterable[Review]) -> dict[str, list[Review]]:
    """Each item's reviews, the earliest first."""
    found: dict[str, list[Review]] = {}
    for review in sorted(reviews, key=lambda review: review.decided_at):
        found.setdefault(review.item_id, []).append(review)
    return found


def reviewed_ids(reviews: Iterable[Review]) -> dict[str, Review]:
    """The last review of each item that has one."""
    return {item_id: own[-1] for item_id, own in by_item(reviews).items()}


def reviews_frame(bank: Bank, domain: Domain) -> pl.DataFrame:
    """The domain's reviews as the table `reviews` holds them."""
    key = {"bank": bank.name, "domain": domain.key}
    return REVIEWS.frame(key | review.model_dump(mode="python") for review in read_reviews(bank, domain))


def protected_ids(bank: Bank, domain: Domain) -> set[str]:
    """Ids of the items that a person has reviewed, which no build may touch.

    Raises:
        ConfigurationError: when a part of the file cannot be read: whom it protects is not known then.
    """
    refused: list[Problem] = []
    reviews = read_reviews(bank, domain, refused)
    if refused:
        raise ConfigurationError(
            f"{refused[0]}. Nothing is built while reviews cannot be read, since what people decided would be lost"
        )
    return set(reviewed_ids(reviews))
