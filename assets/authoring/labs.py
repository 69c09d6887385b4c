"""Who made a model: a verifier of the generator's own family would nod at the family's mistakes."""

from resources.registries import ModelSpec

# Routes to models of many makers; the route says nothing of who made the model.
_RESELLERS = frozenset(
    ("azure_ai", "bedrock", "deepinfra", "fireworks_ai", "groq", "nebius", "openrouter", "together_ai", "vertex_ai")
)
_SELF_HOSTED = frozenset(("hosted_vllm", "local", "ollama", "ollama_chat", "lm_studio", "llamafile", "vllm"))


def lab_of(spec: ModelSpec) -> str:
    """The maker of a model: `developer:` where models.yaml states it, else what its model string tells.

    With a reseller that is the part after the route (`openrouter/anthropic/…`). A server of one's own tells nothing,
    so that each of its models counts as a maker of its own.
    """
    if spec.developer:
        return spec.developer.strip().casefold()
    if spec.provider in _SELF_HOSTED:
        return spec.model.casefold()
    parts = spec.model.casefold().split("/")
    if spec.provider in _RESELLERS and len(parts) > 2:
        return parts[1]
    return {"azure": "openai", "gemini": "google", "text-completion-openai": "openai"}.get(spec.provider, spec.provider)
