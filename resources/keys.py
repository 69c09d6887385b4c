"""Which ids may be partition keys, and the one codec that turns them into safe path segments and back."""

from urllib.parse import quote, unquote

_ENCODED_LIMIT = 200  # a file name holds 255 bytes, and the segment carries a "domain=" before it


def key_problem(key: str) -> str | None:
    """Why `key` cannot be a partition key, as half a sentence; None when it can.

    Dagster takes a key with `|` and drops it silently, since that joins the two dimensions.
    """
    if not key or key != key.strip():
        return "is empty or has space around it"
    if "|" in key:
        return "holds '|', which joins the two dimensions of a partition"
    if "..." in key:
        return "holds '...', which means a range of partitions"
    if not key.isprintable():
        return "holds a control character"
    if len(encode_key(key)) > _ENCODED_LIMIT:
        return f"is longer than {_ENCODED_LIMIT} characters once encoded"
    return None


def encode_key(key: str) -> str:
    """`key` as one path segment: percent-encoded, and never `.`, `..` or a name with a leading dot."""
    encoded = quote(key, safe=" @+=,()")
    return "%2E" + encoded[1:] if encoded.startswith(".") else encoded


def decode_key(segment: str) -> str:
    return unquote(segment)
