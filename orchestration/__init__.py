"""How the graph runs. Importing this package says how often Python's collector looks for garbage in a process of ours.

litellm, Great Expectations and Dagster make a million objects that last as long as the process. At its default
threshold the collector walks them again and again: a sixth of a sweep's start-up, a third of loading the definitions.
At the end of the process it would walk them once more, for up to two seconds.
"""

import atexit
import gc

gc.set_threshold(50_000, 20, 50)
atexit.register(gc.freeze)
