import pytest

from assets.sources.document import Document, Unreadable
from assets.sources.reading import read
from tests.sources.made import extracted, sections

STATUTE = """<!DOCTYPE html><html lang="en_US"><head><title>§ 33-1-101 | State Code</title></head><body>
<header><a href="/">State Legislature</a><nav><ul><li><a href="/a">Home</a></li></ul></nav></header>
<ol class="breadcrumb"><li><a href="/t33">Title 33</a></li></ol>
<div class="content"><h1>Title 33. Professions</h1><h2>Chapter 1. General provisions</h2>
<h3>§ 33-1-101. Gross income.<a class="headerlink" href="#s">¶</a></h3>
<div><span>(a)</span> <a href="/gi">Gross income</a> means all <a href="/i">income</a>, including:</div>
<div>(1) <a href="/c">Compensation</a>, <a href="/f">fees</a> and <a href="/cm">commissions</a>;</div>
<div>(2) <a href="/g">gains from property</a>.</div>
<ul><li>$25 for a first license<ul><li>and a form</li></ul></li><li>$10</li></ul>
<h3>§ 33-1-102. Repealed.</h3></div>
<aside><h4>Related</h4><a href="/x">Other statutes</a></aside>
<footer>Copyright 2021</footer></body></html>"""


def html(body: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>"


def text(body: str) -> str:
    return extracted(html(body)).text


def test_a_statute_keeps_every_clause_however_many_links_it_has() -> None:
    page = extracted(STATUTE, "text/html")
    chapter = ("Title 33. Professions", "Chapter 1. General provisions")
    clauses = (
        "(a) Gross income means all income, including:\n\n(1) Compensation, fees and commissions;\n\n"
        "(2) gains from property.\n\n- $25 for a first license\n- and a form\n- $10"
    )
    assert sections(page) == [
        ((*chapter, "§ 33-1-101. Gross income."), clauses),
        ((*chapter, "§ 33-1-102. Repealed."), ""),
    ]
    assert (page.title, page.language) == ("Title 33. Professions", "en-US")


def test_only_the_main_part_is_read_where_the_page_says_which_it_is() -> None:
    page = html("<div>Cookies!</div><main><header><h1>Fees</h1></header><p>One.</p><aside>Note.</aside></main><p>Ads")
    assert extracted(page).text == "Fees\n\nOne.\n\nNote."


def test_an_article_that_is_a_mere_teaser_is_not_taken_for_the_page() -> None:
    page = html(
        "<article><p>Read our news.</p></article><p>The fee is $40 for a barber and $55 for a cosmetologist.</p>"
    )
    assert "The fee is $40" in extracted(page).text


def test_the_title_in_the_header_of_a_page_is_kept() -> None:
    page = extracted(html("<header><nav>Home</nav><h1>Fees</h1></header><p>They are due in May.</p>"))
    assert (page.title, page.text) == ("Fees", "Fees\n\nThey are due in May.")


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Fees | State</title><meta property='og:title' content='Fees'>", "<p>Words.", "Fees"),
        ("<title> Fees\n | State</title>", "<h1>One</h1><h1>Two</h1><p>Words.", "Fees | State"),
        ("", "<p>Words.", None),
    ],
)
def test_the_title(head: str, body: str, title: str | None) -> None:
    assert extracted(html(body, head)).title == title


def test_blocks_are_paragraphs_and_inline_elements_are_none() -> None:
    body = "<p>One <b>bold</b>\n word.</p>loose<div>two<br>lines</div><br><br>three<q>said</q>"
    assert text(body) == "One bold word.\n\nloose\n\ntwo\nlines\n\nthree“said”"


def test_code_keeps_its_lines() -> None:
    assert text("<pre><code>gain = a - b\n  tax = rate</code></pre><p>end") == "gain = a - b\ntax = rate\n\nend"


def test_powers_and_formulas_keep_their_meaning_and_marks_of_notes_go() -> None:
    body = "<p>10<sup>6</sup> m<sup>2</sup>, H<sub>2</sub>O, 1<sup>st</sup>, due<sup><a href='#n1'>[1]</a></sup>.</p>"
    assert text(body) == "10⁶ m², H₂O, 1st, due."


def test_what_is_struck_out_is_no_law() -> None:
    assert text("<p>The fee is <del>$30</del><s> $35</s> <ins>$40</ins>.</p>") == "The fee is $40."


def test_what_is_hidden_is_left_out_but_not_the_panels_of_tabs() -> None:
    body = "<p hidden>a</p><p aria-hidden='true'>b</p><div role='tabpanel' hidden><p>Pay is $20.</p></div>"
    assert text(body) == "Pay is $20."


def test_a_table_is_read_by_rows_and_a_cell_that_spans_them_is_in_each() -> None:
    body = """<table><caption>Fees</caption><tr><th>License</th><th>Kind</th><th>Fee</th></tr>
        <tr><td rowspan=2>Barber</td><td>first</td><td>$40<br>a year</td></tr><tr><td>renewed</td><td>$10</td></tr>
        <tr><td>Guide</td><td></td><td>$5</td></tr></table>"""
    rows = "License | Kind | Fee\nBarber | first | $40 a year\nBarber | renewed | $10\nGuide | | $5"
    assert text(body) == f"Fees\n\n{rows}"


def test_a_column_that_only_holds_pictures_is_left_out() -> None:
    assert text("<table><tr><td><img src=x></td><td>A secret value.</td></tr></table>") == "A secret value."


def test_a_table_that_places_things_on_the_page_is_none() -> None:
    body = "<table><tr><td>Home<td><b>RULE 12</b><p>A fee.<table><tr><td>Petition<td>$60</table></table>"
    assert text(body) == "Home\n\nRULE 12\n\nA fee.\n\nPetition | $60"


def test_lists_of_terms_are_lines() -> None:
    assert text("<dl><dt>Board</dt><dd>The examiners.</dd></dl>") == "Board\nThe examiners."


@pytest.mark.parametrize(
    "body",
    [
        "<script>render()</script><div id='root'></div>",
        "<noscript>You need to enable JavaScript to run this app.</noscript><div>Loading…</div><script>1</script>",
    ],
)
def test_a_page_of_scripts_is_told(body: str) -> None:
    result = read(Document(html(body).encode(), "text/html"))
    assert isinstance(result, Unreadable)
    assert "shows no text before its scripts have run" in result.reason


@pytest.mark.parametrize("depth", [300, 900])
def test_deep_pages_are_read_whole(depth: int) -> None:
    page = html("<div>" * depth + "<p>Deep words.</p>" + "</div>" * depth + "<p>Last words.</p>")
    assert extracted(page).text == "Deep words.\n\nLast words."


def test_pages_too_deep_for_the_parser_are_refused_and_not_cut() -> None:
    result = read(Document(html("<div>" * 50_000 + "<p>Words.").encode(), "text/html"))
    assert isinstance(result, Unreadable)
    assert "nests its elements deeper than can be read" in result.reason


def test_control_characters_are_dropped() -> None:
    assert text("<p>One\x00 word\x01 and&#2; an&shy;other.</p>") == "One word and another."


def test_the_declared_dates_published_before_modified() -> None:
    head = """<meta name="DC.date.modified" content="2024-02-02"><meta property="article:published_time" content="2023">
        <script type="application/ld+json">{"@graph": [{"@type": "Person", "datePublished": "1980"},
        {"@type": "Article", "datePublished": "2023-05-06", "dateModified": "2024"}]}</script>
        <script type="application/ld+json">{ broken</script>"""
    page = extracted(html("<p>Words.</p><time itemprop='datePublished' datetime='2023-05-07'>May</time>", head))
    assert [(date.field, date.text) for date in page.dates] == [
        ("article:published_time", "2023"),
        ("JSON-LD datePublished", "2023-05-06"),
        ("datePublished", "2023-05-07"),
        ("dc.date.modified", "2024-02-02"),
        ("JSON-LD dateModified", "2024"),
    ]


@pytest.mark.parametrize(
    ("page", "language"),
    [
        ("<html lang='de'><body><p>Wort", "de"),
        ("<html><head><meta http-equiv='Content-Language' content='fr-CA'></head><body><p>mot", "fr-CA"),
        ("<html lang='not a tag'><body><p>word", None),
        ("<html><body><p>Das ist deutsch.", None),
    ],
)
def test_the_language_is_what_the_page_declares(page: str, language: str | None) -> None:
    assert extracted(page, "text/html").language == language
