"""The command line, `factsweep`. Commands import what is heavy inside, so that `--help` answers at once."""

import os
import sys

import click

from orchestration.commands.build import build_command
from orchestration.commands.compare_nights import compare_nights_command
from orchestration.commands.demo import demo_command
from orchestration.commands.discover import discover_command
from orchestration.commands.dispute import dispute_command
from orchestration.commands.doctor import doctor_command
from orchestration.commands.drift import drift_command
from orchestration.commands.export import export_command
from orchestration.commands.import_ import import_command
from orchestration.commands.new_domain import new_domain_command
from orchestration.commands.report import report_command
from orchestration.commands.review import review_command
from orchestration.commands.show import show_command
from orchestration.commands.split import split_command
from orchestration.commands.status import status_command
from orchestration.commands.sweep import sweep_command
from orchestration.commands.tidy import tidy_command
from resources.home import load_environment
from resources.types import ConfigurationError, FactsweepError


class _Group(click.Group):
    """Turns our errors into one message and the exit status that scripts rely on."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except ConfigurationError as error:
            click.echo(f"factsweep: {error}", err=True)
            ctx.exit(2)
        except FactsweepError as error:
            click.echo(f"factsweep: {error}", err=True)
            ctx.exit(1)
        except BrokenPipeError:  # `factsweep export … | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="factsweep")
def main() -> None:
    """Measures what language models know and whether they know what they don't.

    Exit status: 0 done, 1 a fault of factsweep, 2 wrong use or configuration, 3 incomplete (some
    coverage of what was asked for is under 100 %), 4 stopped by the budget.
    """
    load_environment()
    _give_back_memory()


def _give_back_memory() -> None:
    """Polars and Arrow would keep what they freed for later use, 40 MB; both read this when they are imported."""
    os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0")
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


for command in (
    demo_command,
    new_domain_command,
    discover_command,
    build_command,
    sweep_command,
    status_command,
    compare_nights_command,
    show_command,
    dispute_command,
    doctor_command,
    drift_command,
    import_command,
    export_command,
    report_command,
    review_command,
    split_command,
    tidy_command,
):
    main.add_command(command)
