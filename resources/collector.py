"""Python's collector around large imports."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """For an import of thousands of modules: what is made within lasts as long as the process.

    The collector does not look for garbage meanwhile, and never again walks what is alive at the end of the block:
    a third of a second of CPU an import. A cycle among that would stay, so what has much garbage collects it before.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
