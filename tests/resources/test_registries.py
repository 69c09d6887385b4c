"""Registries: faults name file, key and remedy; one bad entry never takes the others down."""

from pathlib import Path

import pytest

from resources.registries import ModelSpec, Prompt, PromptError, load_banks, load_models


def models(tmp_path: Path, text: str):
    file = tmp_path / "models.yaml"
    file.write_text(text)
    return load_models(file)


def bank(root: Path, name: str, bank_yaml: str, **domains: str) -> None:
    (root / name / "domains").mkdir(parents=True)
    (root / name / "bank.yaml").write_text(bank_yaml)
    for domain, text in domains.items():
        (root / name / "domains" / f"{domain}.yaml").write_text(text)


def test_models_and_baselines_are_the_partitions(tmp_path: Path) -> None:
    loaded = models(tmp_path, "models:\n  - {id: a, model: openai/a}\n")

    assert loaded.ids == ["abstain", "guess", "a"]
    assert loaded.problems == ()


def test_a_bad_model_leaves_the_others_in_use(tmp_path: Path) -> None:
    loaded = models(tmp_path, "models:\n  - {id: a, model: openai/a, tempreature: 1}\n  - {id: b, model: openai/b}\n")

    assert list(loaded.specs) == ["b"]
    assert str(loaded.problems[0]) == (
        f"{tmp_path / 'models.yaml'}: models.a.tempreature: is not a known key; remove it or mend its spelling"
    )


def test_a_word_where_keys_belong_is_told(tmp_path: Path) -> None:
    loaded = models(tmp_path, "models:\n  - {id: a, model: openai/a, price: cheap}\n")

    assert str(loaded.problems[0]).endswith("models.a.price: must hold keys of its own, `{key: value}`")


def test_an_id_that_dagster_would_drop_silently_is_refused(tmp_path: Path) -> None:
    loaded = models(tmp_path, "models:\n  - {id: 'a|b', model: openai/a}\n")

    assert "holds '|'" in str(loaded.problems[0])


@pytest.mark.parametrize("odd", ["meta/llama:8b@fast", "mistral große", "日本語", "a b"])
def test_ids_with_slashes_colons_spaces_and_unicode_are_taken(tmp_path: Path, odd: str) -> None:
    loaded = models(tmp_path, f"models:\n  - {{id: '{odd}', model: openai/a}}\n")

    assert list(loaded.specs) == [odd]


def test_an_id_that_stands_twice_is_told(tmp_path: Path) -> None:
    loaded = models(tmp_path, "models:\n  - {id: a, model: openai/a}\n  - {id: a, model: openai/b}\n")

    assert [str(problem).rsplit(": ", 1)[1] for problem in loaded.problems] == [
        "stands twice; give one of them another id"
    ]


def test_broken_yaml_names_its_line(tmp_path: Path) -> None:
    loaded = models(tmp_path, "models:\n  - {id: a, model: openai/a\nbaselines: []\n")

    assert "is not valid YAML in line 3" in str(loaded.problems[0])


@pytest.mark.parametrize("name", ["n", "stream", "api_key", "timeout"])
def test_what_is_no_parameter_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    found = models(tmp_path, f"models:\n  - {{id: m, model: openai/m, params: {{{name}: 2}}}}\n")

    assert found.specs == {}
    assert f"params.{name}" in str(found.problems[0])


def test_a_discovery_rule_with_what_is_no_parameter_is_refused_and_the_other_rules_stay(tmp_path: Path) -> None:
    found = models(tmp_path, "discovery:\n  - {provider: openai, params: {n: 2}}\n  - {provider: groq}\n")

    assert [rule.provider for rule in found.discovery] == ["groq"]
    assert f"{tmp_path / 'models.yaml'}: discovery.0: params.n would buy" in str(found.problems[0])


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (
            "models: [a]",
            "include: ['o-*']",
            "only one of the two has a fixed list; give `models:` to both or to neither",
        ),
        (
            "include: ['gpt-*']",
            "api_key_env: OTHER",
            "it takes the key from OTHER and the other from OPENAI_API_KEY; give both the same `api_key_env`",
        ),
    ],
)
def test_rules_for_one_source_that_cannot_share_a_listing_are_out_of_force_together(
    first: str, second: str, said: str, tmp_path: Path
) -> None:
    text = (
        f"discovery:\n  - {{provider: openai, {first}}}\n  - {{provider: openai, {second}}}\n  - {{provider: groq}}\n"
    )
    found = models(tmp_path, text)

    assert [rule.provider for rule in found.discovery] == ["groq"]
    assert [str(problem) for problem in found.problems] == [
        f"{tmp_path / 'models.yaml'}: discovery.1: lists openai as discovery.0 does, but {said}"
    ]


@pytest.mark.parametrize(
    ("rule", "left"), [("provider: openai, timeout: never", ["groq"]), ("provider: [openai]", []), ("models: [a]", [])]
)
def test_a_rule_with_a_fault_hands_its_models_to_no_other_rule(rule: str, left: list[str], tmp_path: Path) -> None:
    text = f"discovery:\n  - {{{rule}}}\n  - {{provider: openai, include: ['*']}}\n  - {{provider: groq}}\n"

    assert [each.provider for each in models(tmp_path, text).discovery] == left


@pytest.mark.parametrize("name", ["openai/judge", "openai/gpt-5"])
def test_nothing_stands_in_for_an_entry_with_a_fault(name: str, tmp_path: Path) -> None:
    entry = "{id: openai/judge, model: openai/gpt-5, api_base: 'http://here', price: cheap}"
    found = models(tmp_path, f"models:\n  - {entry}\n")

    with pytest.raises(ValueError, match=r"has a fault in models\.yaml"):
        found.resolve(name)
    discovered = ModelSpec(id="openai/gpt-5", model="openai/gpt-5")
    assert found.with_discovered([discovered]).specs == {}
    assert found.resolve("openai/another").model == "openai/another"


def test_an_entry_that_states_no_id_could_be_any_role(tmp_path: Path) -> None:
    found = models(tmp_path, "models:\n  - {model: openai/gpt-5}\n")

    with pytest.raises(ValueError, match=r"has a fault in models\.yaml"):
        found.resolve("openai/another")


def test_rules_for_one_source_that_can_share_a_listing_are_all_in_force(tmp_path: Path) -> None:
    found = models(
        tmp_path, "discovery:\n  - {provider: openai}\n  - {provider: openai, api_key_env: OPENAI_API_KEY}\n"
    )

    assert (len(found.discovery), found.problems) == (2, ())


def test_a_model_string_without_provider_is_told_with_an_example(tmp_path: Path) -> None:
    loaded = models(tmp_path, "models:\n  - {id: a, model: gpt-5}\n")

    assert "write provider/name, such as openai/gpt-5-mini" in str(loaded.problems[0])


def test_keys_are_read_from_the_environment_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = models(tmp_path, "models:\n  - {id: a, model: openai/a, api_key_env: SOME_KEY}\n").specs["a"]
    assert spec.missing_variable() == "SOME_KEY"

    monkeypatch.setenv("SOME_KEY", "secret")
    assert spec.missing_variable() is None


def test_a_bad_domain_leaves_the_bank_and_its_other_domains_in_use(tmp_path: Path) -> None:
    bank(tmp_path, "ours", "title: Ours\nformat: short_answer\n", law="title: Law\n", tax="titel: Tax\n")

    loaded = load_banks([tmp_path])

    assert list(loaded.domains) == ["ours.law"]
    assert {problem.key for problem in loaded.problems} == {"title", "titel"}


def test_a_bad_bank_leaves_the_other_banks_in_use(tmp_path: Path) -> None:
    bank(tmp_path, "bad", "title: Bad\nformat: essay\n", law="title: Law\n")
    bank(tmp_path, "good", "title: Good\nformat: multiple_choice\n", law="title: Law\n")

    loaded = load_banks([tmp_path])

    assert list(loaded.banks) == ["good"]
    assert loaded.problems[0].key == "format"


def test_a_bank_name_in_two_folders_is_told(tmp_path: Path) -> None:
    for root in ("one", "two"):
        bank(tmp_path / root, "same", "title: T\nformat: short_answer\n")

    assert "rename one folder" in str(load_banks([tmp_path / "one", tmp_path / "two"]).problems[0])


def test_a_private_bank_admits_only_its_providers(tmp_path: Path) -> None:
    text = "title: T\nformat: short_answer\nprivate: true\nproviders: [azure]\n"
    bank(tmp_path, "ours", text)

    loaded = load_banks([tmp_path]).banks["ours"]

    assert [loaded.admits(provider) for provider in ("azure", "openai", "local")] == [True, False, True]


def test_a_prompt_cannot_run_code(tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    file.write_text("{{ question.__class__.__mro__ }}")

    with pytest.raises(PromptError, match=r"answer\.md"):
        Prompt.load(file).renderer().render(question="q")


def test_a_prompt_with_an_unknown_variable_says_which_there_are(tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    file.write_text("{{ qestion }}")

    with pytest.raises(PromptError, match="'qestion' is undefined; variables are question"):
        Prompt.load(file).renderer().render(question="q")


def test_jinja_in_a_question_stays_text(tmp_path: Path) -> None:
    file = tmp_path / "answer.md"
    file.write_text("Q: {{ question }}")

    assert Prompt.load(file).renderer().render(question="{{ 7 * 7 }} {gold}") == "Q: {{ 7 * 7 }} {gold}"


def test_front_matter_is_settings_and_no_text(tmp_path: Path) -> None:
    file = tmp_path / "judge.md"
    file.write_text("---\nlabels: {A: correct}\n---\nJudge.")

    prompt = Prompt.load(file)

    assert prompt.settings == {"labels": {"A": "correct"}}
    assert prompt.body == "Judge."


@pytest.mark.parametrize("first", ["title: X\nformat: short_answer\n", "title: [\n"])
def test_a_name_that_two_folders_have_is_the_firsts_and_retires_nothing(first: str, tmp_path: Path) -> None:
    bank(tmp_path / "one", "x", first, a="title: A\n")
    bank(tmp_path / "two", "x", "title: Y\nformat: short_answer\n", b="title: B\n")

    found = load_banks([tmp_path / "one", tmp_path / "two"])

    assert f"bank x stands in {tmp_path / 'one' / 'x'} too" in str(found.problems[-1])
    assert "x.b" not in found.domains
    assert found.may_hold("x.b")
