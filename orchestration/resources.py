"""Dagster's side of `resources/`: what assets and checks ask for by name."""

from collections.abc import Iterator
from contextlib import contextmanager

from dagster import ConfigurableResource
from dagster_duckdb import DuckDBResource

from resources.home import current_home
from resources.installation import Installation
from resources.warehouse import Lake


class InstallationResource(ConfigurableResource):
    """Registries, lake and ledger of the installation that the environment names, read anew in each run."""

    def get(self) -> Installation:
        return Installation.open()


class LakeResource(DuckDBResource):
    """DuckDB in memory with one view a table of the lake."""

    database: str = ":memory:"

    def get(self) -> Lake:
        return Lake(current_home().lake)

    @contextmanager
    def tables(self) -> Iterator:
        """A connection with the views of all tables."""
        with self.get_connection() as connection:
            self.get().create_views(connection)
            yield connection
