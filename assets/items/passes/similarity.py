"""Similarity: no two items ask the same, in the bank, in other banks and imported sets, or among the new ones."""

from collections.abc import Iterable, Mapping, Sequence

from assets.items.passes.draft import Draft, Ruling, Verdict
from assets.items.similarity import Duplicate, Posed, SimilarityIndex


class SimilarityPass:
    """The first to ask stays: a draft is compared with what stands, then with the drafts before it.

    Args:
        standing: items that no build of this domain changes, other domains' and other banks' among them.
        incumbents: by id, the questions of this domain's own active items. They were here before whatever another
            domain's later build took for new, and are compared with each other only.
    """

    name = "similarity"

    def __init__(self, standing: Iterable[Posed], incumbents: Mapping[str, str]) -> None:
        self._standing = SimilarityIndex(standing)
        self._own = SimilarityIndex()
        self._seen: dict[str, str] = {}
        self._incumbents = incumbents

    def rule(self, drafts: Sequence[Draft]) -> list[Ruling]:
        return [self._ruling(draft) for draft in drafts]

    def _ruling(self, draft: Draft) -> Ruling:
        posed = Posed(draft.item_id, draft.question, draft.answer, draft.aliases)
        if self._seen.get(draft.item_id) == draft.question:
            return Ruling(draft, Verdict.PASS, "nothing else asks this")
        known = self._incumbents.get(draft.item_id) == draft.question
        found = (None if known else self._standing.duplicate_of(posed)) or self._own.duplicate_of(posed)
        if found is not None and found.id != draft.item_id:
            return Ruling(draft, Verdict.FAIL, _told(found))
        self._own.add(posed)
        self._seen[draft.item_id] = draft.question
        return Ruling(draft, Verdict.PASS, "nothing else asks this")


def _told(found: Duplicate) -> str:
    return f"asks what item {found.id} asks ({found.reason}): {found.question}"
