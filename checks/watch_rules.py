"""Rules on what is left behind."""

from checks.results import Severity
from checks.rules import Rule

NIGHTS = 2

LEFT_BEHIND = f"""\
select domain, model, state, reason, since, date_diff('day', since, seen_at) as nights
from open_partitions
where excuse is null and since < seen_at - interval {NIGHTS} days"""

WATCH_RULES = (
    Rule(
        "nothing_left_behind",
        "open_partitions",
        Severity.ERROR,
        f"No partition is missing, failed or stale for longer than {NIGHTS} nights without a reason on record.",
        "See that the schedule `nightly` is on and its runs go through (make up, or the Automation page); or sweep "
        "these partitions now: `factsweep sweep`.",
        LEFT_BEHIND,
    ),
)
