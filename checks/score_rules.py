"""Rules on scores: the identity of the index, and counts that add up from topics to banks."""

from checks.results import Severity
from checks.rules import Rule

_INDEX_IDENTITY = """\
select bank, level, key, model, method, judge, "index", expected, accuracy, hallucination_rate
from (
  select *, 100 * (accuracy - (1 - accuracy) * if(accuracy = 1, 0, hallucination_rate)) as expected
  from scores
  where penalty = 1
)
where abs("index" - expected) > 1e-6 or ("index" is null) <> (expected is null)"""

_SCORES_ADD_UP = """\
with counted as (
  select g.domain, g.model, g.method, g.judge, count(*) as graded
  from grades g
  join responses r using (domain, model, item_id, sample, epoch)
  join items i on i.domain = g.domain and i.item_id = g.item_id
    and i.question_version = r.question_version and i.answer_version = g.answer_version
  left join partitions p on p.domain = g.domain and p.model = g.model
  left join (select bank, model, max(samples) as samples from partitions group by all) others
    on others.bank = g.bank and others.model = g.model
  where g.grade is not null and r.outcome = 'answered' and i.status = 'active'
    and g.sample < coalesce(p.samples, others.samples, 1)
  group by all
), summed as (
  select *, correct + partial + incorrect + not_attempted as graded, split_part(key, '/', 1) as parent
  from scores
), compared as (
  select s.bank, s.level, s.key, s.model, s.method, s.judge, s.graded,
    coalesce(c.graded, 0) as expected, 'graded rows' as expected_from
  from summed s
  left join counted c on c.domain = s.key and c.model = s.model and c.method = s.method
    and c.judge is not distinct from s.judge
  where s.level = 'domain'
  union all
  select whole.bank, whole.level, whole.key, whole.model, whole.method, whole.judge, whole.graded,
    sum(part.graded), part.level || ' rows'
  from summed whole
  join summed part on part.bank = whole.bank and part.model = whole.model and part.method = whole.method
    and part.judge is not distinct from whole.judge
    and (whole.level = 'all' and part.level = 'domain'
      or whole.level = 'domain' and part.level = 'topic' and part.parent = whole.key)
  group by all
)
select * from compared where graded <> expected"""

_REMEDY = "A fault of factsweep's metrics or of a file edited by hand: materialize scores again."

SCORE_RULES = (
    Rule(
        "index_identity",
        "scores",
        Severity.ERROR,
        "index / 100 = accuracy - (1 - accuracy) x hallucination rate wherever a wrong answer costs 1 "
        "(arXiv 2511.13029).",
        _REMEDY,
        _INDEX_IDENTITY,
        blocking=True,
    ),
    Rule(
        "scores_add_up",
        "scores",
        Severity.ERROR,
        "The four grades of a domain's score add up to the current grades of its active items, topics to their domain, "
        "domains to their bank.",
        _REMEDY,
        _SCORES_ADD_UP,
        blocking=True,
    ),
)
