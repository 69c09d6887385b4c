from pathlib import Path

import pytest

from assets.sources.document import DeclaredDate, Document, Unreadable
from assets.sources.reading import read
from tests.sources.made import extracted, sections

HEAD = "<?xml version='1.0' encoding='UTF-8'?>"


def unreadable(content: str) -> str:
    result = read(Document(content.encode(), "application/xml"))
    assert isinstance(result, Unreadable)
    return str(result)


def xml(content: str) -> list[tuple[tuple[str, ...], str]]:
    return sections(extracted(HEAD + content, "application/xml"))


def test_uslm_numbers_stand_before_their_titles_and_clauses() -> None:
    statute = """<title xmlns="http://xml.house.gov/schemas/uslm/1.0"><num>Title 26—</num><heading>TAXES</heading>
        <section><num>§ 61.</num><heading>Gross income</heading>
        <subsection><num>(a)</num><heading>General definition</heading>
        <chapeau>It means all income<footnote>1</footnote>, including:</chapeau>
        <paragraph><num>(1)</num><content>fees;</content></paragraph>
        <paragraph><num>(2)</num><content><p>gains from <i>property</i>.</p></content></paragraph></subsection>
        </section></title>"""
    path = ("Title 26— TAXES", "§ 61. Gross income", "(a) General definition")
    assert xml(statute) == [(path, "It means all income, including:\n\n(1) fees;\n\n(2) gains from property.")]


def test_ecfr() -> None:
    rule = """<DIV5 N="1" TYPE="PART"><HEAD>PART 1—RULES</HEAD><DIV8 N="§ 1.1" TYPE="SECTION"><HEAD>§ 1.1 Scope.</HEAD>
        <P>(a) <I>General.</I> This part applies.</P><P>(b) It ends.</P></DIV8></DIV5>"""
    assert xml(rule) == [(("PART 1—RULES", "§ 1.1 Scope."), "(a) General. This part applies.\n\n(b) It ends.")]


def test_jats() -> None:
    article = """<article xml:lang="en"><front><article-meta><title-group><article-title>On fees</article-title>
        </title-group><pub-date iso-8601-date="2021-07-01"><year>2021</year></pub-date></article-meta></front>
        <body><sec><label>1</label><title>Methods</title><p>We took 10<sup>3</sup> samples:
        <list><list-item><p>one</p></list-item><list-item><p>two</p></list-item></list></p>
        <table-wrap><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></table-wrap></sec></body>
        </article>"""
    document = extracted(HEAD + article)
    assert document.sections[-1].path == ("1 Methods",)
    assert document.sections[-1].text == "We took 10³ samples:\n\n- one\n- two\n\na | b\n1 | 2"
    assert (document.title, document.language) == ("On fees", "en")
    assert document.dates == (DeclaredDate("pub-date", "2021-07-01"),)


@pytest.mark.parametrize(
    "document",
    [
        "<TEI><text><body><div><head>Fees</head><p>They are due.</p></div></body></text></TEI>",
        "<book><chapter><title>Fees</title><para>They are <emphasis>due</emphasis>.</para></chapter></book>",
        "<akomaNtoso><act><body><article><heading>Fees</heading><content><p>They are due.</p></content></article>"
        "</body></act></akomaNtoso>",
    ],
)
def test_titles_of_tei_docbook_and_akoma_ntoso(document: str) -> None:
    assert xml(document) == [(("Fees",), "They are due.")]


def test_fields_of_a_record_keep_their_names() -> None:
    catalogue = (
        "<fees><fee><license>Barber</license><usd>40</usd></fee><fee><license>Guide</license><usd>5</usd></fee></fees>"
    )
    assert xml(catalogue) == [((), "license: Barber\nusd: 40\n\nlicense: Guide\nusd: 5")]


def test_entities_of_the_document_itself_are_read() -> None:
    document = (
        '<!DOCTYPE d [<!ENTITY must "<b>MUST</b>"><!ENTITY dash "&#8212;">]><d><p>It &must; be so &dash; now.</p></d>'
    )
    assert xml(document) == [((), "It MUST be so — now.")]


def test_no_entity_from_outside_is_ever_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET")
    secret = (tmp_path / "secret.txt").as_uri()
    reason = unreadable(f'<!DOCTYPE d [<!ENTITY e SYSTEM "{secret}">]><d>some words &e;</d>')
    assert "refers to the entity 'e', which it does not define" in reason
    assert "SECRET" not in reason
    for document in (
        f'<!DOCTYPE d [<!ENTITY % e SYSTEM "{secret}"> %e;]><d>some words</d>',
        f'<!DOCTYPE d SYSTEM "{secret}"><d>some words</d>',
        f'<d xmlns:x="http://www.w3.org/2001/XInclude">some words <x:include parse="text" href="{secret}"/></d>',
    ):
        assert "SECRET" not in str(read(Document(document.encode(), "application/xml")))


def test_entities_that_multiply_are_refused() -> None:
    levels = "".join(f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 10))
    reason = unreadable(f'<!DOCTYPE d [<!ENTITY a0 "lolololol">{levels}]><d>&a9;</d>')
    assert reason == "has entities that expand without bound; put their text in their place"


def test_entities_that_contain_themselves_are_refused() -> None:
    assert "expand without bound" in unreadable('<!DOCTYPE d [<!ENTITY a "&b;"><!ENTITY b "&a;">]><d>&a;</d>')


def test_what_is_not_well_formed_is_told_with_its_line() -> None:
    assert "is not well-formed XML (line 2: Opening and ending tag mismatch" in unreadable(f"{HEAD}\n<a><b></a>")


def test_too_many_levels_are_refused() -> None:
    assert "nests its elements deeper than can be read" in unreadable("<a>" * 1000 + "x" + "</a>" * 1000)


def test_the_charset_of_the_declaration_counts() -> None:
    document = "<?xml version='1.0' encoding='iso-8859-1'?><d><p>Gebühr für alle</p></d>".encode("latin-1")
    assert extracted(document).text == "Gebühr für alle"


RFC = """<rfc number="7" xml:lang="en"><front><title>On Fees</title><date year="2022" month="06" day="8"/>
    <abstract><t>In short.</t></abstract></front><middle>
    <section anchor="a"><name>Intro</name><t>See <xref target="b"/>, <xref target="RFC1"/>,
    <xref target="RFC1" section="4.1"/>, <xref target="RFC1" section="A" sectionFormat="comma"/>,
    <xref target="b" format="counter"/>, <xref target="x">the annex</xref> and <eref target="https://a.example/"/>.
    <iref item="i"/></t>
    <section anchor="b" title="Old style"><t>It <bcp14>MUST</bcp14><cref>why?</cref> be:</t>
    <ul><li>one</li><li><t>two</t></li></ul><sourcecode>a = 1\nb = 2</sourcecode>
    <table><name>Fees</name><tr><th>n</th></tr><tr><td>4</td></tr></table></section></section></middle><back>
    <references><name>References</name><reference anchor="RFC1"><front><title>Other</title></front></reference>
    </references><displayreference target="RFC1" to="ONE"/>
    <section anchor="x"><name>Annex</name><section><name>More</name><t>Last.</t></section></section>
    <section numbered="false"><name>Thanks</name><t>To <contact fullname="Ann Example"/>.</t></section></back></rfc>"""


def test_an_rfc_has_numbered_sections_and_its_references_are_spelt_out() -> None:
    document = extracted(HEAD + RFC)
    see = "See Section 1.1, [ONE], Section 4.1 of [ONE], [ONE], Appendix A, 1.1, the annex and https://a.example/."
    assert sections(document) == [
        (("Abstract",), "In short."),
        (("1. Intro",), see),
        (("1. Intro", "1.1. Old style"), "It MUST be:\n\n- one\n- two\n\na = 1\nb = 2\n\nFees\n\nn\n4"),
        (("Appendix A. Annex", "A.1. More"), "Last."),
        (("Thanks",), "To Ann Example."),
    ]
    assert (document.title, document.language) == ("On Fees", "en")
    assert document.dates == (DeclaredDate("front date", "2022-06-8"),)
