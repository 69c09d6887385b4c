"""The bank that the browser tests look at: six models of known strength, sixty items, and texts that attack."""

from tests.reports.banks import Row, Said, SmallBank, model

DOMAINS = {"law": "Law", "health": "Health", "code": "Software"}
TOPICS = {"law": ("Tort", "Tax"), "health": ("Anatomy", "Drugs"), "code": ("Protocols", "Licences")}
MODELS = ("strong", "second", "middle", "careful", "bold", "weak")
ATTACK = "<script>window.hacked = 1</script><img src=x onerror=\"window.hacked = 1\"><b>bold</b> {{ 7*7 }} & 'so'"
SCRIPT_LINK = "javascript:window.hacked=1"

# What each model gives to twenty items of a domain.
_GRADES = {
    "strong": "ccccccccccccccccciaa",
    "second": "ccccccccccccccccpiia",
    "middle": "cccccccccccciiiiiiaa",
    "careful": "cccccccctfaaaaaaaaax",
    "bold": "cccccciiiiiiiiiiiiii",
    "weak": "cciiiiiiiiiiiiiiiuuu",
}
_COST: dict[str, float | None] = {"strong": 0.02, "second": 0.01, "middle": 0.001, "careful": 0.002, "weak": 0.0001}


def planted() -> SmallBank:
    """Each domain's first item is one that all get, its last one that none gets; law-01 is the attacked one."""
    bank = SmallBank(
        spec={"title": "Planted facts", "format": "short_answer", "note": "A bank for tests."},
        domains=DOMAINS,
        notes={"careful": "3 truncated; 3 filtered; 3 failed"},
    )
    for domain, topics in TOPICS.items():
        for number in range(20):
            bank.add(f"{domain}-{number:02}", domain, topic=topics[number % 2], answer=f"gold {domain} {number}")
    for place, item in enumerate(bank.items):
        item["split"] = "private" if place % 20 in (1, 5) else "public"
    for who in MODELS:
        bank.say(who, _GRADES[who] * 3, text=f"{who} says so.", reason=f"why {who}", cost=_COST.get(who))
    bank.say("abstain", "a" * 60, text="I don't know.", reason="abstains", cost=0.0)
    bank.say("guess", "i" * 60, text="Something else.", reason="asserts another", cost=0.0)
    _attack(bank)
    return bank


def _attack(bank: SmallBank) -> None:
    attacked = bank.items[1]
    attacked |= {
        "question": f"Attacked: {ATTACK}?",
        "answer": f"gold {ATTACK}",
        "aliases": [f"alias {ATTACK}"],
        "source_url": SCRIPT_LINK,
    }
    bank.answers = [answer for answer in bank.answers if (answer.model, answer.item) != ("strong", "law-01")]
    bank.answers.append(Said("strong", "law-01", text=ATTACK, reason=f"reason {ATTACK}", cost=0.02))


def registered() -> list[Row]:
    return [model(who, developer="Someone", open_weights=True) for who in MODELS]
