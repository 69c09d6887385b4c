"""Rules on items: gold answers given, options sound, questions distinct. Only active items are asked and checked.

None blocks: an item's rules stand after the sweep that reads the bank files, and what reads items, the sweep among
it, would have to wait for them. `items_sound` in `response_rules` blocks in their place.
"""

from checks.results import Severity
from checks.rules import Rule
from checks.sql import folded, is_blank

ANSWERS_NOT_EMPTY = f"""\
select domain, item_id, answer, aliases
from items
where status = 'active'
  and (answer is null or {is_blank("answer")} or len(list_filter(aliases, lambda alias: {is_blank("alias")})) > 0)"""

OPTIONS_SOUND = f"""\
select domain, item_id, problem, answer, options
from (
  select *, case
    when format <> 'multiple_choice' then
      case when len(options) > 0 then 'a short answer has no options' end
    when coalesce(len(options), 0) < 2 then 'fewer than two options'
    when len(list_filter(options, lambda o: o is null or {is_blank("o")})) > 0 then 'an empty option'
    when len(list_distinct(list_transform(options, lambda o: {folded("o")}))) < len(options) then 'equal options'
    when length(answer) <> 1 or ascii(answer) - ascii('A') not between 0 and len(options) - 1
      then 'the answer is not the letter of an option'
    end as problem
  from items
  where status = 'active'
)
where problem is not null"""

_QUESTION_REPEATED = f"""\
select bank, domain, item_id, question
from items
where status = 'active'
qualify count(*) over (partition by bank, {folded("question")}, options) > 1"""

ITEM_RULES = (
    Rule(
        "answers_not_empty",
        "items",
        Severity.ERROR,
        "Every active item has a gold answer, and no alias is blank: a blank alias would make every answer right.",
        "Mend the answer or the alias in the bank's items file, or retire the item; then sweep.",
        ANSWERS_NOT_EMPTY,
    ),
    Rule(
        "options_sound",
        "items",
        Severity.ERROR,
        "Multiple choice has two or more options, none empty, none equal to another, and the letter of one as answer.",
        "Mend the options in the bank's items file, or retire the item; then sweep.",
        OPTIONS_SOUND,
    ),
    Rule(
        "questions_distinct",
        "items",
        Severity.WARN,
        "No two active items of a bank ask the same: a repeated question counts twice in every score.",
        "Retire one of the items in the bank's items file.",
        _QUESTION_REPEATED,
    ),
)
