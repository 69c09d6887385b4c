"""Whether an English answer says that it does not know, refuses, or asks for context instead of answering."""

import re

from assets.grades.folding import fold

# Only the beginning and the end of a long answer can say that there is none.
_LONGEST_SEARCHED = 2_000

_NOT = r"(?:do not|don't|dont|did not|didn't)"
_CANNOT = (
    r"(?:can ?not|can't|cant|could not|couldn't|am unable to|'m unable to|was unable to|am not able to|'m not able to"
    r"|won't|will not|would not be able to|wouldn't be able to)"
)
_GIVE = (
    r"(?:answer|determine|find|verify|confirm|provide|say|tell|identify|give|locate|recall|remember|access|help|assist"
    r"|comment|share|offer|know|specify|name|pinpoint|think of|be (?:sure|certain)|respond|retrieve|ascertain|fulfill"
    r"|comply|see|browse)"
)
_KNOWLEDGE = (
    r"(?:information|informations|knowledge|data|access|context|details?|answer|idea|clue|recollection|memory|records?)"
)
_MISSING = r"(?:specified|provided|stated|mentioned|disclosed|available)"

_CLAIMS = (
    # I do not know
    rf"i (?:\w+ ){{0,2}}?{_NOT} (?:\w+ )?(?:know|recall|remember)\b",
    rf"(?:^|\band )(?:sorry|well|hmm|honestly|unfortunately)?\W*(?:{_NOT} know|dunno|idk)\b",
    rf"\bi {_NOT} think i know\b|\bi {_NOT} have\W*$",
    r"\b(?:i have|i've got|i got|i've) no (?:idea|clue)\b|^no (?:idea|clue)\b|^(?:nobody|no ?one) knows\b",
    r"\bi(?: am|'m) not (?:\w+ )?(?:aware of|familiar with)\b",
    # I have nothing to go by
    rf"\bi (?:\w+ )?(?:{_NOT} (?:\w+ )?(?:have|possess)|lack|have no|have not been (?:given|provided)) "
    rf"(?:\S+ ){{0,5}}?{_KNOWLEDGE}\b",
    r"\b(?:not enough|insufficient|inadequate|too little) (?:\w+ )?(?:information|data|context|details?|evidence)\b",
    r"\bno (?:\w+ ){0,2}?(?:information|data|details|records?|answer) "
    r"(?:about|on|regarding|available|provided|given|found|is|was|exists|to (?:answer|determine))\b",
    r"^no (?:\w+ )?(?:information|data|answer)\W*$",
    rf"\b(?:is|are|was|were)(?: unspecified|(?: not|n't) (?:\w+ )?{_MISSING})(?: to me)?"
    r"(?: in (?:the|my|this) [^.,]*)?\W*$",
    r"\b(?:document|text|question|context|passage|source|prompt|article) (?:does not|doesn't|did not) (?:\w+ )?"
    r"(?:specify|mention|provide|state|say|contain|include|give)\b",
    r"\b(?:beyond|outside(?: of)?|not within|not in) my (?:\w+ )?(?:knowledge|expertise|area|training|scope)\b",
    r"\bmy (?:\w+ ){0,2}?(?:knowledge|data|training) (?:does not|doesn't|do not|don't|did not) (?:\w+ )?"
    r"(?:include|cover|contain|extend)\b",
    # I cannot answer
    rf"\bi(?: (?:also|simply|really|still|just|currently|therefore|am afraid i))? ?{_CANNOT} (?:\w+ ){{0,2}}?{_GIVE}\b",
    rf"^(?:sorry|unfortunately|apologies)?\W*(?:{_CANNOT}|unable to|not able to) (?:\w+ )?{_GIVE}\b",
    r"\b(?:cannot|can't|can not|could not|couldn't) be (?:\w+ )?"
    r"(?:determined|answered|verified|identified|established|found|confirmed|known)\b",
    r"\b(?:not possible|impossible) (?:for me )?to (?:\w+ )?(?:answer|determine|say|know|tell|identify|provide)\b",
    r"\b(?:question|this) (?:is|cannot be) unanswerable\b",
    r"\b(?:correct|exact|the) answer is (?:unknown|not known|unclear)\b",
    # I will not
    r"\b(?:rather not|will not|won't|refuse to|can't|cannot|hesitant to) (?:guess|speculate)\b",
    r"^i (?:must |would |will |have to )?(?:abstain|decline|refuse|pass|give up)\b",
    # give me more
    r"\b(?:please|could you|can you|kindly) (?:please )?(?:provide|clarify|specify|share|give)\b",
    r"\b(?:need|require|without|needs) (?:\w+ )?(?:more|additional|further) (?:\w+ )?"
    r"(?:context|information|details?|clarification)\b",
    r"\bi (?:would|'d) (?:need|have) to (?:look|check|consult|search|research)\b",
    r"\b(?:question|this) requires access to\b.*\bi (?:do not|don't|cannot|can't)\b",
)
_CLAIM = re.compile("|".join(_CLAIMS))
_WHOLE = re.compile(
    r"\W*(?:(?:final )?answer\W+)?(?:(?:it|this|that|the answer) (?:is|was) |it's )?"
    r"(?:unknown(?: to me)?|n/a|n\.a\.?|not available|not applicable|no answer|pass|skip|unsure|uncertain|hard to say"
    r"|not (?:sure|certain|known|specified|provided|stated|mentioned|given|answerable)|unanswerable|undetermined"
    r"|indeterminate|unspecified|unclear|dunno|idk|no comment|i (?:pass|abstain|give up)|withheld|don't know)\W*"
)
# Doubt and disclaimers: no abstention where an answer follows.
_DOUBT = re.compile(
    r"\bnot (?:\w+ |100% )?(?:sure|certain|confident|positive)\b|\bunsure\b|\bi(?: am|'m) uncertain\b"
    rf"|\b{_NOT} (?:know|recall|remember) (?:\w+ )?(?:for (?:sure|certain)|exactly|with certainty)\b"
    r"|\b(?:real-time|up-to-date|current|latest|live|recent) (?:\w+ )?(?:information|data|access|knowledge|updates)\b"
    rf"|\b{_CANNOT} (?:\w+ )?(?:be (?:sure|certain)|verify|confirm|say for (?:sure|certain)|say with)\b"
)
_DOUBT_ALONE = re.compile(r"\W*(?:i(?: am|'m) )?(?:not (?:\w+ )?(?:sure|certain)|unsure|uncertain)\W*")
_OFFERS = re.compile(r"\bor\b|\?")
_CANDIDATES = re.compile(r"\b(?:or|could|might)\b")
_HEDGED = re.compile(r"\b(?:but|however|think|believe|guess|is|was|it's|probably)\b")
_MUSING = re.compile(r"\b(?:could|might|may|possibly|perhaps|maybe|either|candidates?|or)\b")
_BUT_ASSERTS = re.compile(
    r"\b(?:but|however|yet)\b\W+(?:\S+ ){0,4}?(?:(?:the (?:\w+ )?answer|it|that|this) (?:is|was)|it's|that's)\b"
)
_PAUSE = re.compile(r"(?:\b(?:but|though|although|however|and)|[,;:—–-])\W*$")
_SPEAKER = re.compile(r"\bi(?: am|'m)?\W*$")
_OPINION = re.compile(r"\bi (?:\w+ )?(?:think|believe|guess|say)\b")
_PREAMBLE = re.compile(
    r"\b(?:sorry|apolog\w*|unfortunately|regret\w*|afraid|while|although|as an?|as of|as far|to my|appreciate"
    r"|understand|based on|regarding|honest\w*|question|given|without|since|because|if|well|hmm|let me|i|to)\b"
)
_LAST_WORD = re.compile(
    rf"\b{_NOT} know(?: (?:the|answer|this|that|it|for|sure|to|question|exact|correct)){{0,6}}\W*$"
    rf"|\b(?:{_CANNOT}|unable to) (?:\w+ )?(?:answer|determine|say|tell|provide|give|identify|confirm)"
    r"(?: (?:the|an?|this|that|your|definitive|correct|specific|exact|question|answer|it|with|certainty|you)){0,6}\W*$"
    r"|\b(?:not enough|insufficient) (?:\w+ )?(?:information|data|context)\b"
)
_OTHER_MATTER = re.compile(r"\b(?:more|further|additional|other|anything else|its|their|his|her)\b")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_QUOTED = re.compile(r'"[^"\n]{1,300}"')
# A title may read as an abstention: "I Can't Tell You Why".
_TITLE = re.compile(r"\b(?:[A-Z](?:[a-z'][\w']*)? ){3,12}[A-Z][a-z'][\w']*")
_APOLOGY = re.compile(r"\W*(?:i(?: am|'m) (?:\w+ )?sorry|sorry|apologies|i apologi[sz]e|thank you[^.]*|hi|hello)\W*")


def abstention(cleaned: str) -> str | None:
    """The words by which an answer abstains, or None.

    Plain hedges ("I think", "I'm not certain, but it is Paris") are attempts; who says that they do not know abstains,
    even when candidates follow.

    Args:
        cleaned: the answer as `folding.clean` gives it, without what the gold itself says.
    """
    text = cleaned.strip()
    # "Na" is sodium
    if _WHOLE.fullmatch(fold(text)) and text.strip(" .") != "Na":
        return text
    if len(text) > 2 * _LONGEST_SEARCHED:
        text = text[:_LONGEST_SEARCHED] + "\n" + text[-_LONGEST_SEARCHED:]
    spoken = _TITLE.sub(_masked, _QUOTED.sub(' "" ', text))
    if not re.search(r"\w", spoken):
        return text if _CLAIM.fullmatch(fold(text).strip("\"' .!?")) else None
    sentences = [part for part in _SENTENCE.split(fold(spoken)) if part.strip()]
    while len(sentences) > 1 and _APOLOGY.fullmatch(sentences[0]):
        sentences.pop(0)
    return _in_first(sentences) or _in_last(sentences)


def _masked(title: re.Match[str]) -> str:
    return title[0] if _CLAIM.fullmatch(fold(title[0])) else '""'


def _in_first(sentences: list[str]) -> str | None:
    """An abstention that opens an answer; what follows is musing, unless it asserts after a "but"."""
    first = sentences[0]
    after = " ".join(sentences[1:])
    if doubt := _DOUBT.search(first):
        answered = _answered_before(first[: doubt.start()]) or _answered_behind(f"{first[doubt.end() :]} {after}")
        return None if answered else doubt[0]
    claim = _CLAIM.search(first)
    if claim is None or _answered_before(first[: claim.start()]):
        return None
    behind = f"{first[claim.end() :]} {after}"
    contrast = _BUT_ASSERTS.search(behind)
    if contrast and not _MUSING.search(behind[contrast.start() : contrast.end() + 60]):
        return None
    return claim[0].strip()


def _answered_before(before: str) -> bool:
    """Whether an answer stands before an abstention in its sentence: "It is Paris, but I cannot verify this"."""
    before = _SPEAKER.sub("", before)
    if not _PAUSE.search(before):
        return False
    return _OPINION.search(before) is not None or not _PREAMBLE.search(before)


def _answered_behind(rest: str) -> bool:
    """Whether an answer stands behind a doubt: words that are neither an abstention nor candidates."""
    if len(re.findall(r"\w+", rest)) < 2 or _CLAIM.search(rest):
        return False
    return _HEDGED.search(rest) is not None and not _CANDIDATES.search(rest)


def _in_last(sentences: list[str]) -> str | None:
    """An abstention that ends an answer, as models write it that reason first."""
    if len(sentences) < 2:
        return None
    last = sentences[-1]
    if _DOUBT_ALONE.fullmatch(last) and _OFFERS.search(" ".join(sentences[:-1])):
        return last.strip()
    found = _LAST_WORD.search(last)
    if found and not _OTHER_MATTER.search(last) and len(sentences[0].split()) > 3:
        return found[0]
    return None
