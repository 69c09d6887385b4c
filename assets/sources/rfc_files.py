"""Reading RFCs in their XML (RFC 7991 and what is left of RFC 7749): numbered sections, references as printed.

Left out are the authors' addresses, the index and the lists of references.
"""

from typing import Any

from assets.sources.document import DeclaredDate, Extracted, Kind
from assets.sources.html_blocks import add_blocks, all_text
from assets.sources.html_pages import language_tag
from assets.sources.prose import Outline, one_line

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_TAGS = {
    **{"t": "p", "artwork": "pre", "sourcecode": "pre", "list": "ul", "note": "aside"},
    **{
        name: name
        for name in [
            "ul",
            "ol",
            "li",
            "dl",
            "dt",
            "dd",
            "table",
            "thead",
            "tbody",
            "tfoot",
            "tr",
            "td",
            "th",
            "aside",
            "blockquote",
            "figure",
            "sup",
            "sub",
            "br",
        ]
    },
    **dict.fromkeys(("iref", "cref", "references", "feedback"), "script"),
}
_NAMED = {"table": "caption", "figure": "p"}
_DEEPEST_HEADING = 20


def read_rfc(root: Any) -> Extracted:
    """The abstract and the numbered sections and appendices of an `rfc` element."""
    front = root.find("front")
    title = one_line(all_text(front.find("title"))) if front is not None and front.find("title") is not None else None
    date = front.find("date") if front is not None else None
    labels = _labels(root)
    outline = Outline()
    abstract = front.find("abstract") if front is not None else None
    if abstract is not None:
        outline.heading(1, "Abstract")
        _add(abstract, outline, labels)
    for part in ("middle", "back"):
        for section in root.iterfind(f"{part}/section"):
            _add_section(section, outline, labels, 1)
    return Extracted(
        Kind.XML,
        title or None,
        outline.sections(),
        language_tag(root.get(_LANG) or root.get("lang")),
        (DeclaredDate("front date", _date(date)),) if date is not None and date.get("year") else (),
    )


def _date(element: Any) -> str:
    """Day, month and year as far as they are given, the month by name or number: `8 June 2022`, `2022-6`."""
    year, month, day = element.get("year"), element.get("month") or "", element.get("day") or ""
    if month.isdecimal():
        return "-".join(filter(None, (year, month, day)))
    return " ".join(filter(None, (day if month else "", month, year)))


def _labels(root: Any) -> dict[str, str]:
    """What a reference to each anchor reads like: `Section 3.2`, `Appendix B`, `Table 4`, `[RFC7230]`."""
    labels: dict[str, str] = {}
    for part, kind in (("middle", "Section"), ("back", "Appendix")):
        _number(root.iterfind(f"{part}/section"), "", kind, labels)
    for kind in ("figure", "table"):
        for number, element in enumerate(root.iter(kind), 1):
            labels[element.get("anchor") or ""] = f"{kind.capitalize()} {number}"
    shown = {each.get("target"): each.get("to") for each in root.iter("displayreference")}
    for reference in root.iter("reference", "referencegroup"):
        anchor = reference.get("anchor") or ""
        labels[anchor] = f"[{shown.get(anchor) or anchor}]"
    return labels


def _number(sections: Any, above: str, kind: str, labels: dict[str, str]) -> None:
    """Number the sections of one level in order, and those below them; the number is kept in the element too."""
    count = 0
    for section in sections:
        if section.get("numbered") in ("no", "false") or section.get("title") == "Index":
            continue
        count += 1
        own = chr(64 + count) if kind == "Appendix" and not above else str(count)
        number = f"{above}.{own}" if above else own
        section.set("number", number)
        labels[section.get("anchor") or ""] = f"{kind} {number}"
        _number(section.iterfind("section"), number, kind, labels)


def _add_section(section: Any, outline: Outline, labels: dict[str, str], level: int) -> None:
    name = section.find("name")
    title = all_text(name) if name is not None else section.get("title") or ""
    number = section.get("number")
    prefix = f"Appendix {number}. " if number and number.isalpha() else f"{number}. " if number else ""
    outline.heading(level, prefix + title)
    inner = section.findall("section")
    for child in inner:
        section.remove(child)
    _add(section, outline, labels)
    for child in inner:
        _add_section(child, outline, labels, min(level + 1, _DEEPEST_HEADING))


def _add(part: Any, outline: Outline, labels: dict[str, str]) -> None:
    """The blocks of `part`, its elements renamed to those of HTML."""
    for element in list(part.iter()):
        name = str(element.tag).rpartition("}")[2]
        if name == "xref":
            element.text = _reference(element, labels)
        elif name == "eref" and not all_text(element).strip():
            element.text = element.get("target")
        elif name == "contact":
            element.text = element.get("fullname")
        elif name == "figure" and element.get("title"):
            element.text = element.get("title")
        above = element.getparent().tag if element.getparent() is not None else ""
        tag = "li" if name == "t" and above == "ul" else _TAGS.get(name, "span")
        if name == "name":
            tag = _NAMED.get(above, "script")
        spans = {key: element.get(key) for key in ("rowspan", "colspan") if element.get(key)}
        element.attrib.clear()
        element.attrib.update(spans)
        element.tag = "div" if element is part else tag
    add_blocks(part, outline)


def _reference(xref: Any, labels: dict[str, str]) -> str:
    """The words in an `xref`, or those that it stands for."""
    if words := one_line(all_text(xref)):
        for child in list(xref):
            xref.remove(child)
        return words
    target = xref.get("target") or ""
    label = labels.get(target, f"[{target}]")
    if xref.get("format") in ("counter", "none"):
        return label.rpartition(" ")[2] if xref.get("format") == "counter" else ""
    section = xref.get("section")
    if not section:
        return label
    where = f"{'Appendix' if section[0].isalpha() else 'Section'} {section}"
    form = xref.get("sectionFormat") or "of"
    return {"comma": f"{label}, {where}", "parens": f"{label} ({where})", "bare": section}.get(
        form, f"{where} of {label}"
    )
