"""What passes between an answer and its judge: the answer as quoted data, and the verdict read back strictly."""

import json
import re
from collections.abc import Mapping

from resources.types import Grade

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# Format characters: zero widths, bidirectional marks and overrides, tags, variation selectors. They change how a text
# reads, or carry text that no person sees.
_FORMAT = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse_verdict(reply: str, labels: Mapping[str, Grade]) -> Grade | None:
    """The grade whose declared label a judge's reply is, white space around it aside; None for everything else.

    Args:
        reply: the judge's whole reply.
        labels: the grade of each label, as the judging prompt's front matter declares them.
    """
    return labels.get(reply.strip())


def quote_for_judge(text: str, limit_bytes: int = 8000) -> str:
    """A model's answer as one JSON string, so that no delimiter, line or instruction in it leaves the quotes.

    Control and invisible characters are dropped. A longer text keeps its beginning and its end, where answers stand,
    and says between them how much was left out.

    Args:
        text: the answer as the model gave it.
        limit_bytes: how many bytes of it are kept, in UTF-8, before quoting and without the mark.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    text = _SURROGATE.sub("\ufffd", _FORMAT.sub("", _CONTROL.sub("", text)))
    encoded = text.encode()
    if len(encoded) > limit_bytes:
        head = encoded[: limit_bytes - limit_bytes // 2].decode(errors="ignore")
        tail = encoded[len(encoded) - limit_bytes // 2 :].decode(errors="ignore")
        left_out = len(text) - len(head) - len(tail)
        text = f"{head} [… {left_out} characters left out …] {tail}"
    return json.dumps(text, ensure_ascii=False)
