"""Gathering the files of a bank's folder."""

import errno
import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from assets.sources import gathering
from tests.sources.gathered import Gathered
from tests.support.needs import without_program
from tests.support.web import Page, Web


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "bank"
    put(folder, "documents/a.md", "# Fees\n\nThe fee is 12 dollars.")
    put(folder, "documents/tax/b.txt", "The tax is 3 per cent.")
    return folder


def put(folder: Path, name: str, content: str | bytes) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def gathered(folder: Path, web: Web, *sources: dict[str, Any]) -> Gathered:
    return Gathered(folder, web, sources=list(sources)).again()


def test_a_file_is_a_row_without_an_address(folder: Path, web: Web) -> None:
    row = gathered(folder, web, {"path": "documents/a.md", "tier": 2, "topic": "Fees", "date": 2024}).row
    assert row == row | {
        "name": "documents/a.md",
        "url": None,
        "host": None,
        "rule": None,
        "tier": 2,
        "topics": ["Fees"],
        "status": "read",
        "kind": "markdown",
        "sections": [{"path": ["Fees"], "text": "The fee is 12 dollars."}],
        "published": date(2024, 1, 1),
        "published_basis": "stated",
    }
    assert web.log == []


@pytest.mark.parametrize("path", ["documents", "documents/**/*", "documents/**/*.*"])
def test_a_folder_and_a_pattern_are_their_files(folder: Path, web: Web, path: str) -> None:
    assert gathered(folder, web, {"path": path}).statuses() == {"documents/a.md": "read", "documents/tax/b.txt": "read"}


def test_a_changed_file_has_a_new_hash_and_moment(folder: Path, web: Web) -> None:
    domain = gathered(folder, web, {"path": "documents/a.md"})
    first = domain.row
    assert domain.again().row == first | {"fetched_at": domain.now}

    put(folder, "documents/a.md", "# Fees\n\nThe fee is 15 dollars.")
    row = domain.again().row
    assert (row["changed_at"], row["content_hash"] == first["content_hash"]) == (domain.now, False)


def test_a_heading_is_part_of_the_content(folder: Path, web: Web) -> None:
    domain = gathered(folder, web, {"path": "documents/a.md"})
    first = domain.row["content_hash"]
    put(folder, "documents/a.md", "# Charges\n\nThe fee is 12 dollars.")
    assert domain.again().row["content_hash"] != first


def test_what_has_no_text_says_why(folder: Path, web: Web) -> None:
    put(folder, "documents/empty.md", "")
    put(folder, "documents/emoji.md", "😀 🎉 😀")
    put(folder, "documents/broken.pdf", b"%PDF-1.7 and no more")
    put(folder, "documents/table.csv", "a,b")
    domain = gathered(folder, web, {"path": "documents"}, {"path": "documents/table.csv"}, {"path": "none.md"})
    rows = domain.rows
    assert domain.statuses() == {
        "documents/a.md": "read",
        "documents/broken.pdf": "unreadable",
        "documents/emoji.md": "unreadable",
        "documents/empty.md": "unreadable",
        "documents/table.csv": "unreadable",
        "documents/tax/b.txt": "read",
        "none.md": "refused",
    }
    assert rows["documents/empty.md"]["reason"] == "is empty; give a document with text"
    assert rows["documents/table.csv"]["reason"].startswith("is a table; ")
    assert rows["none.md"]["reason"].startswith("no such file in ")


def test_a_file_that_is_removed_does_not_keep_its_text(folder: Path, web: Web) -> None:
    domain = gathered(folder, web, {"path": "documents/a.md"})
    (folder / "documents/a.md").unlink()
    assert (domain.again().row["status"], domain.row["sections"]) == ("refused", None)


@pytest.mark.parametrize("path", ["documents/a.md", "documents", "documents/*.md"])
def test_a_folder_that_is_not_there_keeps_the_texts(folder: Path, web: Web, path: str) -> None:
    domain = gathered(folder, web, {"path": path})
    first = domain.rows["documents/a.md"]
    (folder / "documents").rename(folder / "away")

    row = domain.again().rows["documents/a.md"]
    assert row == first | {"fetched_at": domain.now, "reason": row["reason"]}
    assert row["reason"] == (
        f"could not be read anew on 2026-01-07: there is no folder {folder / 'documents'} now; "
        "connect it again, or mend the path"
    )

    (folder / "away").rename(folder / "documents")
    assert domain.again().rows["documents/a.md"]["reason"] is None


def test_an_entry_that_is_taken_out_does_not_keep_its_text(folder: Path, web: Web) -> None:
    domain = gathered(folder, web, {"path": "documents/a.md"}, {"path": "documents/tax"})
    (folder / "documents").rename(folder / "away")
    assert domain.again(sources=[{"path": "documents/tax"}]).statuses() == {
        "documents/tax": "refused",
        "documents/tax/b.txt": "read",
    }


def test_a_file_that_is_removed_from_a_folder_does_not_keep_its_text(folder: Path, web: Web) -> None:
    domain = gathered(folder, web, {"path": "documents"})
    (folder / "documents/tax/b.txt").unlink()
    assert domain.again().statuses() == {"documents/a.md": "read"}


def test_a_place_that_cannot_be_looked_at_keeps_its_texts(
    folder: Path, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = gathered(folder, web, {"path": "documents"})
    first = domain.rows["documents/tax/b.txt"]
    tax, scandir = folder / "documents/tax", os.scandir

    def forbidden(place: Any = ".") -> Any:
        if Path(place) == tax:
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(place)

    monkeypatch.setattr(os, "scandir", forbidden)
    row = domain.again().rows["documents/tax/b.txt"]
    assert row == first | {"fetched_at": domain.now, "reason": row["reason"]}
    assert row["reason"] == (
        "could not be read anew on 2026-01-07: cannot be looked up (Permission denied); "
        "mend its permissions or connect its disk again"
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "is empty; give a document with text"), (b"%PDF-1.7 and no more", "is a damaged PDF")],
)
def test_a_file_that_has_become_unreadable_keeps_its_text(folder: Path, web: Web, content: bytes, reason: str) -> None:
    domain = gathered(folder, web, {"path": "documents/a.md"})
    first = domain.row
    put(folder, "documents/a.md", content)
    for _ in range(2):
        row = domain.again().row
        assert (row["status"], row["content_hash"], row["sections"]) == (
            "read", first["content_hash"], first["sections"],
        )  # fmt: skip
        assert row["reason"].startswith(f"could not be read anew on {domain.now.date()}: {reason}")


def test_a_file_that_may_not_be_read_any_more_keeps_its_text(
    folder: Path, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = gathered(folder, web, {"path": "documents/a.md"})
    first = domain.row

    def forbidden(file: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    row = domain.again().row
    assert row == first | {"fetched_at": domain.now, "reason": row["reason"]}
    assert row["reason"].startswith("could not be read anew on 2026-01-07: cannot be read (Permission denied)")


def test_a_part_that_is_not_read_is_told(folder: Path, web: Web) -> None:
    put(folder, "documents/two.jsonl", '{"heading": "Fees", "text": "The fee is 12."}\n{"heading": \n')
    row = gathered(folder, web, {"path": "documents/two.jsonl"}).row
    assert row["status"] == "read"
    assert row["reason"]


def test_a_file_of_the_size_of_a_disk_is_not_read(folder: Path, web: Web) -> None:
    os.truncate(folder / "documents/a.md", 3_000_000_000)
    row = gathered(folder, web, {"path": "documents/a.md"}).row
    assert (row["status"], row["reason"]) == (
        "unreadable",
        "is 3000 MB large, and 64 MB at most are read; split it",
    )


def test_a_file_that_may_not_be_read_is_told(folder: Path, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(file: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    row = gathered(folder, web, {"path": "documents/a.md"}).row
    assert (row["status"], row["reason"]) == (
        "failed",
        "cannot be read (Permission denied); mend its permissions, or take it out of the sources",
    )


def test_a_reader_that_cannot_be_started_is_told(folder: Path, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(document: object) -> None:
        raise OSError("Cannot allocate memory")

    monkeypatch.setattr(gathering, "extract", broken)
    row = gathered(folder, web, {"path": "documents/a.md"}).row
    assert row["reason"] == "broke its reader (OSError); try again, or give it in another format"


def test_a_file_name_that_is_no_text_is_a_row(folder: Path, web: Web) -> None:
    try:
        put(folder, os.fsdecode(b"documents/x\xff.md"), "The fee is 20 dollars.")
    except OSError:
        without_program("a file system that takes such a name is needed")
    assert gathered(folder, web, {"path": "documents/x*"}).statuses() == {"documents/x\\udcff.md": "read"}


def test_a_file_and_a_page_of_the_same_text_are_one(folder: Path, web: Web) -> None:
    web.pages["/a.md"] = Page(b"# Fees\n\nThe fee is 12 dollars.", headers={"Content-Type": "text/markdown"})
    domain = gathered(folder, web, {"path": "documents/a.md"}, {"url": web.url("/a.md")})
    assert domain.statuses() == {"documents/a.md": "read", web.url("/a.md"): "refused"}


def test_a_path_that_cannot_be_looked_up_costs_no_other(folder: Path, web: Web) -> None:
    domain = gathered(folder, web, {"path": "x" * 300}, {"path": "documents/a.md"})
    assert domain.statuses() == {"documents/a.md": "read", "x" * 300: "refused"}
    assert domain.rows["x" * 300]["reason"] == (
        "cannot be looked up (File name too long); mend the path or its permissions"
    )
