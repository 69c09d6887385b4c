import codecs
import os

import pytest

from assets.sources.decoding import decode
from assets.sources.document import UnreadableError

FRENCH = "Le délai de prescription est de cinq ans à compter du jour où le titulaire a connu les faits."
POLISH = "Zażółć gęślą jaźń. Kupujący ponosi koszty wydania rzeczy, jeżeli umowa nie stanowi inaczej."
RUSSIAN = "Покупатель обязан оплатить товар непосредственно до или после передачи ему продавцом товара."
GREEK = "Ο αγοραστής οφείλει να καταβάλει το τίμημα που συμφωνήθηκε και να παραλάβει το πράγμα."
JAPANESE = "買主は、売買の目的物の引渡しと同時に代金を支払わなければならない。契約の内容に適合しないとき。"


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
    ],
)
def test_a_byte_order_mark_counts_more_than_what_a_server_says(mark: bytes, encoding: str) -> None:
    assert decode(mark + FRENCH.encode(encoding), "text/plain; charset=iso-8859-1") == FRENCH


@pytest.mark.parametrize("label", ["ISO-8859-1", "latin1", '"windows-1252"', "us-ascii"])
def test_latin_1_means_windows_1252_as_on_the_web(label: str) -> None:
    assert decode("€ “é”".encode("cp1252"), f"text/html; charset={label}") == "€ “é”"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_seen(encoding: str) -> None:
    assert decode(FRENCH.encode(encoding)) == FRENCH


def test_utf_16_that_is_declared_but_is_none_is_not_believed() -> None:
    assert decode(FRENCH.encode(), "text/html; charset=utf-16") == FRENCH


def test_utf_8_served_as_latin_1_is_utf_8() -> None:
    assert decode(FRENCH.encode(), "text/html; charset=iso-8859-1") == FRENCH


def test_a_declared_charset_that_does_not_fit_gives_way_to_the_one_in_the_head() -> None:
    page = f"<meta charset='iso-8859-2'><p>{POLISH}".encode("iso-8859-2")
    assert POLISH in decode(page, "text/html; charset=utf-8")


@pytest.mark.parametrize(
    "head",
    [
        '<?xml version="1.0" encoding="koi8-r"?>',
        '<html><head><meta http-equiv="Content-Type" content="text/html; charset=koi8-r">',
        "<meta charset=koi8-r>",
    ],
)
def test_the_charset_in_the_head_of_a_document(head: str) -> None:
    assert decode((head + RUSSIAN).encode("koi8-r")) == head + RUSSIAN


@pytest.mark.parametrize("label", ["unicode_escape", "idna", "rot13", "undefined", "no-such-charset", "utf-7"])
def test_what_is_no_charset_is_not_believed(label: str) -> None:
    assert decode(rb"C:\users\new +AGE-", f"text/plain; charset={label}") == r"C:\users\new +AGE-"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (FRENCH, "latin-1"),
        ("café crème", "latin-1"),
        ("The seller’s duty – “as is” – is €40.", "cp1252"),
        (POLISH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (GREEK, "iso8859-7"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        ("买受人应当按照约定的数额和支付方式支付价款。对价款的数额没有约定的。", "gb18030"),
    ],
)
def test_what_no_one_declares_is_told_by_the_bytes(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_utf_8_with_a_broken_byte_is_still_utf_8() -> None:
    assert decode(FRENCH.encode() * 20 + b"\xe9 end") == FRENCH * 20 + "\ufffd end"


def test_bytes_in_no_encoding_are_refused() -> None:
    with pytest.raises(UnreadableError, match="no character encoding that can be told; save it as UTF-8"):
        decode(bytes(range(128, 256)) * 8 + os.urandom(2000))
