"""How a run ends that a person has to look at: a fault that they can mend, or their own Ctrl-C or Terminate."""

from collections.abc import Iterator
from contextlib import contextmanager

from dagster import AssetExecutionContext, Failure
from dagster._core.errors import DagsterExecutionInterruptedError

from orchestration.console import Console
from orchestration.runs import cancel_run
from resources.installation import Installation
from resources.registries.problems import told
from resources.types import FactsweepError


@contextmanager
def ending_well(context: AssetExecutionContext, console: Console) -> Iterator[None]:
    """Tells the console what went wrong, and Dagster not to try again what would end the same way."""
    try:
        yield
    except FactsweepError as error:
        console.failed(error)
        raise Failure(str(error), allow_retries=False) from None
    except (DagsterExecutionInterruptedError, KeyboardInterrupt):
        console.interrupted()
        cancel_run(context)
        raise


def refuse_hidden(installation: Installation, domain: str, model: str | None = None) -> None:
    """A partition that a fault in a registry file hides is not a retired one: nothing is known of it.

    Raises:
        Failure: naming the faults.
    """
    banks, models = installation.banks, installation.models
    if domain not in banks.domains and banks.may_hold(domain):
        raise Failure(f"{domain} cannot be read: {told(banks.problems)}", allow_retries=False)
    if model is not None and model not in models.ids and models.may_hold(model):
        raise Failure(f"{model} cannot be read: {told(models.problems)}", allow_retries=False)


def root_run(context: AssetExecutionContext) -> str:
    """The run that a person or schedule asked for; a retry after a crash goes on in its name."""
    return context.run.root_run_id or context.run.run_id
