"""What the graders without a model are called in a partition's fingerprint.

Raise one when a rule of its grader changes, so that grades are made anew. A plan needs the names alone, and not the
patterns that the graders compile when they are imported.
"""

CHOICE_VERSION = "1"
MATCH_VERSION = "1"
