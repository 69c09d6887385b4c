"""When two values are the same answer: by value and unit, by date, and identifiers by their digits."""

from assets.grades.asked import Asked
from assets.grades.dates import Date
from assets.grades.units import Reading
from assets.grades.values import Dates, Quantity, Range, Value

# Two figures for one length in two units ("3.1 miles (5 km)") differ by their rounding at most by this.
_CONVERSION_TOLERANCE = 0.05


def same(gold: Value, found: Value, question: Asked) -> bool:
    """Whether a value of an answer is the gold's, given what the question already says."""
    if isinstance(gold, Quantity):
        if isinstance(found, Quantity):
            return _same_quantity(gold, found, question)
        if isinstance(found, Dates):
            return _is_year_of(gold, found)
        return False
    if isinstance(gold, Dates):
        return isinstance(found, Dates) and any(
            _same_date(one, other, question) for one in gold.readings for other in found.readings
        )
    return (
        isinstance(found, Range)
        and _same_quantity(gold.low, found.low, question)
        and _same_quantity(gold.high, found.high, question)
    )


def same_kind(gold: Value, found: Value) -> bool:
    """Whether a value could stand in the gold's slot: a date for a date, a length for a length."""
    if isinstance(gold, Range):
        return isinstance(found, Range | Quantity)
    if isinstance(found, Range):
        found = found.low
    if isinstance(gold, Dates) or isinstance(found, Dates):
        return all(isinstance(value, Dates) or value.year_like for value in (gold, found))
    if gold.year_like != found.year_like or gold.ordinal != found.ordinal:
        return False
    if not gold.units or not found.units:
        return not gold.units and not found.units
    return bool({dimension for dimension, _ in gold.units} & {dimension for dimension, _ in found.units})


def converted(gold: Value, found: Value) -> bool:
    """Whether the found value is the gold in another unit, up to rounding."""
    if not isinstance(gold, Quantity) or not isinstance(found, Quantity):
        return False
    return any(
        dimension == other
        and factor != part
        and abs(gold.value * factor - found.value * part) <= abs(gold.value * factor) * _CONVERSION_TOLERANCE
        for dimension, factor in gold.units
        for other, part in found.units
    )


def _same_quantity(gold: Quantity, found: Quantity, question: Asked) -> bool:
    if gold.decade != found.decade or not _same_era(gold, found, question):
        return False
    if gold.ordinal != found.ordinal and not (gold.ordinal and question.identifier):
        return False
    if question.identifier and not gold.units:
        return gold.written == found.written and not found.glued
    if gold.units:
        return _same_amount(gold, found, question)
    if found.glued and not (_dimensions(found.units) & _dimensions(question.units)):
        return False
    if found.units and (shared := _dimensions(found.units) & _dimensions(question.units)):
        return any(
            dimension in shared and dimension == other and gold.value * factor == found.value * part
            for dimension, factor in question.units
            for other, part in found.units
        )
    if "percent" in _dimensions(found.units) and not question.share:
        return False
    return gold.value == found.value and _as_precise(gold, found, question)


def _same_amount(gold: Quantity, found: Quantity, question: Asked) -> bool:
    """Compare with the gold's unit; an answer without one takes the unit that the question names."""
    if not found.units:
        implied = bool(_dimensions(gold.units) & _dimensions(question.units))
        implied = implied or ("percent" in _dimensions(gold.units) and question.share)
        return implied and gold.value == found.value
    return any(
        dimension == other and gold.value * factor == found.value * part
        for dimension, factor in gold.units
        for other, part in found.units
    )


def _dimensions(readings: tuple[Reading, ...]) -> set[str]:
    return {dimension for dimension, _ in readings}


def _as_precise(gold: Quantity, found: Quantity, question: Asked) -> bool:
    """3.0 is 3, but a bare 3.1 and 3.10 are two sections or versions, unless an amount was asked."""
    if question.amount or found.units:
        return True
    fractions = [quantity.written.partition(".")[2] for quantity in (gold, found)]
    return not all(fractions) or fractions[0] == fractions[1] or not any(part.strip("0") for part in fractions)


def _same_era(gold: Quantity, found: Quantity, question: Asked) -> bool:
    if gold.before_christ == found.before_christ:
        return True
    return gold.before_christ and bool({"bc", "bce"} & question.words)


def _is_year_of(gold: Quantity, found: Dates) -> bool:
    if gold.units or gold.ordinal or gold.decade:
        return False
    year = -gold.value if gold.before_christ else gold.value
    return any(reading.year == year for reading in found.readings)


def _same_date(gold: Date, found: Date, question: Asked) -> bool:
    """Equal in all that the gold states; a year that the question states may be left out."""
    if gold.month != found.month or (gold.day is not None and gold.day != found.day):
        return False
    if gold.year is None or gold.year == found.year:
        return True
    stated = any(isinstance(value, Quantity) and value.value == gold.year for value in question.values)
    return found.year is None and stated
