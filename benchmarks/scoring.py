"""Scores and leaderboard of an installation, as the assets of these names make them, without Dagster.

Run as `python -m benchmarks.scoring TIMES` in an installation's environment: prints the CPU seconds of each time.
"""

import sys
import time

from assets.metrics.leaderboard import leaderboard_table
from assets.metrics.public_scores import public_score_table
from assets.metrics.ranks import rank_table
from assets.metrics.scores import score_table
from checks.contracts import RESPONSES
from resources.installation import Installation


def main() -> None:
    installation = Installation.open()
    for _ in range(int(sys.argv[1])):
        began = time.process_time()
        score(installation)
        print(time.process_time() - began)


def score(installation: Installation) -> None:
    """Writes their tables from what is recorded."""
    lake, banks = installation.lake, installation.banks.banks
    penalty = {name: bank.spec.penalty for name, bank in banks.items()}
    notes = {name: bank.spec.note for name, bank in banks.items() if bank.spec.note}
    columns = [name for name in RESPONSES.schema if name != "text"]
    tables = lake.read("items"), lake.read("responses", columns), lake.read("grades"), lake.read("partitions")
    scores = score_table(*tables, penalty=penalty, notes=notes)
    lake.write("scores", scores)
    lake.write("leaderboard", leaderboard_table(scores, rank_table(*tables, penalty=penalty)))
    lake.write("public_scores", public_score_table(scores, *tables, penalty=penalty))


if __name__ == "__main__":
    main()
