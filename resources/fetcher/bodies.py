"""Reads a body within a limit that counts both what comes over the line and what it unpacks to."""

import zlib
from collections.abc import Iterable

from resources.fetcher.problems import NotFetched, Trouble, failed, refused

_GZIP = 16 + zlib.MAX_WBITS
_GZIP_STARTS = b"\x1f\x8b"


def read_body(chunks: Iterable[bytes], encoding: str, announced: int | None, limit: int) -> bytes:
    """The unpacked body.

    Args:
        chunks: what comes over the line.
        encoding: the Content-Encoding; gzip is the only one that is asked for.
        announced: the Content-Length, which may lie.
        limit: in bytes.

    Raises:
        NotFetched: it is larger than `limit`, or not packed as announced. Nothing is read beyond the limit.
        Trouble: it ended early.
    """
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise failed("the server packed the document in a way that it was not asked for")
    if announced is not None and announced > limit:
        raise _too_large(limit)
    unpacker = _Gzip() if encoding.endswith("gzip") else None
    body = bytearray()
    received = 0
    for chunk in chunks:
        received += len(chunk)
        body += chunk if unpacker is None else unpacker.unpack(chunk, limit - len(body))
        if max(received, len(body)) > limit:
            raise _too_large(limit)
    if unpacker is not None and received and not unpacker.complete:
        raise Trouble("the packed document ended early")
    return bytes(body)


def _too_large(limit: int) -> NotFetched:
    return refused(
        f"it is larger than {limit / 1_000_000:g} MB", "take a smaller document, or put the file into the bank's folder"
    )


class _Gzip:
    """Unpacks bit by bit. One call of zlib turns a kilobyte into a megabyte, so it is told when to stop."""

    def __init__(self) -> None:
        self._member = zlib.decompressobj(_GZIP)

    @property
    def complete(self) -> bool:
        return self._member.eof

    def unpack(self, packed: bytes, room: int) -> bytes:
        """At most one byte more than `room`."""
        unpacked = bytearray()
        while packed:
            if self._member.eof:
                if not packed.startswith(_GZIP_STARTS[: len(packed)]):
                    break  # what some servers pad with
                self._member = zlib.decompressobj(_GZIP)
            try:
                unpacked += self._member.decompress(packed, room + 1 - len(unpacked))
            except zlib.error:
                raise failed("the document is not the gzip that its server calls it") from None
            if len(unpacked) > room:
                break
            packed = self._member.unused_data
        return bytes(unpacked)
