"""The two dynamic partition dimensions and their joint key.

Night and judge are columns, not dimensions: three dimensions do not exist. Keys are retired, never deleted, since
deleting one breaks its history.
"""

from dagster import DagsterInstance, DynamicPartitionsDefinition, MultiPartitionKey, MultiPartitionsDefinition

from resources.registries import Banks, Models

DOMAINS = DynamicPartitionsDefinition(name="domains")
MODELS = DynamicPartitionsDefinition(name="models")
DOMAINS_BY_MODELS = MultiPartitionsDefinition({"domain": DOMAINS, "model": MODELS})


def joint_key(domain: str, model: str) -> MultiPartitionKey:
    """The partition key of a (domain, model)."""
    return MultiPartitionKey({"domain": domain, "model": model})


def split_key(key: str) -> tuple[str, str]:
    """(domain, model) of a joint key; ids hold no `|`, which the registries see to."""
    domain, model = key.split("|")
    return domain, model


def missing_keys(instance: DagsterInstance, banks: Banks, models: Models) -> dict[str, list[str]]:
    """Keys that are registered with us and not yet with Dagster, by dimension."""
    wanted = {"domains": list(banks.domains), "models": models.ids}
    known = {name: set(instance.get_dynamic_partitions(name)) for name in wanted}
    return {name: [key for key in keys if key not in known[name]] for name, keys in wanted.items()}


def register_keys(instance: DagsterInstance, banks: Banks, models: Models) -> None:
    """Makes every registered domain and model a partition."""
    for name, keys in missing_keys(instance, banks, models).items():
        if keys:
            instance.add_dynamic_partitions(name, keys)
