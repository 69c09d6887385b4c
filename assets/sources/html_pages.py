"""Reading HTML: which part of a page is its text, and its title, language and dates.

Nothing is left out by a guess. Libraries that look for the main content by the density of links or the length of lines
drop what matters most here: the paragraphs of a statute that refer to others, and short lists of figures. So only what
the page itself marks as navigation, banner or control is left out, and some noise may stay.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from assets.sources.document import DeclaredDate, Extracted, Kind, UnreadableError
from assets.sources.html_blocks import add_blocks, all_text, words_in
from assets.sources.prose import Outline, one_line

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_FEW_WORDS = 10

_PUBLISHED = (
    "article:published_time",
    "og:article:published_time",
    "datepublished",
    "dcterms.issued",
    "dcterms.available",
    "dc.date.issued",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "dcterms.date",
    "dc.date",
    "dcterms.created",
    "dc.date.created",
    "parsely-pub-date",
    "sailthru.date",
    "publication_date",
    "publish-date",
    "pubdate",
    "date",
)
_MODIFIED = (
    "article:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "last_modified",
    "revised",
)
_NOT_THE_PAGE = {"comment", "review", "event", "person", "organization", "videoobject", "imageobject"}


def read_html(text: str) -> Extracted:
    """The page's text by its headings.

    Raises:
        UnreadableError: when it nests too deeply, or shows nothing before its scripts have run.
    """
    page = parse_html(text)
    outline = Outline()
    main = _main(page)
    add_blocks(main, outline, whole_page=main.tag == "body")
    sections = outline.sections()
    scripts = any("json" not in (script.get("type") or "") for script in page.iter("script"))
    if scripts and sum(words_in(" ".join(part.path) + " " + part.text) for part in sections) < _FEW_WORDS:
        raise UnreadableError(
            "shows no text before its scripts have run", "give an address or a saved file that holds the text itself"
        )
    return Extracted(Kind.HTML, _title(page, main), sections, language_tag(_language(page)), tuple(_dates(page)))


def parse_html(text: str) -> Any:
    """The `html` element.

    Raises:
        UnreadableError: when the page is empty or nests so deeply that the parser would drop the rest of it.
    """
    import lxml.etree
    import lxml.html

    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        page = lxml.html.document_fromstring(text.replace("\0", "").encode("utf-8", "replace"), parser=parser)
    except lxml.etree.ParserError:
        raise UnreadableError("is an empty page", "give a page with text") from None
    except lxml.etree.XMLSyntaxError as error:  # what the parser says when memory runs out
        raise UnreadableError(f"cannot be parsed ({error.msg})", "split it, or save its text as a file") from None
    if any("depth" in entry.message for entry in parser.error_log):
        raise UnreadableError("nests its elements deeper than can be read", "save its text as a file")
    return page


def language_tag(declared: str | None) -> str | None:
    """`declared` where it is a language tag."""
    tag = (declared or "").strip().replace("_", "-")
    return tag if _LANGUAGE.fullmatch(tag) else None


def _main(page: Any) -> Any:
    """The element that holds the page's own text: the one `main`, else the one `article` with most of it, or all."""
    body = page.find("body")
    if body is None:
        return page
    mains = body.xpath(".//main[not(ancestor::main)] | .//*[@role='main'][not(ancestor::main)]")
    if len(mains) == 1 and words_in(all_text(mains[0])):
        return mains[0]
    articles = body.xpath(".//article[not(ancestor::article)]")
    if len(articles) == 1 and words_in(all_text(articles[0])) * 2 > words_in(all_text(body)):
        return articles[0]
    return body


def _title(page: Any, main: Any) -> str | None:
    """The only first-level heading of the text, else what the page's head says."""
    headings = [one_line(all_text(heading)) for heading in main.iter("h1")]
    if len(headings) == 1 and headings[0]:
        return headings[0]
    named = [*page.xpath("//meta[@property='og:title']/@content"), *page.xpath("//head/title/text()")]
    return next((title for title in map(one_line, named) if title), None)


def _language(page: Any) -> str | None:
    declared = page.get("lang") or page.get("xml:lang") or page.get("{http://www.w3.org/XML/1998/namespace}lang")
    metas = {name.lower(): content for name, content in _metas(page)}
    return declared or metas.get("content-language") or metas.get("dcterms.language") or metas.get("og:locale")


def _metas(page: Any) -> Iterator[tuple[str, str]]:
    for meta in page.iter("meta"):
        name = meta.get("property") or meta.get("name") or meta.get("itemprop") or meta.get("http-equiv") or ""
        yield name, meta.get("content") or ""


def _dates(page: Any) -> Iterator[DeclaredDate]:
    """When it was published, then when it was changed; in each, what its head says before what is data in it."""
    metas: dict[str, str] = {}
    for name, content in _metas(page):
        metas.setdefault(name.strip().lower(), content.strip())
    data = list(_linked_data(page))
    for names, key in ((_PUBLISHED, "datePublished"), (_MODIFIED, "dateModified")):
        yield from (DeclaredDate(name, metas[name]) for name in names if metas.get(name))
        yield from (DeclaredDate(f"JSON-LD {key}", entry[key]) for entry in data if isinstance(entry.get(key), str))
        for element in page.xpath(f"//*[@itemprop='{key}'][not(self::meta)]"):
            yield DeclaredDate(key, element.get("datetime") or element.get("content") or one_line(all_text(element)))


def _linked_data(page: Any) -> Iterator[dict[str, Any]]:
    """What JSON-LD says of the page itself: its outer objects and those of a `@graph`."""
    for script in page.xpath("//script[contains(@type, 'ld+json')]"):
        try:
            content = json.loads(all_text(script), strict=False)
        except (ValueError, RecursionError):
            continue
        for entry in content if isinstance(content, list) else [content]:
            graph = entry.get("@graph") if isinstance(entry, dict) else None
            for part in graph if isinstance(graph, list) else [entry]:
                if isinstance(part, dict) and str(part.get("@type")).lower() not in _NOT_THE_PAGE:
                    yield part
