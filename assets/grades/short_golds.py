"""Golds that stand in prose by accident: letters, symbols, yes and no, names that are function words ("The Who").

They count only where an answer stands, or where a capital shows that the word is a name.
"""

from collections.abc import Iterator, Sequence

from assets.grades.folding import ARTICLES, Kind, Token, word_set
from assets.grades.standing import Place

FUNCTION_WORDS = word_set(
    "a i am an as at be by do for go he her him his how if in is it its me my no none not of off on or our out she "
    "so some that the them then they this to too up us was we what when where which who why with yes you your all any "
    "are been but can did has have had just like more most new now only other their there these those very true false "
    "both neither either and than because while also each every"
)
_LEADS = word_set("is was are were be its answer called named say : = — – , ;") | {"\n"}
_ENDS = frozenset(".,;:!?)\n—–\"'")
_OPENING = frozenset("\"'(*")
_OPPOSITES = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
_PRONOUNS = word_set("it he she they that there this you we i")
_TIES = frozenset("-'#+/.")


def short_form(read: Sequence[Token]) -> str | None:
    """The one short word, as written, that a gold consists of; None for every other gold."""
    words = [token for token in read if token.kind is not Kind.PUNCT]
    content = [token for token in words if token.text not in ARTICLES] or words
    if len(content) != 1 or content[0].kind is not Kind.WORD:
        return None
    short = content[0].text in FUNCTION_WORDS or (len(words) == 1 and len(content[0].text) <= 2)
    return content[0].raw.replace(".", "") if short else None


def short_places(gold: str, read: Sequence[Token]) -> Iterator[Place]:
    """Where a short gold stands as an answer or as a name."""
    folded = gold.lower()
    words = [
        at for at, token in enumerate(read) if token.kind is not Kind.PUNCT and token.text not in ARTICLES - {folded}
    ]
    if words and read[words[0]].text == _OPPOSITES.get(folded):
        return
    if len(words) == 1 and read[words[0]].text == folded:
        yield Place(words[0], words[0])
        return
    by_case = gold[:1].isupper() and folded not in _OPPOSITES
    for at in words:
        token = read[at]
        if token.text != folded or (by_case and token.raw.replace(".", "") != gold):
            continue
        if _stands_alone(read, at) or _is_symbol(read, at, gold):
            yield Place(at, at)


def _stands_alone(read: Sequence[Token], at: int) -> bool:
    """Whether a word stands where an answer stands: at the start or behind a copula, and before a pause."""
    start = at
    while start and (read[start - 1].text in ARTICLES or read[start - 1].text in _OPENING):
        start -= 1
    before = read[start - 1].text if start else "\n"
    behind = read[at + 1] if at + 1 < len(read) else None
    after = read[at + 2] if at + 2 < len(read) else None
    if behind is not None and behind.text in (".", "'") and behind.soft and after is not None and not after.capital:
        # an abbreviated name (E. coli), a possessive
        return after.kind is not Kind.WORD
    if behind is None or behind.text in _ENDS:
        return before in _LEADS or (before in _ENDS and before != ",")
    return start == 0 and (behind.text == "(" or (read[at].text in ("yes", "no") and behind.text in _PRONOUNS))


def _is_symbol(read: Sequence[Token], at: int, gold: str) -> bool:
    """Whether a capital stands as a name, not as an initial, an article or a pronoun: "vitamin C", "Au", "The Who"."""
    before = read[at - 1] if at else None
    behind = read[at + 1] if at + 1 < len(read) else None
    behind_word = before is not None and before.kind is Kind.WORD
    before_capital = before is not None and before.capital
    if gold in ("A", "I") or (len(gold) == 1 and gold not in ("a", "i") and not gold.isupper()):
        return behind_word and (behind is None or behind.text in _ENDS)
    if not gold[:1].isupper():
        return False
    named = behind_word or (before is not None and before.text in _OPENING | {","})
    if gold.lower() in FUNCTION_WORDS and not (named and read[at].raw == gold):
        return False
    if before is not None and read[at].soft and before.text in _TIES | {"°"}:
        return False
    if behind is None or not behind.soft or behind.text not in _TIES:
        return True
    after = read[at + 2] if at + 2 < len(read) else None
    initial = after is not None and after.kind is Kind.WORD and (not after.capital or before_capital)
    return behind.text == "." and not initial
