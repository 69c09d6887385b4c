"""Rules on grades and on the record of each partition: all graded or with a reason, counts that add up, coverage.

They look at recorded partitions only: what a stopped sweep left half written has no record yet.
"""

from checks.results import Severity
from checks.rules import RESTORE, Rule, partitions_over
from checks.sql import is_blank

UNREADABLE_SHARE = 0.05

_GRADED_OR_REASON = f"""\
with graded as (
  select domain, model, item_id, sample, epoch, count(*) as grades, count(grade) as given,
    bool_or(grade is null and (reason is null or {is_blank("reason")})) as silent
  from grades
  group by all
)
select domain, model, item_id, sample, case
  when r.outcome is null then 'a grade without its response'
  when r.outcome <> 'answered' and given > 0 then 'a grade, though the response was ' || r.outcome
  when r.outcome = 'answered' and grades is null then 'answered, but neither a grade nor a reason'
  when grades > 1 then grades || ' grades'
  when silent then 'no grade and no reason'
  end as problem
from responses r
full join graded using (domain, model, item_id, sample, epoch)
semi join partitions using (domain, model)
where problem is not null"""

_COUNTS_ADD_UP = """\
with answers as (
  select domain, model, count(*) as found_asked, max(sample) + 1 as found_samples,
    count(*) filter (outcome = 'answered') as found_answered,
    count(*) filter (outcome = 'truncated') as found_truncated,
    count(*) filter (outcome = 'filtered') as found_filtered,
    count(*) filter (outcome = 'failed') as found_failed
  from responses
  group by domain, model
), given as (
  select domain, model, count(grade) as found_graded
  from grades
  group by domain, model
), compared as (
  select domain, model, unnest([
    {'problem': 'rows of responses differ from asked', 'recorded': asked, 'found': found_asked},
    {'problem': 'outcomes differ from answered', 'recorded': answered, 'found': found_answered},
    {'problem': 'outcomes differ from truncated', 'recorded': truncated, 'found': found_truncated},
    {'problem': 'outcomes differ from filtered', 'recorded': filtered, 'found': found_filtered},
    {'problem': 'outcomes differ from failed', 'recorded': failed, 'found': found_failed},
    {'problem': 'grades differ from graded', 'recorded': graded, 'found': found_graded},
    {'problem': 'answered, truncated, filtered and failed are not asked',
     'recorded': asked, 'found': answered + truncated + filtered + failed},
    {'problem': 'asked is more than items times samples',
     'recorded': items * samples, 'found': greatest(asked, items * samples)},
    {'problem': 'a sample number is not under samples',
     'recorded': samples, 'found': greatest(found_samples, samples)}
  ], recursive := true)
  from partitions
  left join answers using (domain, model)
  left join given using (domain, model)
)
select domain, model, problem, recorded, coalesce(found, 0) as found
from compared
where recorded <> coalesce(found, 0)"""

_GOLDS_CURRENT = """\
select g.domain, g.model, g.item_id, g.sample, g.grade, i.answer as gold_now
from grades g
join items i using (domain, item_id)
where g.answer_version <> i.answer_version"""

_COVERAGE = """\
select domain, model, coverage, graded, items * samples as expected, note
from partitions
where coverage < 1"""

_JUDGE_FAILURES = """\
select p.domain, p.model, p.judge, p.answered, p.answered - p.graded as ungraded,
  round((p.answered - p.graded) / p.answered, 4) as share, mode(g.reason) as commonest_reason
from partitions p
left join grades g on g.domain = p.domain and g.model = p.model and g.grade is null
where p.graded < p.answered
group by all"""

GRADE_RULES = (
    Rule(
        "graded_or_reason",
        "grades",
        Severity.ERROR,
        "Each answered response has one row of grades, with a grade or the reason why there is none; no other has a "
        "grade.",
        RESTORE,
        _GRADED_OR_REASON,
        blocking=True,
    ),
    Rule(
        "counts_add_up",
        "grades",
        Severity.ERROR,
        "Each partition's recorded counts equal its rows, and answered + truncated + filtered + failed = asked, which "
        "is at most items times samples.",
        RESTORE,
        _COUNTS_ADD_UP,
        blocking=True,
    ),
    Rule(
        "golds_current",
        "grades",
        Severity.WARN,
        "Grades belong to the gold answer as it stands now; others are not scored.",
        "The gold was edited after it was graded: sweep, which grades only these items anew and asks nothing. Those "
        "of a retired model stay.",
        _GOLDS_CURRENT,
    ),
    Rule(
        "coverage",
        "grades",
        Severity.WARN,
        "Every partition is graded whole; a score over less is marked incomplete.",
        "The note says what is missing; sweep again, with a higher budget where that stopped it.",
        _COVERAGE,
        threshold=1.0,
    ),
    Rule(
        "judge_failures",
        "grades",
        Severity.WARN,
        "Every answer has a grade: the judge's calls succeed and its replies can be read.",
        "Read the reasons, mend the judge's key or prompt, and sweep: only verdicts are bought, no answer is.",
        _JUDGE_FAILURES,
        threshold=0.0,
    ),
    Rule(
        "unreadable_share",
        "grades",
        Severity.WARN,
        f"At most {UNREADABLE_SHARE:.0%} of a partition's multiple-choice answers name no option that can be read.",
        "Read some answers with `factsweep show`; ask for the letter alone in the bank's prompt.",
        partitions_over("unreadable", "answered", UNREADABLE_SHARE),
        threshold=UNREADABLE_SHARE,
    ),
)
