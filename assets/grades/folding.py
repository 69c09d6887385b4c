"""Text as the matcher reads it: cleaned, cut into tokens, and folded (Unicode, case, articles, punctuation).

What a token is worth as a number or date belongs in `values`.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

# A longer answer is read at both ends: nothing this long is a short answer, and grading must stay quick.
LONGEST_READ = 20_000

ARTICLES = frozenset({"a", "an", "the"})


class Kind(StrEnum):
    WORD = "word"
    NUMBER = "number"
    PUNCT = "punct"


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a chain that holds digits, or one punctuation mark.

    `text` is folded, `raw` is as written; `soft` says that no white space parts it from the token before;
    `possessive` that an 's stood behind it.
    """

    kind: Kind
    text: str
    raw: str
    soft: bool
    possessive: bool = False

    @property
    def capital(self) -> bool:
        return self.raw[:1].isupper()


def word_set(listed: str) -> frozenset[str]:
    """Words listed with spaces between them."""
    return frozenset(listed.split())


_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SUPERSCRIPT = re.compile(r"(?<=[0-9])([⁺⁻]?[⁰¹²³⁴-⁹]+)")
_SUPERSCRIPT_DIGITS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_VULGAR = re.compile(r"(?<=[0-9])(?=[¼½¾⅐-⅞])")
_SPELLING = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʹʼ＇", "'"),
        **dict.fromkeys("“”„‟«»″＂", '"'),
        **dict.fromkeys("‐‑﹣－", "-"),
        **dict.fromkeys("‒–", "–"),
        **dict.fromkeys("—―", "—"),
        "⁄": "/",
        "…": ". ",
        "\u2028": "\n",
        "\u2029": "\n",
    }
)
_LATEX = re.compile(r"\\(?:boxed|text|textbf|textit|mathrm|mathbf|mathit|operatorname)\s*\{|\\[,;:! ()\[\]]")
_LATEX_TIMES = re.compile(r"\\(?:times|cdot)(?![a-z])")
_LATEX_MONEY = re.compile(r"\$(-?[0-9][0-9.,]*)\$")
_LATEX_EXPONENT = re.compile(r"\^\s?\{\s?([+-]?[0-9]{1,6})\s?\}")
_EXPONENT_SIGN = re.compile(r"(?<=[0-9])[eE]\+?(?=-?[0-9])")
_NARROW_GROUP = re.compile(r"(?<=[0-9])[\u00a0\u2009\u202f](?=[0-9]{3}(?![0-9]))")
_GROUPED = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?: [0-9]{3})*(?: [0-9]{3} [0-9]{3}| 000)(?![0-9])")
_RATIO = re.compile(r"(?<=[0-9]) : (?=[0-9])")
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_EMPHASIS = re.compile(
    r"\*{2,3}(?![0-9])|(?<![0-9])\*{2,3}|(?<![\s0-9])\*|\*(?![\s0-9])"
    r"|(?<![^\W_])_{1,3}(?=\w)|(?<=\w)_{1,3}(?![^\W_])|~~|`"
)

_TOKEN = re.compile(r"(?P<chain>[^\W_]+(?:[-.,'/:][^\W_]+)*)(?P<sign>(?:\+\+?|#)(?![^\W_]))?|(?P<punct>[^\w\s]|_|\n)")
_DIGIT = re.compile(r"\d")
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")
# Chains with digits that stay whole: numbers with a suffix, dates, times, versions, section numbers.
_WHOLE = re.compile(
    r"[0-9]{1,3}(?:[,'][0-9]{3})+(?:\.[0-9]+)?[^\W\d_]*"
    r"|[0-9]+(?:\.[0-9]+)?e-?[0-9]+"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[tT][0-9:.]+[zZ]?)?"
    r"|[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{1,4}"
    r"|[0-9]+(?::[0-9]+)+(?:[ap]m)?"
    r"|[^\W\d_]{0,2}[0-9]+(?:\.[0-9]+)*[^\W\d_]*"
    r"|[0-9]{2,4}'s"
    r"|[0-9]+(?:-[0-9]+){2,}[^\W\d_]?"
    r"|[0-9]+-[0-9]+[^\W\d_]"
    r"|[0-9]+[^\W\d_]+-[0-9]+"
)
_TWO_NUMBERS = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?[^\W\d_]*-[0-9][0-9,]*(?:\.[0-9]+)?[^\W\d_]*")

_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŋ": "n"}
)


def without_thoughts(text: str) -> str:
    """What stands behind a reasoning block that a model's template left in its answer."""
    return text.rpartition("</think>")[2]


def clean(text: str) -> str:
    """Text without invisible characters, emphasis and LaTeX wrappers, in compatibility form (NFKC)."""
    if len(text) > LONGEST_READ:
        text = text[: LONGEST_READ // 2] + "\n" + text[-LONGEST_READ // 2 :]
    text = text.replace("\r\n", "\n")
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
        text = _SUPERSCRIPT.sub(lambda found: "^" + found[1].translate(_SUPERSCRIPT_DIGITS), text)
        text = _VULGAR.sub(" ", text)
        text = _NARROW_GROUP.sub("", text.translate(_SPELLING))
        text = unicodedata.normalize("NFKC", text).translate(_SPELLING)
        text = _OTHER_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text)
    text = _CONTROL.sub(" ", text)
    if "\\" in text:
        text = _LATEX_TIMES.sub("×", _LATEX.sub(" ", text))
        text = text.replace("\\%", "%").replace("\\$", "$")
    text = _EXPONENT_SIGN.sub("e", text)
    text = _RATIO.sub(":", text)
    text = _GROUPED.sub(lambda found: found[0].replace(" ", ""), text)
    text = _LATEX_EXPONENT.sub(r"^\1", _LATEX_MONEY.sub(r"\1", text))
    return _EMPHASIS.sub("", text)


def fold(text: str) -> str:
    """One word without case, accents and ligatures."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in plain if not unicodedata.combining(mark)).translate(_LETTERS)


def tokens(cleaned: str) -> list[Token]:
    """All tokens of a cleaned text, punctuation and line breaks among them."""
    found: list[Token] = []
    end = -1
    for match in _TOKEN.finditer(cleaned):
        soft = match.start() == end
        end = match.end()
        if (mark := match["punct"]) is not None:
            found.append(Token(Kind.PUNCT, mark, mark, soft))
            continue
        chain = match["chain"]
        if chain.isalpha():
            found.append(Token(Kind.WORD, fold(chain), chain, soft))
        else:
            found.extend(_split(chain, soft))
        if sign := match["sign"]:
            last = found[-1]
            if last.kind is Kind.WORD:
                found[-1] = Token(Kind.WORD, last.text + sign, last.raw + sign, last.soft)
            else:
                found.append(Token(Kind.PUNCT, sign, sign, True))
    return found


def _split(chain: str, soft: bool) -> Iterator[Token]:
    """A chain without white space as tokens: words are parted at every link, numbers only where they must be."""
    has_digit = _DIGIT.search(chain) is not None
    if has_digit and _WHOLE.fullmatch(chain):
        yield Token(Kind.NUMBER, fold(chain.replace("'", "")), chain, soft)
        return
    if not has_digit and _INITIALS.fullmatch(chain):
        yield Token(Kind.WORD, fold(chain.replace(".", "")), chain, soft)
        return
    order = "-,:/." if _TWO_NUMBERS.fullmatch(chain) else ",:/.-"
    link = next((mark for mark in order if mark in chain), None)
    if link is None:
        kind = Kind.NUMBER if has_digit else Kind.WORD
        yield Token(kind, fold(chain.replace("'", "")), chain, soft, chain[-2:] in ("'s", "'S"))
        return
    for number, part in enumerate(chain.split(link)):
        if number:
            yield Token(Kind.PUNCT, link, link, True)
        yield from _split(part, soft or number > 0)


def words_of(read: Sequence[Token]) -> list[str]:
    """Folded words and numbers without punctuation."""
    return [token.text for token in read if token.kind is not Kind.PUNCT]
