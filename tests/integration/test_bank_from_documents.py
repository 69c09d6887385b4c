"""From three documents and one YAML to a leaderboard whose cells lead to the sentence in the source; by commands."""

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from orchestration.cli import main
from tests.reports.reading import ReadPage
from tests.support.catalogue import CRANE, FERRY, MOLE, PAGE, QUAY, SECTION
from tests.support.replies import Reply, Request
from tests.support.workshop import DOMAIN, Workshop, workshop

__all__ = ["workshop"]

KEPT = (QUAY, FERRY)


def factsweep(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


@pytest.fixture
def bank(workshop: Workshop) -> Workshop:
    """Three documents of which six facts can be taken, and a model that is swept."""
    workshop.document("harbour", QUAY, MOLE)
    workshop.document("shipping", FERRY, CRANE)
    workshop.document("handbook", PAGE, SECTION)
    workshop.wants(Harbours=6, Law=2)
    for model in workshop.models:
        model["banks"] = []
    workshop.models.append(workshop.model("swept", "hosted_vllm/swept", workshop.server.url))
    workshop.write()

    def script(request: Request) -> Reply:
        if request.model == "swept":
            return Reply(text="I don't know.")
        return Reply(text="D") if "I don't know." in request.message else workshop.author(request)

    workshop.server.script = script
    return workshop


def test_a_build_a_review_and_a_sweep_lead_from_documents_to_a_report(bank: Workshop, tmp_path: Path) -> None:
    dry = factsweep("build", "--domain", DOMAIN, "--dry-run")
    assert dry.exit_code == 0
    assert "8 items are missing over 2 topics" in dry.stdout
    assert bank.requests == 0

    built = factsweep("build", "--domain", DOMAIN)
    assert built.exit_code == 3, "topics are short, and the status says so"
    assert {bank.line(fact).status for fact in KEPT} == {"active"}
    assert bank.line(PAGE).status == "dropped"

    page = Path(factsweep("review", "--domain", DOMAIN).stdout.split("\n")[0].split(": ")[-1].strip())
    assert QUAY.excerpt[:40] in page.read_text(encoding="utf-8")
    line = bank.line(QUAY)
    row = line.row("land", DOMAIN, bank.open().banks.banks["land"].spec.format)
    decision = {"item_id": line.id, "decision": "correct", "note": "clearer", "question": f"{line.question} Briefly."}
    decisions = tmp_path / "decisions.json"
    decisions.write_text(
        json.dumps(
            {
                "format": "factsweep-review-1",
                "domain": DOMAIN,
                "saved_at": "2026-01-01T00:00:00Z",
                "reviewer": "Ada",
                "decisions": [
                    decision | {"question_version": row["question_version"], "answer_version": row["answer_version"]}
                ],
            }
        )
    )
    assert factsweep("review", "--apply", str(decisions)).exit_code == 0

    bought = bank.requests
    again = factsweep("build", "--domain", DOMAIN)
    assert again.exit_code == 3
    assert bank.requests == bought, "nothing new is bought"
    assert bank.line(QUAY).question.endswith("Briefly."), "what a person corrected stays"

    active = [line for line in bank.lines() if line.status == "active"]
    assert factsweep("sweep", "--domain", DOMAIN, "--model", "swept").exit_code == 0
    asked = [request for request in bank.server.log if request.model == "swept"]
    assert len(asked) == len(active), "only the active items are asked"

    report = ReadPage(bank.open().home.report / "internal" / "banks" / "land.html")
    items = {item["i"]: item for item in report.json("data")["items"]}
    assert items[line.id]["c"][3] == QUAY.excerpt, "a cell leads to its items, and these to the sentence"

    shown = factsweep("show", bank.line(PAGE).id).stdout
    assert "dropped" in shown and "reliance" in shown


def test_a_build_says_which_role_lacks_its_key_and_does_what_can_be_done(
    bank: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    next(model for model in bank.models if model["id"] == "verifier")["api_key_env"] = "VERIFIER_KEY"
    bank.write()

    built = factsweep("build", "--domain", DOMAIN)

    assert built.exit_code == 3
    assert "verifier verifier: needs VERIFIER_KEY, which is not set" in built.stderr
    assert bank.lines() == []
    monkeypatch.setenv("VERIFIER_KEY", "k")
    bought = bank.requests
    factsweep("build", "--domain", DOMAIN)
    assert {bank.line(fact).status for fact in KEPT} == {"active"}
    assert not [call for call, times in bank.server.asked.items() if times > 1], "what was bought is not bought again"
    assert bank.requests > bought


def test_a_budget_stops_a_build_and_the_next_goes_on(bank: Workshop) -> None:
    stopped = factsweep("build", "--domain", DOMAIN, "--budget", "0.004")

    assert stopped.exit_code == 4
    assert "the budget is reached" in stopped.stderr

    factsweep("build", "--domain", DOMAIN)

    assert {bank.line(fact).status for fact in KEPT} == {"active"}
    assert not [call for call, times in bank.server.asked.items() if times > 1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("build",), "name a --domain, or a --bank"),
        (("build", "--domain", "land.nowhere"), "domain 'land.nowhere' is not registered"),
        (("build", "--bank", "nothing"), "bank 'nothing' is not registered"),
        (("build", "--domain", DOMAIN, "--budget", "0"), "--budget is 0.0; it must be over 0"),
    ],
)
def test_wrong_use_ends_with_2_and_a_remedy(bank: Workshop, arguments: tuple[str, ...], said: str) -> None:
    result = factsweep(*arguments)

    assert result.exit_code == 2
    assert said in result.output


def test_a_domain_without_sources_is_told_how_to_name_some(bank: Workshop) -> None:
    (bank.folder / "domains" / "bare.yaml").write_text(yaml.safe_dump({"title": "Bare"}))
    bank.write()

    result = factsweep("build", "--domain", "land.bare")

    assert result.exit_code == 2
    assert "names no sources; add a url or a path under sources:" in result.output
