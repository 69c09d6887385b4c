"""Who made a model: a verifier of the generator's own family would nod at the family's mistakes."""

import re

from resources.registries import ModelSpec

UNKNOWN = "unknown"

# Providers that serve models of their own only.
_MAKERS = {
    "ai21": "ai21",
    "anthropic": "anthropic",
    "azure": "openai",
    "cohere": "cohere",
    "cohere_chat": "cohere",
    "dashscope": "alibaba",
    "deepseek": "deepseek",
    "gemini": "google",
    "mistral": "mistral",
    "moonshot": "moonshot",
    "openai": "openai",
    "perplexity": "perplexity",
    "text-completion-openai": "openai",
    "xai": "xai",
}
_SELF_HOSTED = frozenset(
    ("hosted_vllm", "local", "ollama", "ollama_chat", "lm_studio", "llamafile", "vllm", "openai_like", "xinference")
)
# How the names of a maker's models begin, wherever they are served.
_FAMILIES = {
    "ai2": ("olmo", "tulu"),
    "ai21": ("jamba", "ai21"),
    "alibaba": ("qwen", "qwq"),
    "amazon": ("nova", "titan", "amazon"),
    "anthropic": ("claude", "anthropic"),
    "baidu": ("ernie",),
    "cohere": ("command", "c4ai", "aya", "cohere"),
    "deepseek": ("deepseek",),
    "google": ("gemini", "gemma", "google", "palm"),
    "hugging face": ("smollm", "zephyr", "huggingface"),
    "ibm": ("granite", "ibm"),
    "meta": ("llama", "meta-llama", "codellama", "meta"),
    "microsoft": ("phi", "wizardlm", "microsoft"),
    "minimax": ("minimax",),
    "mistral": ("mistral", "mixtral", "ministral", "codestral", "magistral", "pixtral", "devstral"),
    "moonshot": ("kimi", "moonshot"),
    "nvidia": ("nemotron", "nvidia"),
    "openai": ("gpt", "chatgpt", "o1", "o3", "o4", "text-davinci", "openai"),
    "perplexity": ("sonar",),
    "tencent": ("hunyuan",),
    "xai": ("grok", "x-ai"),
    "zhipu": ("glm", "chatglm", "z-ai", "thudm"),
}


def lab_of(spec: ModelSpec) -> str:
    """The maker of a model: `developer:` where models.yaml states it, else what its model string tells.

    With a server of one's own each name that tells nothing counts as a maker of its own. With a reseller or a proxy
    such a name is UNKNOWN, which is nobody else than anyone.
    """
    if spec.developer:
        return spec.developer.strip().casefold()
    if spec.provider in _MAKERS:
        return _MAKERS[spec.provider]
    if family := _family(spec.model):
        return family
    return spec.model.casefold() if spec.provider in _SELF_HOSTED else UNKNOWN


def are_apart(one: str, other: str) -> bool:
    """Whether two models are known to be made by different labs."""
    return one != other and UNKNOWN not in (one, other)


def _family(model: str) -> str | None:
    """The maker that some part of a model string names, the route left out."""
    for part in re.split(r"[/.:]", model.casefold())[1:]:
        for maker, beginnings in _FAMILIES.items():
            if any(re.match(rf"{re.escape(beginning)}(?![a-z])", part) for beginning in beginnings):
                return maker
    return None
