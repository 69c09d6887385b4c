"""Reading one document of any format, in this process and for as long as it takes; `extract.py` bounds it."""

from assets.sources.document import Document, Extracted, Kind, Unreadable, UnreadableError
from assets.sources.kinds import kind_of

LARGEST_MB = 64
_SMALLEST_SHARE_OF_LETTERS = 0.25


def read(document: Document) -> Extracted | Unreadable:
    """The document's text with its structure, or why there is none."""
    try:
        if not document.content.strip():
            raise UnreadableError("is empty", "give a document with text")
        if len(document.content) > LARGEST_MB * 1_000_000:
            size = len(document.content) // 1_000_000
            raise UnreadableError(f"is {size} MB large, and {LARGEST_MB} MB at most are read", "split it")
        extracted = _read(document)
        _must_hold_words(extracted.text)
    except UnreadableError as error:
        return error.unreadable
    except RecursionError:
        return Unreadable("nests deeper than can be read", "give it with fewer levels")
    except MemoryError:
        return Unreadable("needs more memory than it may", "split it")
    return extracted


def _read(document: Document) -> Extracted:
    """Each format's library is imported only where it is needed."""
    kind, text = kind_of(document)
    if kind is Kind.PDF:
        from assets.sources.pdf_files import read_pdf

        return read_pdf(document.content)
    if kind is Kind.DOCX:
        from assets.sources.word_files import read_docx

        return read_docx(document.content)
    if kind is Kind.HTML:
        from assets.sources.html_pages import read_html

        return read_html(text)
    if kind is Kind.XML:
        from assets.sources.xml_files import read_xml

        return read_xml(text)
    if kind is Kind.MARKDOWN:
        from assets.sources.markdown_files import read_markdown

        return read_markdown(text)
    if kind in (Kind.JSON, Kind.JSON_LINES):
        from assets.sources.json_files import read_json, read_json_lines

        return read_json(text) if kind is Kind.JSON else read_json_lines(text)
    from assets.sources.plain_text import read_text

    return read_text(text)


def _must_hold_words(text: str) -> None:
    marks = sum(map(len, text.split()))
    letters = sum(map(str.isalnum, text))
    if letters < _SMALLEST_SHARE_OF_LETTERS * marks or not letters:
        raise UnreadableError("holds no words", "give a document with text, or run text recognition over it first")
