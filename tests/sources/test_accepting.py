"""`factsweep discover --accept-marked`: what a person marked becomes a source, and every other byte stays."""

from typing import Any

import pytest
import yaml

from tests.sources.discovered import ACT, REGISTER, Scene

HEAD = "title: Ports of Varnland  # as the atlas has it\ntopics: [{name: Harbours, items: 1}, {name: Law, items: 1}]\n"
HOSTS = 'hosts: {law.example: 1, "*.gov.example": 2}\n'
ADDED = "- {url: 'https://law.example/port-act', topic: Law}\n"
TAKEN = {"url": ACT.url, "topic": "Law"}


@pytest.fixture
def marked(scene: Scene) -> Scene:
    """The page of the law is marked, the register is not."""
    scene.run()
    text = scene.file.read_text()
    scene.file.write_text("accept: true  # read it".join(text.rsplit("accept: false", 1)))
    return scene


def domain(scene: Scene, text: str) -> None:
    scene.domain_file.write_bytes(text.encode())


def sources(scene: Scene) -> list[dict[str, Any]]:
    return yaml.safe_load(scene.domain_file.read_text())["sources"]


# Where the line goes: what stands before it and after it.
SHAPES = {
    "a list": (f"{HEAD}{HOSTS}sources:\n  - {{path: documents}}\n", "  ", ""),
    "a list with more below": (f"{HEAD}sources:\n  - {{path: documents}}\n", "  ", f"\n# where from\n{HOSTS}"),
    "comments after the last": (
        f"{HEAD}{HOSTS}sources:\n  - path: documents   # mine\n    tier: 1 # sure\n",
        "  ",
        "  # - {path: more}\n\n# the end\n",
    ),
    "no indentation": (f"{HEAD}{HOSTS}sources:\n- path: documents\n", "", "provisions: true\n"),
    "deep indentation": (
        f"{HEAD}{HOSTS}sources:\n      - path: documents\n        tier: 2\n",
        "      ",
        "\n\nitems: 3\n",
    ),
    "a comment first": (f"{HEAD}{HOSTS}sources:   # read on\n  # documents\n  - path: documents\n", "  ", ""),
    "a URL in quotes": (f'{HEAD}{HOSTS}sources:\n  - "url": "https://law.example/#a: b"\n', "  ", ""),
    "an empty value last": (f"{HEAD}{HOSTS}sources:\n  - path: documents\n    topic:\n", "  ", "items: 2\n"),
    "signs beyond ASCII": (f"{HEAD}{HOSTS}sources:\n  - path: \U0001f6a2 \u00e9\n", "  ", "items: 2\n"),
    "a byte order mark": (f"\ufeff{HEAD}{HOSTS}sources:\n  - path: documents\n", "  ", "items: 2\n"),
    "a text over lines": (f'{HEAD}{HOSTS}sources:\n  - path: "docu\\\n      ments"\n', "  ", "items: 2\n"),
    "a folded text": (f"{HEAD}{HOSTS}sources:\n  - path: >-\n      documents\n", "  ", "items: 2\n"),
    "a file that begins with a mark": (f"---\n{HEAD}{HOSTS}sources:\n  - path: documents\n", "  ", ""),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_line_goes_below_the_last_source_and_nothing_else_changes(marked: Scene, shape: str) -> None:
    before, indent, after = SHAPES[shape]
    domain(marked, before + after)

    result = marked.run("--accept-marked")

    assert result.exit_code == 0, result.output
    assert marked.domain_file.read_bytes().decode() == f"{before}{indent}{ADDED}{after}"
    assert sources(marked)[-1] == TAKEN


def test_without_a_key_the_list_goes_to_the_end(marked: Scene) -> None:
    before = f"{HEAD}{HOSTS}#sources:\n#  - {{path: documents}}\n\nitems: 2"
    domain(marked, before)

    marked.run("--accept-marked")

    assert marked.domain_file.read_text() == f"{before}\nsources:\n  {ADDED}"


def test_an_empty_list_in_brackets_becomes_lines(marked: Scene) -> None:
    domain(marked, f"{HEAD}sources: []  # none yet\n{HOSTS}")

    marked.run("--accept-marked")

    assert marked.domain_file.read_text() == f"{HEAD}sources:   # none yet\n  {ADDED}{HOSTS}"


def test_a_file_without_a_last_line_break_gets_one(marked: Scene) -> None:
    before = f"{HEAD}{HOSTS}sources:\n  - path: documents"
    domain(marked, before)

    marked.run("--accept-marked")

    assert marked.domain_file.read_text() == f"{before}\n  {ADDED}"


def test_line_breaks_of_windows_stay(marked: Scene) -> None:
    before = f"{HEAD}{HOSTS}sources:\n  - path: documents\n"
    domain(marked, (before + "items: 2\n").replace("\n", "\r\n"))

    marked.run("--accept-marked")

    expected = f"{before}  {ADDED}items: 2\n".replace("\n", "\r\n")
    assert marked.domain_file.read_bytes().decode() == expected


REFUSED = {
    "brackets": f"{HEAD}{HOSTS}sources: [{{path: documents}}]\n",
    "brackets over lines": f"{HEAD}{HOSTS}sources: [\n  {{path: documents}},\n]\n",
    "braces": '{title: Ports, hosts: {law.example: 1, "*.gov.example": 2}, topics: [{name: Law}, {name: Harbours}]}\n',
    "an alias": f"{HEAD}{HOSTS}sources:\n  - &one {{path: documents}}\n  - *one\n",
    "an end mark": f"{HEAD}{HOSTS}...\n",
}


@pytest.mark.parametrize("shape", [shape for shape in REFUSED if shape != "an alias"])
def test_a_layout_without_a_safe_place_is_refused_with_the_lines_to_add(marked: Scene, shape: str) -> None:
    domain(marked, REFUSED[shape])
    candidates = marked.file.read_bytes()

    result = marked.run("--accept-marked")

    assert result.exit_code == 2
    assert str(marked.domain_file) in result.output
    assert f"Nothing was changed; under sources: belongs\n  {ADDED}" in result.output
    assert marked.domain_file.read_text() == REFUSED[shape]
    assert marked.file.read_bytes() == candidates


def test_an_alias_at_the_end_is_never_mistaken_for_what_it_names(marked: Scene) -> None:
    domain(marked, REFUSED["an alias"])

    result = marked.run("--accept-marked")

    changed = sources(marked) != [{"path": "documents"}] * 2
    assert changed == (result.exit_code == 0)
    assert sources(marked) == [{"path": "documents"}] * 2 + ([TAKEN] if changed else [])


def test_what_was_taken_is_marked_and_the_rest_of_the_candidates_stays(marked: Scene) -> None:
    before = marked.file.read_text()

    result = marked.run("--accept-marked")

    assert marked.file.read_text() == before.replace("accept: true  # read it", "accept: taken  # read it")
    assert f"added: {ACT.url}" in result.output
    assert "factsweep build --domain land.ports" in result.output


def test_a_second_time_there_is_nothing_to_take(marked: Scene) -> None:
    marked.run("--accept-marked")
    before = marked.domain_file.read_bytes(), marked.file.read_bytes()

    result = marked.run("--accept-marked")

    assert result.exit_code == 0
    assert "Nothing is marked" in result.output
    assert (marked.domain_file.read_bytes(), marked.file.read_bytes()) == before


def test_what_was_taken_is_not_proposed_again(marked: Scene) -> None:
    marked.run("--accept-marked")

    marked.run()

    assert marked.urls() == [REGISTER.url, ACT.url]


def test_what_is_a_source_already_is_only_marked(marked: Scene) -> None:
    text = f"{HEAD}{HOSTS}sources:\n  - url: https://LAW.example/port-act#top\n"
    domain(marked, text)

    result = marked.run("--accept-marked")

    assert result.exit_code == 0
    assert f"is a source already: {ACT.url}" in result.output
    assert marked.domain_file.read_text() == text
    assert "accept: taken" in marked.file.read_text()


def candidates(scene: Scene, *entries: str) -> None:
    scene.file.parent.mkdir(exist_ok=True)
    scene.file.write_text("".join(f"- {{{entry}}}\n" for entry in entries))


def test_several_are_taken_at_once_each_once_in_their_order(scene: Scene) -> None:
    candidates(
        scene,
        'url: "https://law.example/b", accept: yes',
        'url: "https://law.example/no", accept: no',
        'accept: true, url: "https://law.example/a"',
        'url: "https://law.example/b#2", accept: true',
        'url: "https://law.example/unread"',
    )

    scene.run("--accept-marked")

    assert sources(scene)[1:] == [{"url": "https://law.example/b"}, {"url": "https://law.example/a"}]
    answers = [entry.get("accept") for entry in scene.entries()]
    assert answers == ["taken", False, "taken", "taken", None]


def test_a_tier_that_a_person_changed_is_taken_over_and_the_date_is_not(scene: Scene) -> None:
    candidates(scene, 'url: "https://law.example/a", tier: 3, date: 2024-05-01, topic: Law, accept: true')

    scene.run("--accept-marked")

    assert sources(scene)[-1] == {"url": "https://law.example/a", "tier": 3, "topic": "Law"}


def test_a_domain_without_topics_gets_no_topic(scene: Scene) -> None:
    del scene.workshop.domain["topics"]
    scene.workshop.write()
    candidates(scene, 'url: "https://law.example/a", topic: Ports of Varnland, accept: true')

    assert scene.run("--accept-marked").exit_code == 0
    assert sources(scene)[-1] == {"url": "https://law.example/a"}


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('url: "https://evil.example/a", accept: true', "host evil.example is not among the domain's hosts; add"),
        ('url: "https://law.example@evil.example/", accept: true', "carries a user name"),
        ('url: "https://law.example/a", topic: Cooking, accept: true', "topic 'Cooking' is not among the domain's"),
        ('url: "https://law.example/a", tier: 4, accept: true', "tier 4 is none; write 1, 2 or 3"),
        ('url: "https://law.example/a", accept: maybe', "'maybe' is no answer; write true or false"),
    ],
)
def test_what_cannot_be_taken_is_told_and_nothing_is_taken(scene: Scene, entry: str, fault: str) -> None:
    candidates(scene, 'url: "https://law.example/good", accept: true', entry)
    before = scene.domain_file.read_bytes(), scene.file.read_bytes()

    result = scene.run("--accept-marked")

    assert result.exit_code == 2
    assert fault in result.output
    assert (scene.domain_file.read_bytes(), scene.file.read_bytes()) == before


def test_without_candidates_it_says_how_to_get_some(scene: Scene) -> None:
    result = scene.run("--accept-marked")

    assert result.exit_code == 2
    assert f"{scene.file}: no such file" in result.output
    assert "`factsweep discover --domain land.ports` makes it" in result.output


@pytest.mark.parametrize("option", [("--dry-run",), ("--queries", "3"), ("--budget", "1")])
def test_it_searches_for_nothing(marked: Scene, option: tuple[str, ...]) -> None:
    requests = marked.requests

    result = marked.run("--accept-marked", *option)

    assert result.exit_code == 2
    assert "--accept-marked searches for nothing" in result.output
    assert marked.requests == requests
    assert marked.run("--accept-marked").exit_code == 0
    assert marked.requests == requests
