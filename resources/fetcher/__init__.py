"""The fetcher: the only package that talks to the sites of source documents, politely and safely.

What a document says is not its business: a body is bytes, with the media type and charset that the server named.
"""

from resources.fetcher.clock import Clock, SystemClock
from resources.fetcher.fetcher import Fetcher
from resources.fetcher.records import Fetched, FetchPolicy, FetchRequest, FetchStatus

__all__ = ["Clock", "FetchPolicy", "FetchRequest", "FetchStatus", "Fetched", "Fetcher", "SystemClock"]
