"""Reading a YAML file into a pydantic model, with faults told as file, key and remedy."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

Spec = TypeVar("Spec", bound=BaseModel)


@dataclass(frozen=True)
class Problem:
    """One fault in a registry file."""

    file: Path
    key: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}: {self.key}" if self.key else str(self.file)
        return f"{where}: {self.message}"


def told(problems: Iterable[Problem]) -> str:
    """All of them in one line."""
    return "; ".join(map(str, problems))


class RegistryFault(Exception):
    """A file that could not be used, with its problems; caught by the loaders, never by a user."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(told(problems))
        self.problems = problems


def read_yaml(file: Path) -> dict[str, Any]:
    """The mapping in `file`.

    Raises:
        RegistryFault: when the file is missing, unreadable, not YAML or not a mapping.
    """
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RegistryFault([Problem(file, "", "no such file; create it or point to another")]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise RegistryFault([Problem(file, "", f"cannot be read ({error}); save it as UTF-8 text")]) from None
    except yaml.YAMLError as error:
        line = f" in line {error.problem_mark.line + 1}" if getattr(error, "problem_mark", None) else ""  # type: ignore[union-attr]
        reason = getattr(error, "problem", None) or "not readable"
        raise RegistryFault(
            [Problem(file, "", f"is not valid YAML{line}: {reason}; mend the line or its indentation")]
        ) from None
    if content is None:
        content = {}
    if not isinstance(content, dict):
        raise RegistryFault([Problem(file, "", "must hold a mapping of `key: value` lines")])
    return content


def validate(spec: type[Spec], content: Any, file: Path, key: str = "") -> Spec:
    """`content` as `spec`.

    Raises:
        RegistryFault: with one problem a wrong key.
    """
    try:
        return spec.model_validate(content)
    except ValidationError as error:
        problems = []
        for fault in error.errors(include_url=False):
            path = ".".join([key, *map(str, fault["loc"])]).strip(".")
            problems.append(Problem(file, path, _remedy(fault["type"], fault["msg"], nested=bool(fault["loc"]))))
        raise RegistryFault(problems) from None


def _remedy(kind: str, message: str, *, nested: bool) -> str:
    if kind == "missing":
        return "is missing; add it"
    if kind == "extra_forbidden":
        return "is not a known key; remove it or mend its spelling"
    if kind in ("model_type", "dict_type") and nested:
        return "must hold keys of its own, `{key: value}`"
    return message.removeprefix("Value error, ")
