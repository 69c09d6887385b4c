"""Rules on what a build of a bank makes: sources from trusted hosts, cards that quote them, items that stand up.

Those of sources and cards block, so that nothing is made of what no source says. Those of items do not, as in
`item_rules`: `items_sound` in `response_rules` keeps the two grave ones from the scores.
"""

from checks.results import Severity
from checks.rules import Rule

HOST_SHARE = 0.5
TYPE_SHARE = 0.8
FEWEST = 20  # cards or items of a domain; of fewer a share says nothing

REBUILD = (
    "Build the named domains again. What fails in a build itself is a fault of factsweep or of a file edited by hand: "
    "then delete their files of sources and evidence_cards from the lake first. Nothing is bought twice."
)

_WHITELIST_RESPECTED = """\
select domain, name, problem, host, rule, tier
from (
  select *, case
    when host is null or host <> lower(regexp_extract(url, '^https?://([^/?#:]+)', 1))
      then 'its host is not that of its address'
    when rule is null then 'no rule is recorded'
    when not (host in (rule, 'www.' || rule) or 'www.' || host = rule
      or starts_with(rule, '*.') and ends_with(host, rule[2:])) then 'its rule does not admit its host'
    when tier is null or tier not between 1 and 3 then 'it has no tier'
    end as problem
  from sources
  where status = 'read' and url is not null
)
where problem is not null"""

_DOCUMENTS_READABLE = """\
select domain, name, status, reason
from sources
where status <> 'read'"""

_EXCERPTS_FOUND = """\
select domain, card_id, source_name, problem, excerpt
from (
  select c.domain, c.card_id, c.source_name, c.excerpt, case
    when s.source_id is null then 'its source is gone'
    when s.status <> 'read' then 'its source cannot be read'
    when coalesce(len(list_filter(s.sections, lambda part: contains(part.text, c.excerpt))), 0) = 0
      then 'no section of its source holds the excerpt'
    end as problem
  from evidence_cards c
  left join sources s using (domain, source_id)
  where c.status = 'kept'
)
where problem is not null"""

_HOST_SHARE = f"""\
with counted as (
  select c.domain, coalesce(regexp_replace(s.host, '^www[.]', ''), c.source_name) as given_by,
    count(*) as cards, sum(count(*)) over (partition by c.domain) as of_domain
  from evidence_cards c
  left join sources s using (domain, source_id)
  where c.status = 'kept'
  group by 1, 2
)
select domain, given_by, cards, of_domain, round(cards / of_domain, 4) as share
from counted
where of_domain >= {FEWEST} and cards > {HOST_SHARE} * of_domain
  and domain in (select domain from sources where status = 'read' group by domain having count(*) > 1)"""


def _deciding(name: str) -> str:
    """SQL: the last verdict of a pass on each item; a rewritten item goes through a pass again."""
    return f"""(
  select domain, item_id, model, lab
  from verdicts
  where "pass" = '{name}'
  qualify row_number() over (partition by domain, item_id order by step desc) = 1
)"""


# A lab that is not recorded cannot be shown to be another.
VERIFIED_BY_OWN_LAB = f"""\
select i.domain, i.item_id, i.card_id, drafted.model as drafted_by, drafted.lab as drafted_lab,
  verified.model as verified_by, verified.lab as verified_lab
from items i
join {_deciding("draft")} drafted using (domain, item_id)
join {_deciding("entailment")} verified using (domain, item_id)
where i.status = 'active'
  and coalesce(drafted.lab = verified.lab or 'unknown' in (drafted.lab, verified.lab), true)"""


def _words(text: str) -> str:
    """SQL: the expression `text` as its words in small letters, one space between; the engine's `\\w` is ASCII only."""
    return rf"trim(regexp_replace(lower({text}), '[^\p{{L}}\p{{N}}_]+', ' ', 'g'))"


# What the pass `form` calls a giveaway: a gold as words of the question, but no single sign or two digits.
GOLD_IN_QUESTION = f"""\
select domain, item_id, card_id, question, answer, aliases
from items
where status = 'active' and format = 'short_answer'
  and len(list_filter(list_append(coalesce(aliases, []), answer), lambda gold: length({_words("gold")}) > 2
    and contains(' ' || {_words("question")} || ' ', ' ' || {_words("gold")} || ' '))) > 0"""

_TOPICS_BALANCED = """\
select b.domain, b.topic, b.target, count(i.item_id) as active,
  coalesce(b.reason, 'changed since its items were built') as reason
from topic_balance b
left join items i on i.domain = b.domain and i.topic = b.topic and i.status = 'active'
group by all
having count(i.item_id) < b.target"""

_ANSWER_TYPES_MIXED = f"""\
with counted as (
  select domain, coalesce(answer_type, 'other') as answer_type, count(*) as items,
    sum(count(*)) over (partition by domain) as of_domain
  from items
  where status = 'active' and card_id is not null
  group by 1, 2
)
select domain, answer_type, items, of_domain, round(items / of_domain, 4) as share
from counted
where of_domain >= {FEWEST} and items > {TYPE_SHARE} * of_domain"""

SOURCE_RULES = (
    Rule(
        "whitelist_respected",
        "sources",
        Severity.ERROR,
        "Every web document that is read comes from a host that the rule recorded for it admits, and has a tier.",
        REBUILD,
        _WHITELIST_RESPECTED,
        blocking=True,
    ),
    Rule(
        "documents_readable",
        "sources",
        Severity.WARN,
        "Every document that a domain names could be fetched and read.",
        "Do what the reason says, or take the document out of the domain's sources; then build the domain again.",
        _DOCUMENTS_READABLE,
    ),
)

CARD_RULES = (
    Rule(
        "excerpts_found",
        "evidence_cards",
        Severity.ERROR,
        "The excerpt of each kept card stands word for word in a section of its source.",
        REBUILD,
        _EXCERPTS_FOUND,
        blocking=True,
    ),
    Rule(
        "host_share",
        "evidence_cards",
        Severity.WARN,
        f"No host, or file, gives more than {HOST_SHARE:.0%} of a domain's kept cards, where there are {FEWEST} cards "
        "and several sources.",
        "Add sources from other hosts to the domain's file and build it again.",
        _HOST_SHARE,
        threshold=HOST_SHARE,
    ),
)

BUILT_ITEM_RULES = (
    Rule(
        "verified_by_another_lab",
        "items",
        Severity.ERROR,
        "Whether the card states an active item's gold was decided by a model of another lab than the one that "
        "drafted it, which would nod at its own mistakes.",
        "Give the bank a verifier of another lab (roles in bank.yaml, developer in models.yaml) and build the domain "
        "again, or retire the item in the bank's items file; then sweep.",
        VERIFIED_BY_OWN_LAB,
    ),
    Rule(
        "golds_not_in_questions",
        "items",
        Severity.WARN,
        "No active item with a short answer holds its gold, or an alias of it, in its question.",
        "Mend the question in the bank's items file, or retire the item; then sweep. An item that offers its answer "
        "on purpose may stay.",
        GOLD_IN_QUESTION,
    ),
    Rule(
        "topics_balanced",
        "items",
        Severity.WARN,
        "Every topic has the active items that its domain's file asks for.",
        "Do what the reason says and build the domain again, or ask for fewer items.",
        _TOPICS_BALANCED,
    ),
    Rule(
        "answer_types_mixed",
        "items",
        Severity.WARN,
        f"No answer type makes more than {TYPE_SHARE:.0%} of a domain's active built items, where there are {FEWEST}.",
        "Add sources that state other kinds of facts, or say in the bank's prompts which to look for; then build the "
        "domain again.",
        _ANSWER_TYPES_MIXED,
        threshold=TYPE_SHARE,
    ),
)
