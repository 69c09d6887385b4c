"""Evidence cards: one to three sentences of a source that state one fact, found in it word for word."""
