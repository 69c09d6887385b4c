"""A world of twenty invented models and two thousand invented questions, in which it is known what a report must show.

`python -m benchmarks.synthetic FOLDER` writes it as a fresh installation, for a look at a big report. `words.py` has
the texts, `items.py` the questions and how hard they are, `subjects.py` the models and what is planted in each,
`answers.py` draws what they say, `world.py` writes files and tables.
"""
