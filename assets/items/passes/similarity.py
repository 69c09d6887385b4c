"""Similarity: no two items ask the same, in the bank, in other banks and imported sets, or among the new ones.

The words are compared first. Where the bank names an embedder, questions whose gold, numbers, names and terms agree
are compared by meaning as well.
"""

from collections.abc import Iterable, Mapping, Sequence

from assets.authoring.labs import lab_of
from assets.items.passes.draft import Draft, Ruling, Verdict
from assets.items.passes.meaning import NEAR, Meaning
from assets.items.similarity import Posed, SimilarityIndex

NEW = "nothing else asks this"


class SimilarityPass:
    """The first to ask stays: a draft is compared with what stands, then with the drafts before it.

    Args:
        standing: items that no build of this domain changes, other domains' and other banks' among them.
        incumbents: by id, the questions of this domain's own active items. They were here before whatever another
            domain's later build took for new, and are compared with each other only.
        meaning: None without an embedder.
    """

    name = "similarity"

    def __init__(
        self, standing: Iterable[Posed], incumbents: Mapping[str, str], meaning: Meaning | None = None
    ) -> None:
        self._standing = SimilarityIndex(standing)
        self._own = SimilarityIndex()
        self._seen: dict[str, Posed] = {}
        self._incumbents = incumbents
        self._meaning = meaning

    def rule(self, drafts: Sequence[Draft]) -> list[Ruling]:
        return [self._ruling(draft) for draft in drafts]

    def _ruling(self, draft: Draft) -> Ruling:
        posed = Posed(draft.item_id, draft.question, draft.answer, draft.aliases)
        if (earlier := self._seen.get(draft.item_id)) == posed:
            return Ruling(draft, Verdict.PASS, NEW)
        if earlier is not None:  # rewritten since: its former words would hide what else is like it
            del self._seen[draft.item_id]
            self._own = SimilarityIndex(self._seen.values())
        indexes = [self._own]
        if self._incumbents.get(draft.item_id) != draft.question:
            indexes.insert(0, self._standing)
        for index in indexes:
            found = index.duplicate_of(posed)
            if found is not None:
                return Ruling(draft, Verdict.FAIL, _told(found.id, found.reason, found.question))
        ruling = Ruling(draft, Verdict.PASS, NEW)
        if self._meaning is not None:
            ruling = self._by_meaning(self._meaning, draft, [near for each in indexes for near in each.agreeing(posed)])
        if ruling.verdict is Verdict.PASS:
            self._own.add(posed)
            self._seen[draft.item_id] = posed
        return ruling

    def _by_meaning(self, meaning: Meaning, draft: Draft, agreeing: Sequence[Posed]) -> Ruling:
        if not agreeing:
            return Ruling(draft, Verdict.PASS, NEW)
        spec = meaning.spec
        near = meaning.nearness([(draft.question, each.question) for each in agreeing])
        if None in near:
            return Ruling(draft, None, f"{spec.id} has not read it yet", spec.id)
        likeness, other = max(
            ((value, each) for value, each in zip(near, agreeing, strict=True) if value is not None),
            key=lambda pair: pair[0],
        )
        if likeness >= NEAR:
            reason = _told(other.id, f"gold, numbers and names agree, likeness {likeness:.2f}", other.question)
            return Ruling(draft, Verdict.FAIL, reason, spec.id, lab_of(spec))
        return Ruling(draft, Verdict.PASS, f"{NEW}; the nearest at {likeness:.2f}", spec.id, lab_of(spec))


def _told(id: str, reason: str, question: str) -> str:
    return f"asks what item {id} asks ({reason}): {question}"
