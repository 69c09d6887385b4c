"""Makes the result of a request out of its last answer or its problem."""

import re
from collections.abc import Sequence
from datetime import datetime

from resources.fetcher.errand import named
from resources.fetcher.exchange import WITH_DOCUMENT, Answer
from resources.fetcher.problems import LATER, NotFetched, failed
from resources.fetcher.records import Fetched, FetchRequest, FetchStatus

_CORRECT = "correct the URL, or take the source out"
_REMEDIES = {
    401: "take another source: documents must be public",
    403: "look whether a browser may read it; the site may not give it to programs",
    404: _CORRECT,
    410: _CORRECT,
    451: "take another source: it may not be given out here",
    202: LATER,
}


def document(request: FetchRequest, final_url: str, answer: Answer, at: datetime) -> Fetched:
    """The result of an answer.

    Raises:
        NotFetched: it brings no document.
    """
    etag, last_modified = answer.header("etag"), answer.header("last-modified")
    if answer.status == 304 and (request.etag or request.last_modified):
        return Fetched(
            requested_url=request.url,
            final_url=final_url,
            status=FetchStatus.UNCHANGED,
            retrieved_at=at,
            http_status=answer.status,
            etag=etag or request.etag,
            last_modified=last_modified or request.last_modified,
        )
    if answer.status not in WITH_DOCUMENT:
        raise failed(
            f"the server answers {named(answer.status)}", _REMEDIES.get(answer.status), http_status=answer.status
        )
    content_type = answer.header("content-type") or ""
    charset = re.search(r""";\s*charset\s*=\s*["']?([^\s;"']+)""", content_type, re.IGNORECASE)
    return Fetched(
        requested_url=request.url,
        final_url=final_url,
        status=FetchStatus.FETCHED,
        retrieved_at=at,
        http_status=answer.status,
        media_type=content_type.partition(";")[0].strip().lower() or None,
        charset=charset.group(1).lower() if charset else None,
        body=answer.body,
        etag=etag,
        last_modified=last_modified,
    )


def problem(request: FetchRequest, trail: Sequence[str], error: NotFetched, at: datetime) -> Fetched:
    """The result of a request that brought none."""
    return Fetched(
        requested_url=request.url,
        final_url=trail[-1] if trail else request.url,
        status=error.status,
        retrieved_at=at,
        reason=error.reason,
        remedy=error.remedy,
        http_status=error.http_status,
    )
