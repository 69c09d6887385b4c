"""The seal of a line that a build made: whoever edits the line leaves the seal behind, and the line is theirs then.

It covers all of a line but its split, which `factsweep split` changes, and its evidence, in which it stands.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pydantic import ValidationError

from assets.items.item_lines import ItemLine

_OUTSIDE = {"evidence", "split"}


def sealed_line(content: Mapping[str, Any], excerpt: str) -> str | None:
    """The text of a line with its excerpt and its seal; None where it would be no item."""
    try:
        line = ItemLine.model_validate({key: value for key, value in content.items() if value is not None})
    except ValidationError:
        return None
    whole = line.model_dump(mode="json", exclude_none=True, exclude={"evidence"})
    return json.dumps(whole | {"evidence": {"excerpt": excerpt, "seal": _seal(line)}}, ensure_ascii=False)


def is_sealed(line: ItemLine) -> bool:
    """Whether nobody has edited a line since a build made it."""
    return isinstance(line.evidence, dict) and line.evidence.get("seal") == _seal(line)


def excerpt_of(line: ItemLine) -> str:
    """The sentences that a built line rests on."""
    return str(line.evidence.get("excerpt") or "") if isinstance(line.evidence, dict) else ""


def _seal(line: ItemLine) -> str:
    content = line.model_dump(mode="json", exclude_none=True, exclude=_OUTSIDE)
    return sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:16]
