"""From graded responses to scores: point estimates, intervals, the scores table and the leaderboard.

Plain functions over polars frames; nothing here asks a model, reads a file or knows of Dagster.
"""
