"""The twenty models of the world and what is planted in each. Their names, makers and prices are invented."""

from dataclasses import dataclass

from resources.types import Outcome

_EDGE = 4.0  # logits by which the specialist is stronger in its domain than elsewhere


@dataclass(frozen=True)
class Subject:
    """One model.

    Attributes:
        ability: on the logit scale of the items' difficulties.
        abstains: the probability that it says so when it does not know.
        price: US dollars per million input and output tokens; None where nobody states one.
        thinks: reasoning tokens an answer, on average.
        wordy: the share of its answers that stand in sentences.
        strong_in: a domain in which its ability is _EDGE higher.
        lost: the share of its answers that end so instead of in an answer.
        stopped: whether it was stopped in the last domain, after calls had failed in the one before.
    """

    id: str
    developer: str
    released: str
    ability: float
    abstains: float
    price: tuple[float, float] | None
    thinks: int = 0
    wordy: float = 0.05
    open_weights: bool = False
    parameters: str | None = None
    strong_in: str | None = None
    lost: tuple[tuple[Outcome, float], ...] = ()
    stopped: bool = False

    def ability_in(self, domain: str) -> float:
        return self.ability + (_EDGE if domain == self.strong_in else 0.0)

    def entry(self, api_base: str, bank: str) -> dict[str, object]:
        """The model as `models.yaml` has it, asked of this bank only."""
        params: dict[str, object] = {"temperature": 0, "max_tokens": 4096}
        if self.thinks:
            params["reasoning_effort"] = "low" if self.id.endswith("@low") else "high"
        entry: dict[str, object] = {
            "id": self.id,
            "model": f"hosted_vllm/{self.developer.lower()}/{self.id.partition('@')[0]}",
            "api_base": api_base,
            "banks": [bank],
            "params": params,
            "developer": self.developer,
            "released": self.released,
            "open_weights": self.open_weights,
        }
        if self.price:
            entry["price"] = dict(zip(("input", "output"), self.price, strict=True))
        return entry | ({"parameters": self.parameters} if self.parameters else {})


TWINS = ("kestrel-3-32b-bf16", "kestrel-3-32b-fp8")
SPECIALIST = "halcyon-statute-34b"
BARGAIN = "quanta-5-flash"
CUT_OFF = "tessera-max-preview-2026-04@thinking-32k"
STOPPED = "boreal-large-2603"
_TWIN = {"ability": 0.2, "abstains": 0.45, "price": (0.3, 0.9), "open_weights": True, "parameters": "32B"}

SUBJECTS = (
    Subject("cirrus-9-grand@high", "Cirrus", "2026-03-10", 1.7, 0.60, (15, 75), thinks=900),
    Subject("cirrus-9-grand@low", "Cirrus", "2026-03-10", 1.4, 0.52, (15, 75), thinks=150, wordy=0.1),
    Subject("cirrus-9-petit", "Cirrus", "2026-03-10", 0.1, 0.70, (1, 5), wordy=0.1),
    Subject("quanta-5-pro@thinking-16k", "Quanta", "2026-02-02", 1.8, 0.25, (10, 40), thinks=1_400),
    Subject(BARGAIN, "Quanta", "2026-02-02", 1.5, 0.50, (0.15, 0.6)),
    Subject("quanta-4-nano", "Quanta", "2025-06-18", -1.2, 0.05, (0.05, 0.4)),
    Subject(
        CUT_OFF,
        "Tessera",
        "2026-04-21",
        1.5,
        0.40,
        (4, 16),
        thinks=2_600,
        wordy=0.2,
        lost=((Outcome.TRUNCATED, 0.08), (Outcome.FILTERED, 0.03)),
    ),
    Subject("tessera-mini", "Tessera", "2025-11-05", -0.4, 0.15, (0.4, 1.6)),
    Subject(STOPPED, "Boreal", "2026-03-30", 0.9, 0.30, (2, 6), wordy=0.3, stopped=True),
    Subject("boreal-small-2603", "Boreal", "2026-03-30", -0.5, 0.30, (0.1, 0.3), wordy=0.3),
    Subject(TWINS[0], "Kestrel", "2025-12-12", **_TWIN),
    Subject(TWINS[1], "Kestrel", "2025-12-12", **_TWIN),
    Subject(
        SPECIALIST,
        "Halcyon",
        "2025-09-01",
        -0.9,
        0.20,
        None,
        wordy=0.6,
        open_weights=True,
        parameters="34B",
        strong_in="law",
    ),
    Subject(
        "meridian-4.2-405b-instruct",
        "Meridian",
        "2025-07-23",
        0.8,
        0.10,
        (3, 3),
        wordy=0.5,
        open_weights=True,
        parameters="405B",
    ),
    Subject(
        "meridian-4.2-70b-instruct",
        "Meridian",
        "2025-07-23",
        0.0,
        0.08,
        (0.6, 0.6),
        wordy=0.5,
        open_weights=True,
        parameters="70B",
    ),
    Subject(
        "meridian-4.2-8b-instruct",
        "Meridian",
        "2025-07-23",
        -1.5,
        0.06,
        (0.05, 0.08),
        wordy=0.4,
        open_weights=True,
        parameters="8B",
    ),
    Subject("lumen-1.5-pro", "Lumen", "2026-01-15", 1.0, 0.75, (3, 12), wordy=0.05),
    Subject("lumen-1.5-lite", "Lumen", "2026-01-15", -0.8, 0.80, (0.2, 0.8)),
    Subject(
        "sorrel-moe-22b-a3b",
        "Sorrel",
        "2025-10-30",
        -0.2,
        0.40,
        (0.1, 0.2),
        open_weights=True,
        parameters="22B, 3B active",
    ),
    Subject(
        "wren-0.5b", "Wren", "2024-11-20", -2.6, 0.02, (0.01, 0.02), wordy=0.8, open_weights=True, parameters="0.5B"
    ),
)
