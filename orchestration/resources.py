"""Dagster's side of `resources/`: what assets and checks ask for by name."""

from collections.abc import Iterator
from contextlib import contextmanager

from dagster import ConfigurableResource, Failure, InitResourceContext
from dagster_duckdb import DuckDBResource

from orchestration.runs import claim_run
from resources.home import current_home
from resources.installation import Installation
from resources.registries.problems import told
from resources.warehouse import Lake


class InstallationResource(ConfigurableResource):
    """Registries, lake and ledger of the installation that the environment names, read anew in each run."""

    def setup_for_execution(self, context: InitResourceContext) -> None:
        """Every run that works on the installation says which process it is."""
        if context.instance is not None and context.run is not None:
            claim_run(context.instance, context.run.run_id)

    def get(self) -> Installation:
        return Installation.open()

    def for_run(self) -> Installation:
        """The same for a run that asks models or says which there are.

        Raises:
            Failure: when models.yaml cannot be read: its caps would not hold, and all models would seem to be gone.
        """
        opened = self.get()
        if not opened.models.readable:
            faults = told(opened.models.problems)
            raise Failure(f"Nothing is asked, graded or published until this is mended: {faults}", allow_retries=False)
        return opened


class LakeResource(DuckDBResource):
    """DuckDB in memory with one view a table of the lake."""

    database: str = ":memory:"

    def get(self) -> Lake:
        return Lake(current_home().lake)

    @contextmanager
    def tables(self, domain: str | None = None) -> Iterator:
        """A connection with the views of all tables, or of what they hold of one domain."""
        with self.get_connection() as connection:
            self.get().create_views(connection, domain)
            yield connection
