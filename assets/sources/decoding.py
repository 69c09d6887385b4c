"""Bytes into characters: what encoding a document is in. Formats that say so inside themselves (PDF, DOCX) need none.

Tried in this order: a byte order mark, UTF-8 where the bytes are plainly that, the declared charset, the one in the
document's own head, UTF-16 by its zero bytes, UTF-8 with few faults, and at last what the bytes look like.
"""

import codecs
import re

from assets.sources.document import UnreadableError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_IN_HEAD = re.compile(
    rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)|<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.I
)
_IN_MEDIA_TYPE = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]+)""", re.I)

# What the web means by these labels (WHATWG Encoding): supersets that also hold what authors really wrote.
_MEANT = {
    **dict.fromkeys(("ascii", "iso8859-1"), "cp1252"),
    **{"iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874"},
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **{"shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs", "utf-16": "utf-16-le", "utf-32": "utf-32-le"},
}
# Python also knows codecs that are no charset (unicode_escape, idna, …) and must not be chosen by a server.
_CHARSET = re.compile(
    r"utf-(8|16|32)(-[lb]e)?|utf-8-sig|(cp|iso8859-)\d+|koi8-[rtu]|mac-\w+|(iso2022|euc|shift)_\w+|ascii|"
    r"gb\w+|big5\w*|johab|hz|tis-620|kz1048|ptcp154"
)

# Among these the bytes themselves can tell; among all that exist, curly quotes become Central European letters.
_GUESSED = [
    "cp1252",
    "cp1250",
    "cp1251",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
    "cp1257",
    "koi8_r",
    "cp932",
    "euc_jp",
    "iso2022_jp",
    "gb18030",
    "big5",
    "euc_kr",
]
_GUESSED_FROM_BYTES = 200_000
_LARGEST_MESS = 0.2


def decode(content: bytes, media_type: str = "") -> str:
    """The characters of `content`; `media_type` may carry a charset.

    Raises:
        UnreadableError: when no encoding fits.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, errors="replace")
    declared = _charset(match[1] if (match := _IN_MEDIA_TYPE.search(media_type)) else "")
    head = _IN_HEAD.search(content[:4096])
    in_head = _charset((head[1] or head[2]).decode("ascii", "replace") if head else "")
    # Pages are served as Latin-1 by habit. Bytes that are valid UTF-8 beyond ASCII are never anything else.
    if not content.isascii() and b"\0" not in content:
        declared_first = ("utf-8", declared, in_head)
    else:
        declared_first = (declared, in_head)
    for encoding in (*declared_first, _utf_16_without_mark(content), "utf-8"):
        if encoding and (text := _strictly(content, encoding)) is not None:
            return text
    return _with_few_faults(content, "utf-8" in (declared, in_head)) or _guessed(content)


def _charset(label: str) -> str | None:
    try:
        name = codecs.lookup(label.strip()).name if label else ""
    except (LookupError, ValueError):
        return None
    return _MEANT.get(name, name) if _CHARSET.fullmatch(name) else None


def _strictly(content: bytes, encoding: str) -> str | None:
    wide = encoding.startswith(("utf-16", "utf-32"))
    if wide and b"\0" not in content:  # every blank and every line break would hold one
        return None
    try:
        text = content.decode(encoding)
    except UnicodeError:
        return None
    return None if wide and "\0" in text else text


def _utf_16_without_mark(content: bytes) -> str | None:
    sample = content[:4096]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) * 5 < len(sample) // 2:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _with_few_faults(content: bytes, declared: bool) -> str | None:
    """UTF-8 with a broken byte here and there, as in pages put together from several sources."""
    text = content.decode("utf-8", errors="replace")
    faults = text.count("\ufffd")
    right = sum(1 for character in text if character > "\x7f") - faults
    return text if faults * 20 <= right or (declared and faults * 1000 <= len(text)) else None


def _guessed(content: bytes) -> str:
    from charset_normalizer import from_bytes

    start = content[:_GUESSED_FROM_BYTES]
    whole_lines = start if len(start) == len(content) else start[: start.rfind(b"\n")] or start
    matches = from_bytes(whole_lines, cp_isolation=_GUESSED, threshold=_LARGEST_MESS)
    ranked = sorted(
        matches,
        key=lambda match: (round(match.chaos, 2), -match.coherence, "cp1252" not in match.could_be_from_charset),
    )
    for match in ranked:
        encoding = "cp1252" if "cp1252" in match.could_be_from_charset else match.encoding
        if (text := _strictly(content, encoding)) is not None:
            return text
    raise UnreadableError("is in no character encoding that can be told", "save it as UTF-8")
