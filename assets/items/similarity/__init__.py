"""Questions that ask the same: the finder behind the pass `similarity`.

`index` finds the earlier questions with the same gold, `alike` decides whether two of them ask the same.
"""

from assets.items.similarity.index import SimilarityIndex
from assets.items.similarity.posed import Duplicate, Posed

__all__ = ["Duplicate", "Posed", "SimilarityIndex"]
