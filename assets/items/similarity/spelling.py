"""One form for a word's spellings, and whether two words are one with a slip of the finger."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from assets.items.similarity.ordinary import ORDINARY
from assets.items.similarity.vocabulary import FILLERS, KINDS, SYNONYMS

_BRITISH = [
    (re.compile(pattern), american)
    for pattern, american in (
        (r"(?<=[bcdglmnprtv])our(?=(?:s|ed|ing|ite|ites|able|al|hood|hoods|er|ers|less|ful)?$)", "or"),
        (r"(?<=behavi)our|(?<=savi)our", "or"),
        (r"(cent|theat|met|lit|fib|sab|calib|spect|lust|somb)re(s|d)?$", r"\1er\2"),
        (r"(?<=[a-z]{4})is(?=(?:e|ed|es|er|ers|ing|ation|ations)$)", "iz"),
        (r"(?<=(?:ana|ara|ata|rol|dia)l)ys(?=(?:e|ed|es|er|ing)$)", "yz"),
        (
            r"(travel|label|model|cancel|level|signal|fuel|counsel|channel|jewel|marvel|total|equal|dial|tunnel|panel"
            r"|rival|quarrel|shovel|parcel|initial)l(?=(?:ed|ing|er|ers|or|ors)$)",
            r"\1",
        ),
        (r"(catal|dial|anal|monol|epil)ogue", r"\1og"),
        (r"(def|off|lic|pret)enc(?=es?$)", r"\1ens"),
        (r"sulph", "sulf"),
        (r"(?:^|(?<=an))aesth", "esth"),
        (r"ae(?=m|d|col|sar|sium|o[lg]|ces|cum|tiol)", "e"),
        (r"(?<=^)oe(?=st|so|d)|oe(?=t[ua]|liac|b[ai]|uv|a$)", "e"),
        (r"^aluminium$", "aluminum"),
        (r"^programme", "program"),
        (r"^grey", "gray"),
        (r"^tyre", "tire"),
        (r"^plough", "plow"),
        (r"^mould", "mold"),
        (r"^(judg|acknowledg)ement", r"\1ment"),
        (r"^ageing$", "aging"),
        (r"^jewellery$", "jewelry"),
        (r"^(fulfil|enrol|instal|skil)(?=$|s$|ment|ful)", r"\1l"),
        (r"^artefact", "artifact"),
        (r"^aeroplane", "airplane"),
        (r"^(learn|spel|burn|dream)t$", r"\1ed"),
        (r"^moustache", "mustache"),
    )
]
_SHORTEST_TYPO = 6
_SHORTEST_STRANGE_TYPO = 7
# From so many questions on, a lower-case word of the corpus counts as an ordinary one; a slip stands in
# two, or in a fiftieth of those that have the word.
_OFTEN = 10
_FEW = 2
_RARER = 0.02
_VOWELS = "aeiouy"
_ILL_FORMED = re.compile(rf"[^{_VOWELS}\W\d]{{5}}|(.)\1\1|q(?!u)|^[^{_VOWELS}]+$|[^{_VOWELS}\W\d]{{4}}$")
# Endings that make other terms of one stem: sulfate and sulfite, lessor and lessee, ethanol and ethanal.
_ENDINGS = re.compile(
    r"(?:ate|ite|ide|ine|ane|ene|yne|one|ose|ase|ole|nol|nal|yl|ic|ous|us|um|or|er|ee|ar|al|(?<!i)on|in|an|ia|ism|ist|ary|ery"
    r"|ent|ant|ble|ical)$"
)
# Words of chemistry and medicine, where a letter makes another substance: insulin and inulin, cystine and cysteine.
_TERMS = re.compile(r"(?:ine?|ate|ite|ide|[aeoy]ne|ose|ase|ol|yl|ium|itis|osis|emia|oid|[io]us|ic|al|gen|ole|ril)$")


@lru_cache(maxsize=65_536)
def canonical(word: str) -> str:
    """A folded word in American spelling, in the singular, as the first of its synonyms."""
    if word in SYNONYMS:
        return SYNONYMS[word]
    spelled = american(word)
    if spelled in SYNONYMS:
        return SYNONYMS[spelled]
    single = singular(spelled)
    return SYNONYMS.get(single, single)


def american(word: str) -> str:
    """American for British spelling; other words stay, or change to something that is no other word."""
    if len(word) < 4 or not word.isascii():
        return word
    for pattern, spelled in _BRITISH:
        word = pattern.sub(spelled, word)
    return word


def singular(word: str) -> str:
    """A word without its plural ending."""
    if len(word) < 4 or word[-1] != "s" or word.endswith(("ss", "us", "is")) or word == "news":
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses", "zes")) else word[:-1]


@dataclass(frozen=True, slots=True)
class Slip:
    """The one edit between two words: where it stands in the longer, and whether two letters changed places."""

    at: int
    length: int
    swapped: bool
    replaced: bool

    @property
    def inside(self) -> bool:
        """Whether it leaves the start and the ending alone."""
        return 1 <= self.at < self.length - 2


def slip(one: str, other: str) -> Slip | None:
    """The edit, where two words are one insertion, deletion, replacement or swap of neighbours apart."""
    if one == other or abs(len(one) - len(other)) > 1:
        return None
    if len(one) > len(other):
        one, other = other, one
    at = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return Slip(at, len(other), False, False) if one[at:] == other[at + 1 :] else None
    if one[at + 1 :] == other[at + 1 :]:
        return Slip(at, len(other), False, True)
    swapped = one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]
    return Slip(at, len(other), True, False) if swapped else None


def is_typo(one: str, other: str, seen: Mapping[str, int], *, names_marked: bool) -> bool:
    """Whether two lower-case words are one, misspelled in one of the questions.

    Args:
        one, other: folded words that only one of two questions has.
        seen: in how many questions of the corpus a word stands.
        names_marked: whether the questions write names with a capital, so that neither word is one.
    """
    if one[0] != other[0]:
        return False
    found = slip(one, other)
    if found is None or (_known(one, other, seen) and _known(other, one, seen)):
        return False
    ordinary = max((word for word in (one, other) if _written_often(word)), key=len, default="")
    if ordinary:
        # Of the shorter words only function words, which no name resembles by chance in both questions.
        small = len(ordinary) < _SHORTEST_TYPO
        if small and (found.replaced or min(len(one), len(other)) < 4 or ordinary not in FILLERS | KINDS.keys()):
            return False
        return not _other_term(one, other, found)
    if found.length < _SHORTEST_TYPO or _other_term(one, other, found):
        return False
    if max(seen.get(one, 0), seen.get(other, 0)) >= _OFTEN and not found.replaced and found.inside:
        return True
    if found.length < _SHORTEST_STRANGE_TYPO:
        return False
    if found.inside and (found.swapped or (names_marked and not found.replaced and not _TERMS.search(one))):
        return True
    return bool(_ILL_FORMED.search(one)) != bool(_ILL_FORMED.search(other))


def _written_often(word: str) -> bool:
    spelled = american(word)
    lists = (ORDINARY, SYNONYMS, KINDS, FILLERS)
    return any(form in listed for form in (word, spelled, singular(spelled)) for listed in lists)


def _known(word: str, other: str, seen: Mapping[str, int]) -> bool:
    """Whether a word stands in the corpus in its own right: the same slip happens more than once to a frequent word."""
    if _written_often(word):
        return True
    return seen.get(word, 0) > max(_FEW, seen.get(other, 0) * _RARER)


def _other_term(one: str, other: str, found: Slip) -> bool:
    """Whether the edit makes another term of the same stem; -er for -or makes none."""
    if found.at < found.length - 4 or found.swapped:
        return False
    endings = [match[0] for word in (one, other) if (match := _ENDINGS.search(word))]
    return len(endings) == 2 and endings[0] != endings[1] and set(endings) != {"er", "or"}
