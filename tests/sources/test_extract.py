import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from assets.sources.document import Document, Extracted, Unreadable
from assets.sources.extract import extract
from assets.sources.reading import read
from tests.sources.made import lines, pdf


def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let documents be read by this shell script."""
    file = tmp_path / "reader"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(file))


@pytest.mark.parametrize(
    "document",
    [
        Document(b"---\ndate: 2021\n---\n# Fees\n\nThe fee is \xe2\x82\xac40.", "", "fees.md"),
        Document(b'{"text": "One."}\nx\n', "", "a.jsonl"),
        Document("<p lang=de>Gebühr für alle".encode("utf-16"), "text/html"),
        Document(pdf(lines("The fee is $40.")), "application/pdf"),
        Document(b"", "text/html"),
    ],
)
def test_a_process_of_its_own_gives_what_reading_gives(document: Document) -> None:
    assert extract(document) == read(document)


def test_what_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader(tmp_path, monkeypatch, "exec sleep 30")
    started = time.monotonic()
    result = extract(Document(b"words"), seconds=0.2)
    assert result == Unreadable("was not read within 0.2 seconds", "split it, or give it in another format")
    assert time.monotonic() - started < 10


def test_a_reader_that_crashes_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader(tmp_path, monkeypatch, "kill -SEGV $$")
    result = extract(Document(b"words"))
    assert isinstance(result, Unreadable)
    assert "broke its reader" in result.reason


def test_a_reader_that_fails_is_told_with_its_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader(tmp_path, monkeypatch, "echo 'Traceback' >&2; echo 'ValueError: no such thing' >&2; exit 1")
    reason = "broke its reader (ValueError: no such thing)"
    assert extract(Document(b"words")) == Unreadable(reason, "give it in another format")


def test_threads_read_pdf_side_by_side() -> None:
    documents = [Document(pdf(lines(f"The fee is ${number} for the year."))) for number in range(4)]
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(extract, documents))
    assert [result.text for result in results if isinstance(result, Extracted)] == [
        f"The fee is ${number} for the year." for number in range(4)
    ]


def test_a_large_text_is_read() -> None:
    line = "A line of words that goes on and on, as text does.\n"
    result = read(Document(line.encode() * 120_000))
    assert isinstance(result, Extracted)
    assert result.text == " ".join([line.strip()] * 120_000)
