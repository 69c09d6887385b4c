"""Python's collector around large imports."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """For an import of thousands of modules: what is made within lasts as long as the process.

    The collector does not look for garbage meanwhile, and never walks what was made again: half a second of CPU each.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
