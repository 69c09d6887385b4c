"""Lines that the layout draws: logic without Dagster, start-up without what takes seconds."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
ROOMS = ("orchestration", "assets", "resources", "checks")


def modules(room: str) -> list[Path]:
    return sorted((PROJECT / room).rglob("*.py"))


def imported(file: Path) -> set[str]:
    """Top-level names of everything a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_in_the_stages_only_assets_py_imports_dagster() -> None:
    strays = [str(file) for file in modules("assets") if file.name != "assets.py" and "dagster" in imported(file)]

    assert strays == []


def test_resources_import_no_dagster() -> None:
    assert [str(file) for file in modules("resources") if "dagster" in imported(file)] == []


def test_only_the_gateway_imports_litellm() -> None:
    importers = {
        str(file.parent.relative_to(PROJECT)) for room in ROOMS for file in modules(room) if "litellm" in imported(file)
    }

    assert importers == {"resources/llm"}


@pytest.mark.parametrize("module", ["orchestration.definitions", "orchestration.cli", "orchestration.sweeping"])
def test_start_up_leaves_out_what_takes_seconds(module: str) -> None:
    heavy = ("litellm", "great_expectations", "pandas", "altair")
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"

    shown = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"


def test_help_imports_no_library_but_click() -> None:
    code = (
        "import sys\n"
        "from orchestration.cli import main\n"
        "heavy = ('dagster', 'polars', 'duckdb', 'sqlalchemy', 'pydantic', 'yaml', 'rich', 'jinja2')\n"
        "print([name for name in heavy if name in sys.modules])"
    )

    shown = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)

    assert shown.stdout.strip() == "[]"


def test_locks_have_hashes_and_no_index_address() -> None:
    for lock in PROJECT.glob("requirements*.lock"):
        text = lock.read_text()
        assert "--hash=sha256:" in text
        assert not [line for line in text.splitlines() if line.startswith("-")], "an option may name an index"
        assert "://" not in text


def test_every_module_opens_with_what_it_is_for() -> None:
    files = [file for room in (*ROOMS, "scripts", "benchmarks") for file in modules(room)]
    bare = [
        str(file)
        for file in files
        if file.read_text(encoding="utf-8").strip()
        and not ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    ]

    assert bare == []
