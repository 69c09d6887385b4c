"""Sources: which documents a domain file names, and each one turned into text with structure and a date.

Getting documents over the network belongs to `resources`; what is made out of the text to `assets/evidence_cards`.
"""
