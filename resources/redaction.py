"""Takes secrets out of any text that leaves the process: tables, logs, error texts, the terminal."""

import base64
import json
import math
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

SHORTEST_SECRET = 6


class Redactor:
    """Replaces secrets, however they are escaped or encoded, with "[redacted]".

    Secrets under six characters are left alone: they would blank ordinary words.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = {form for secret in secrets if len(secret) >= SHORTEST_SECRET for form in _written_forms(secret)}
        longest_first = sorted(forms, key=len, reverse=True)
        listed = "|".join(re.escape(form) for form in longest_first)
        self._pattern = re.compile(rf"(?:\b(?i:bearer)(?:\s|%20|\+)+)?(?:{listed})") if forms else None

    def text(self, text: str) -> str:
        """`text` without the secrets."""
        return text if self._pattern is None else self._pattern.sub("[redacted]", text)


def _written_forms(secret: str) -> Iterator[str]:
    yield secret
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    for quoted in (quote(secret, safe=""), quote(secret), quote_plus(secret)):
        yield quoted
        yield re.sub("%..", lambda escape: escape.group().lower(), quoted)
    plain = secret.encode()
    for before in range(3):
        # Within a longer text the secret starts at any of three places of a base64 group;
        # only the characters that it alone decides are the same in all texts.
        encoded = base64.b64encode(bytes(before) + plain).decode()
        core = encoded[math.ceil(before * 4 / 3) : (before + len(plain)) * 4 // 3]
        yield core
        yield core.translate(str.maketrans("+/", "-_"))
