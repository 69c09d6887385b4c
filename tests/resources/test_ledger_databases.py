"""What a ledger's database must hold, and what a person is told when it cannot be used."""

import json
import sys
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy.exc import OperationalError

from orchestration.cli import main
from resources.ledger import Ledger, LedgerError, Owner
from resources.ledger.connections import guarded
from resources.types import ConfigurationError
from tests.support.ledgers import answer, claims, purse, refusal, wish
from tests.support.postgres import PostgresServer

CONTROL = "".join(chr(code) for code in (*range(1, 32), *range(127, 160)))
UNREACHABLE = "postgresql+psycopg://user:hunter2-hunter2@127.0.0.1:1/database"


# -- texts and numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        CONTROL,
        "\u202eright to left\u2066\ufeff",
        "\ufffe\uffff\U0010ffff",
        "e\u0301 é 東京 👩‍🚀",
        "'; drop table calls; -- %s :id {x} \\",
    ],
    ids=["empty", "control", "direction", "noncharacters", "scripts", "quotes"],
)
def test_a_text_comes_back_as_it_was(ledger: Ledger, owner: Owner, text: str) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [answer(text=text, reply=json.dumps(text))], [])

    assert ledger.find(["c1"])["c1"].text == text
    assert ledger.exchange("c1") == ('{"messages": []}', json.dumps(text))


def test_a_text_of_a_megabyte_comes_back_as_it_was(ledger: Ledger, owner: Owner) -> None:
    text = "東京 €\n" * 100_000
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [answer(text=text, reply=json.dumps(text))], [])

    assert ledger.find(["c1"])["c1"].text == text


def test_json_text_with_what_no_database_takes_keeps_its_meaning(ledger: Ledger, owner: Owner) -> None:
    said = {"content": "a\0b\ud83d c\udc00\\"}
    raw = json.dumps(said, ensure_ascii=False).replace("\\u0000", "\0")
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [answer(reply=raw)], [])

    exchanged = ledger.exchange("c1")
    assert exchanged is not None and exchanged[1] is not None
    assert json.loads(exchanged[1]) == said


def test_a_text_with_what_no_database_takes_has_its_escapes(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish("a"), wish("b")])
    ledger.transact(purse(owner), [answer("a", text="Par\0is\ud83d"), refusal("b", error="\0\udfff")], [])

    found = ledger.find(["a", "b"])
    assert found["a"].text == "Par\\u0000is\\ud83d"
    assert found["b"].error == "\\u0000\\udfff"


def test_money_is_kept_to_the_last_bit(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [answer(cost=0.1 + 0.2)], [])

    assert ledger.frame()["cost_usd"].to_list() == [0.1 + 0.2]


def test_times_are_kept_to_the_microsecond(ledger: Ledger, owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    at = datetime(2026, 11, 30, 23, 59, 59, 123457, UTC)
    monkeypatch.setattr("resources.ledger.ledger._now", at.timestamp)
    ledger.transact(purse(owner), [], [wish()])

    assert ledger.frame()["created_at"].to_list() == [at]


def test_counts_of_a_thousand_million_tokens_are_kept(ledger: Ledger, owner: Owner) -> None:
    ledger.transact(purse(owner), [], [wish()])
    ledger.transact(purse(owner), [replace(answer(), input_tokens=10**9)], [])

    assert ledger.find(["c1"])["c1"].input_tokens == 10**9


# -- a database that cannot be used ---------------------------------------------------------------


def refusal_of(url: str) -> str:
    """What a person is told, whom the command line sends to the configuration."""
    with pytest.raises(ConfigurationError) as caught:
        Ledger(url)
    return str(caught.value)


def test_a_folder_that_cannot_be_written_is_told_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert "FACTSWEEP_LEDGER" in refusal_of(f"sqlite:///{tmp_path / 'file' / 'ledger.sqlite'}")


def test_a_server_that_does_not_answer_is_told_with_a_remedy() -> None:
    told = refusal_of(UNREACHABLE)

    assert "refused" in told
    assert "check that the server runs and what FACTSWEEP_LEDGER names" in told


def test_a_wrong_password_is_told_and_not_shown(postgres: PostgresServer) -> None:
    told = refusal_of(postgres.url(password="hunter2-hunter2"))

    assert "password authentication failed" in told
    assert "hunter2" not in told


def test_a_database_that_is_not_there_is_told(postgres: PostgresServer) -> None:
    assert 'database "nowhere" does not exist' in refusal_of(postgres.url("nowhere"))


def test_a_database_that_cannot_hold_every_answer_is_refused(postgres: PostgresServer) -> None:
    postgres.execute("create database western encoding 'LATIN1' template template0")

    assert "has the encoding LATIN1" in refusal_of(postgres.url("western"))


@pytest.mark.parametrize(
    "url",
    [
        "hunter2-hunter2",
        "user:hunter2-hunter2@host/database",
        "postgresql+psycopg://host:hunter2-hunter2/database",
        "postgresql+psycopg://user:p@hunter2-hunter2@host/database",
        "postgresql+psycopg:/user:hunter2-hunter2@host/database",
        "mysql://user:hunter2-hunter2@host/database",
        "postgresql+psycopg://user:hunter2-hunter2@127.0.0.1:99999999/database",
        "postgresql+psycopg://user@127.0.0.1:1/database?password=hunter2-hunter2&sslmode=perhaps",
        UNREACHABLE,
    ],
)
def test_no_fault_in_the_url_shows_its_password(url: str) -> None:
    told = refusal_of(url)

    assert "FACTSWEEP_LEDGER" in told
    assert "hunter2" not in told


def test_the_doctor_tells_of_the_ledger_and_not_of_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACTSWEEP_LEDGER", UNREACHABLE)

    result = CliRunner().invoke(main, ["doctor"])

    assert "mend  ledger: the ledger cannot be opened" in result.output
    assert "hunter2" not in result.output
    assert result.exit_code == 2


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg2"])
def test_every_way_to_write_postgresql_is_understood(scheme: str) -> None:
    assert "refused" in refusal_of(UNREACHABLE.replace("postgresql+psycopg", scheme))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    assert "pip install 'psycopg[binary]'" in refusal_of(UNREACHABLE)


def test_a_server_that_was_restarted_is_found_again(postgres: PostgresServer, owner: Owner) -> None:
    ledger = Ledger(postgres.new_schema())
    ledger.transact(purse(owner), [], [wish()])
    postgres.disconnect_all()

    ledger.transact(purse(owner), [answer()], [])

    assert ledger.find(["c1"])["c1"].text == "Paris"
    ledger.close()


def test_a_server_that_is_gone_is_told_by_reading_and_by_writing(postgres: PostgresServer, owner: Owner) -> None:
    postgres.execute("create database leaving")
    ledger = Ledger(postgres.url("leaving"))
    postgres.execute("alter database leaving allow_connections false")
    postgres.disconnect_all()

    for act in (lambda: ledger.find(["c1"]), lambda: claims(ledger, purse(owner), wish())):
        with pytest.raises(LedgerError, match="what is recorded is not bought twice"):
            act()
    ledger.close()


@pytest.mark.parametrize(
    "complaint", ["database or disk is full", 'could not extend file "base/5/1": No space left on device\nHINT: …']
)
def test_a_full_disk_is_told_with_a_remedy(complaint: str) -> None:
    @contextmanager
    def begin():
        raise OperationalError("insert", {}, Exception(complaint))
        yield

    with pytest.raises(LedgerError, match="free some space and sweep again"), guarded(begin):
        pass
