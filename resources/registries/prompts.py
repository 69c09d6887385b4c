"""Prompt files: sandboxed Jinja2 with optional YAML front matter; a bank from elsewhere can run no code."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from resources.types import ConfigurationError


class PromptError(ConfigurationError):
    """A prompt file that is missing, malformed, or uses a variable that does not exist."""


@dataclass(frozen=True)
class Prompt:
    """A template with its settings; `version` is the hash of the file."""

    file: Path
    settings: Mapping[str, Any]
    version: str
    body: str

    @classmethod
    def load(cls, file: Path) -> "Prompt":
        """The prompt in `file`.

        Raises:
            PromptError: when the file cannot be read or its front matter is no YAML mapping.
        """
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PromptError(f"prompt {file}: cannot be read ({error}); restore it or save it as UTF-8") from None
        settings: Any = {}
        body = text
        if text.startswith("---\n"):
            front, separator, body = text[4:].partition("\n---\n")
            if not separator:
                raise PromptError(f"prompt {file}: its front matter has no closing `---` line; add one")
            try:
                settings = yaml.safe_load(front) or {}
            except yaml.YAMLError as error:
                raise PromptError(f"prompt {file}: its front matter is not valid YAML ({error})") from None
            if not isinstance(settings, dict):
                raise PromptError(f"prompt {file}: its front matter must be `key: value` lines")
        return cls(file, settings, sha256(text.encode()).hexdigest()[:16], body.strip())

    def renderer(self) -> "Renderer":
        return Renderer(self)


class Renderer:
    """A prompt compiled once, rendered for many items."""

    def __init__(self, prompt: Prompt) -> None:
        from jinja2 import StrictUndefined, TemplateError
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        self._prompt = prompt
        self._error = TemplateError
        try:
            self._template = environment.from_string(prompt.body)
        except TemplateError as error:
            raise PromptError(f"prompt {prompt.file}: {error}; mend the template") from None

    def render(self, **variables: object) -> str:
        """The text for one item.

        Raises:
            PromptError: when the template uses an unknown variable or a forbidden attribute.
        """
        try:
            return self._template.render(**variables)
        except self._error as error:
            known = ", ".join(sorted(variables))
            raise PromptError(f"prompt {self._prompt.file}: {error}; variables are {known}") from None
