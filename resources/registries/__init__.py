"""Registries: what models.yaml and the bank folders say, read and validated.

A bad file or entry becomes a `Problem` that names file, key and remedy; the others stay in use.
"""

from resources.registries.banks import Bank, Banks, Domain, load_banks
from resources.registries.discovery_rules import DiscoveryRule
from resources.registries.model_specs import ModelSpec, Price
from resources.registries.models import Models, load_models
from resources.registries.operation import Drift, Nightly
from resources.registries.problems import Problem
from resources.registries.prompts import Prompt, PromptError

__all__ = [
    "Bank",
    "Banks",
    "DiscoveryRule",
    "Domain",
    "Drift",
    "ModelSpec",
    "Models",
    "Nightly",
    "Price",
    "Problem",
    "Prompt",
    "PromptError",
    "load_banks",
    "load_models",
]
