"""Writing a report beside a sweep: a long one in a process of its own, whose memory goes when it is written."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime

from assets.reports.pages import Report, write_report
from resources.installation import Installation

# A process costs about a second and a half of imports; the pages of so many answers take 50 MB that do not come back.
_MANY_ANSWERS = 4_000


def write_report_sparingly(installation: Installation, made_at: datetime) -> Report:
    """`write_report` for the installation that the environment names."""
    answers = installation.lake.read("partitions", ["asked"])["asked"].sum()
    if answers < _MANY_ANSWERS:
        return write_report(installation, made_at)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(_write_report, made_at).result()


def _write_report(made_at: datetime) -> Report:
    return write_report(Installation.open(), made_at)
