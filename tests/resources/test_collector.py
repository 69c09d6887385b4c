"""The collector rests while an import runs, and comes back whatever the import does."""

import gc
from collections.abc import Iterator

import pytest

from resources.collector import no_collection


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_the_collector_rests_and_never_walks_again_what_was_made():
    with no_collection():
        assert not gc.isenabled()
        made = [[number] for number in range(1_000)]

    assert gc.isenabled()
    assert not any(each is made for each in gc.get_objects())


def test_it_comes_back_after_an_import_that_fails():
    with pytest.raises(ImportError), no_collection():
        raise ImportError("no such module")

    assert gc.isenabled()


def test_it_stays_off_where_the_caller_had_it_off():
    gc.disable()

    with no_collection():
        pass

    assert not gc.isenabled()
