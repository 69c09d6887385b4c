"""Documents that the tests make: PDF written by hand, DOCX by python-docx."""

from base64 import b64decode
from collections.abc import Sequence
from io import BytesIO
from typing import Any, NamedTuple

from assets.sources.document import Document, Extracted
from assets.sources.reading import read


class Words(NamedTuple):
    """A line of a PDF page: where it starts, in points from the lower left corner, and how large it is set."""

    text: str
    y: float
    x: float = 72
    size: float = 10


def lines(*texts: str, top: float = 700, x: float = 72, size: float = 10) -> list[Words]:
    """Lines of one paragraph, each 12 points below the other."""
    return [Words(text, top - 12 * number, x, size) for number, text in enumerate(texts)]


def pdf(*pages: Sequence[Words], info: str = "", bookmarks: Sequence[tuple[str, int]] = (), catalog: str = "") -> bytes:
    """A PDF of these pages; each bookmark has a title and a page, counted from 0."""
    count = len(pages)
    first_page, first_mark = 5, 5 + 2 * count
    kids = " ".join(f"{first_page + 2 * number} 0 R" for number in range(count))
    outlines = "/Outlines 4 0 R" if bookmarks else ""
    last_mark = first_mark + len(bookmarks) - 1
    objects = [
        f"<</Type/Catalog/Pages 2 0 R{outlines}{catalog}>>",
        f"<</Type/Pages/Count {count}/Kids[{kids}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        f"<</Type/Outlines/First {first_mark} 0 R/Last {last_mark} 0 R>>" if bookmarks else "<<>>",
    ]
    for number, page in enumerate(pages):
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>"
            f"/Contents {first_page + 2 * number + 1} 0 R>>"
        )
        shown = "".join(f"BT /F {at.size} Tf {at.x} {at.y} Td ({_escaped(at.text)}) Tj ET\n" for at in page)
        objects.append(f"<</Length {len(shown)}>>stream\n{shown}\nendstream")
    for number, (title, page) in enumerate(bookmarks):
        after = f"/Next {first_mark + number + 1} 0 R" if number < len(bookmarks) - 1 else ""
        objects.append(f"<</Title({title})/Parent 4 0 R/Dest[{first_page + 2 * page} 0 R/Fit]{after}>>")
    objects.append(f"<<{info}>>")
    return _file(objects)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _file(objects: Sequence[str]) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj{body}endobj\n".encode("cp1252")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    out += f"trailer<</Size {len(objects) + 1}/Root 1 0 R/Info {len(objects)} 0 R>>\nstartxref\n{start}\n%%EOF".encode()
    return bytes(out)


def saved(document: Any) -> bytes:
    """A python-docx document as a file."""
    out = BytesIO()
    document.save(out)
    return out.getvalue()


def extracted(content: bytes | str, media_type: str = "", name: str = "") -> Extracted:
    """What reading gives, which must be a text."""
    result = read(Document(content if isinstance(content, bytes) else content.encode(), media_type, name))
    assert isinstance(result, Extracted), str(result)
    return result


def sections(read_document: Extracted) -> list[tuple[tuple[str, ...], str]]:
    return [(section.path, section.text) for section in read_document.sections]


# One page, "A secret sentence.", with the password "open".
LOCKED_PDF = b64decode(
    "JVBERi0xLjcKJeLjz9MKMSAwIG9iago8PAovUHJvZHVjZXIgPDRmYmYzNjJlNzk+Cj4+CmVuZG9iagoyIDAgb2JqCjw8Ci9UeXBlIC9QYWdlcw"
    "ovQ291bnQgMQovS2lkcyBbIDQgMCBSIF0KPj4KZW5kb2JqCjMgMCBvYmoKPDwKL1R5cGUgL0NhdGFsb2cKL1BhZ2VzIDIgMCBSCj4+CmVuZG9i"
    "ago0IDAgb2JqCjw8Ci9UeXBlIC9QYWdlCi9NZWRpYUJveCBbIDAgMCA2MTIgNzkyIF0KL1Jlc291cmNlcyA8PAovRm9udCA8PAovRiA1IDAgUg"
    "o+Pgo+PgovQ29udGVudHMgNiAwIFIKL1BhcmVudCAyIDAgUgo+PgplbmRvYmoKNSAwIG9iago8PAovVHlwZSAvRm9udAovU3VidHlwZSAvVHlw"
    "ZTEKL0Jhc2VGb250IC9IZWx2ZXRpY2EKL0VuY29kaW5nIC9XaW5BbnNpRW5jb2RpbmcKPj4KZW5kb2JqCjYgMCBvYmoKPDwKL0xlbmd0aCA0OQ"
    "o+PgpzdHJlYW0KQT/7xFSMNt2MvutDyCl2BC6JSfXCTk06TO976nCzoxg8Ezuat0FFQ7LAN7xqAhlLSwplbmRzdHJlYW0KZW5kb2JqCjcgMCBv"
    "YmoKPDwKL1YgMgovUiAzCi9MZW5ndGggMTI4Ci9QIDQyOTQ5NjcyOTIKL0ZpbHRlciAvU3RhbmRhcmQKL08gPGVmNjlmZDI5NjU0NGU2ZWU2Zm"
    "VkNjA5NTA4ZTg2N2Y1ZGE5ZmQxNTcxNGI1MjRmMjRiOGE4NWQzYTZkYTc2ODU+Ci9VIDw1Zjk5NjkyMWJlMzA2Y2VjYjliMmFhMTA5NzE5MTYy"
    "NTI4YmY0ZTVlNGU3NThhNDE2NDAwNGU1NmZmZmEwMTA4Pgo+PgplbmRvYmoKeHJlZgowIDgKMDAwMDAwMDAwMCA2NTUzNSBmIAowMDAwMDAwMD"
    "E1IDAwMDAwIG4gCjAwMDAwMDAwNTkgMDAwMDAgbiAKMDAwMDAwMDExOCAwMDAwMCBuIAowMDAwMDAwMTY3IDAwMDAwIG4gCjAwMDAwMDAyOTQg"
    "MDAwMDAgbiAKMDAwMDAwMDM5MSAwMDAwMCBuIAowMDAwMDAwNDkwIDAwMDAwIG4gCnRyYWlsZXIKPDwKL1NpemUgOAovUm9vdCAzIDAgUgovSW"
    "5mbyAxIDAgUgovSUQgWyA8ZjEwZTUxYWE0YmUzN2UzZGQ1YmZkMmVkODliZmVmY2I+IDxmMTBlNTFhYTRiZTM3ZTNkZDViZmQyZWQ4OWJmZWZj"
    "Yj4gXQovRW5jcnlwdCA3IDAgUgo+PgpzdGFydHhyZWYKNzA1CiUlRU9GCg=="
)
