"""Recording one partition whose answers are all in the ledger: prints the CPU seconds of each time.

Run as `python -m benchmarks.recording TIMES` in the environment of a benchmark installation. The ledger is
filled directly, as a sweep would have, so that nothing has to be asked.
"""

import json
import sys
import time

from assets.sweeps.plan import make_plan
from assets.sweeps.record import record
from assets.sweeps.request import Request
from assets.sweeps.work import Workbook
from benchmarks.bank import ANSWER, BANK
from resources.installation import Installation, utc_now
from resources.ledger import Completed, Owner, Purse, Reservation
from resources.llm import Call
from resources.types import FactsweepError, Outcome

_COST_USD = 1e-4


def main() -> None:
    installation = Installation.open()
    [planned] = make_plan(installation, Request(banks=(BANK,))).partitions
    book = Workbook(installation, planned.target)
    _buy(installation, [unit.call for unit in book.units(planned.items)])
    for _ in range(int(sys.argv[1])):
        began = time.process_time()
        recorded = record(installation, planned.target, "bench", utc_now(), None)
        print(time.process_time() - began)
        if recorded.summary["coverage"] != 1:
            raise FactsweepError("not every answer of the benchmark is graded, so the time says nothing")
    installation.ledger.close()


def _buy(installation: Installation, calls: list[Call]) -> None:
    owner = Owner.register()
    purse = Purse(owner, "bench", "2026-01-01", {})
    wishes = [Reservation(call.call_id, call.role, call.spec.id, call.request, _COST_USD) for call in calls]
    installation.ledger.transact(purse, [], wishes)
    installation.ledger.transact(purse, [_answer(call) for call in calls], [])
    owner.retire()


def _answer(call: Call) -> Completed:
    return Completed(
        call_id=call.call_id,
        reserved_usd=_COST_USD,
        outcome=Outcome.ANSWERED,
        text=ANSWER,
        finish_reason="stop",
        served_model="m0",
        input_tokens=90,
        output_tokens=1,
        reasoning_tokens=0,
        cost_usd=_COST_USD,
        latency_s=0.2,
        reply=json.dumps({"choices": [{"message": {"role": "assistant", "content": ANSWER}}]}),
    )


if __name__ == "__main__":
    main()
