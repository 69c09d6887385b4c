"""Rules on responses: sound items, each answered once and as it stands now, and how many responses are no answer."""

from checks.bank_rules import GOLD_IN_QUESTION, VERIFIED_BY_OWN_LAB
from checks.item_rules import ANSWERS_NOT_EMPTY, OPTIONS_SOUND
from checks.results import Severity
from checks.rules import RESTORE, Rule, partitions_over

TRUNCATED_SHARE = 0.02
FAILED_SHARE = 0.02

_ITEMS_SOUND = f"""\
select domain, item_id, problem
from (
  select domain, item_id, 'the item stands twice' as problem
  from items group by domain, item_id having count(*) > 1
  union all
  select domain, item_id, 'no answer, or a blank alias' from ({ANSWERS_NOT_EMPTY})
  union all
  select domain, item_id, problem from ({OPTIONS_SOUND})
  union all
  select domain, item_id, 'built, and verified by the lab that drafted it' from ({VERIFIED_BY_OWN_LAB})
  where card_id is not null
  union all
  select domain, item_id, 'built, and its question holds its gold' from ({GOLD_IN_QUESTION})
  where card_id is not null
)
semi join responses using (domain, item_id)"""

_ANSWERED_ONCE = """\
select domain, model, item_id, sample, count(*) as answers
from responses
group by all
having count(*) > 1"""

# What no sweep will touch is left out: a domain in which nothing is asked any more, a model that is retired.
_QUESTIONS_CURRENT = """\
select r.domain, r.model, r.item_id, r.sample,
  if(i.item_id is null, 'the item is gone', 'an earlier question') as problem
from responses r
left join items i using (domain, item_id)
where i.question_version is distinct from r.question_version
  and r.domain in (select domain from items where status = 'active')
  and (r.bank, r.model) not in (select (bank, model) from leaderboard where retired)"""

_PARTITIONS_RECORDED = """\
select domain, model, count(*) as responses
from responses
anti join partitions using (domain, model)
group by all"""

RESPONSE_RULES = (
    Rule(
        "items_sound",
        "responses",
        Severity.ERROR,
        "No model was asked an item that stands twice, has no answer or has unsound options, nor a built one whose "
        "question holds its gold or that the lab which drafted it verified.",
        "See the checks of items: mend or retire the item in the bank's items file; then sweep.",
        _ITEMS_SOUND,
        blocking=True,
    ),
    Rule(
        "answered_once",
        "responses",
        Severity.ERROR,
        "A model has one response for each item and sample that it was asked.",
        RESTORE,
        _ANSWERED_ONCE,
        blocking=True,
    ),
    Rule(
        "questions_current",
        "responses",
        Severity.WARN,
        "Responses belong to an item as it stands now; others are not scored.",
        "The item was edited or removed after it was asked: sweep, which asks only edited items anew. What a retired "
        "model said stays, and is not looked at once the leaderboard shows it as retired.",
        _QUESTIONS_CURRENT,
    ),
    Rule(
        "partitions_recorded",
        "responses",
        Severity.WARN,
        "Each domain and model with responses has its record, which is written last.",
        "A sweep was stopped while it recorded: sweep these partitions again, which buys nothing twice.",
        _PARTITIONS_RECORDED,
    ),
    Rule(
        "truncated_share",
        "responses",
        Severity.WARN,
        f"At most {TRUNCATED_SHARE:.0%} of a partition's responses were cut off before an answer.",
        "Raise the model's max_tokens in models.yaml; truncated answers are asked again when parameters change.",
        partitions_over("truncated", "asked", TRUNCATED_SHARE),
        threshold=TRUNCATED_SHARE,
    ),
    Rule(
        "failed_share",
        "responses",
        Severity.WARN,
        f"At most {FAILED_SHARE:.0%} of a partition's calls failed.",
        "Read finish_reason of the failed responses, mend the key, the quota or the endpoint, and sweep again.",
        partitions_over("failed", "asked", FAILED_SHARE),
        threshold=FAILED_SHARE,
    ),
)
