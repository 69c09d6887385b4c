"""Reviews: what people decide about a domain's items, recorded beside them, and the page on which they decide.

Making the items is `assets/items`; what models decided about them stands in the table `verdicts`.
"""
