"""Why a document does not come, as exceptions inside the package."""

from resources.fetcher.records import FetchStatus

LATER = "fetch again later"


class Stopped(RuntimeError):
    """The fetcher is closed. All that leaves the package: it is nothing about a document."""

    def __init__(self) -> None:
        super().__init__("the fetcher is closed; make a new one")


class OutOfTime(Exception):
    """The document's time limit has passed."""


class Trouble(Exception):
    """One attempt failed; the next may not.

    Attributes:
        reached: whether the host was connected to.
        http_status: of an answer that asks to come again.
        retry_after_s: what the answer asks for.
    """

    def __init__(
        self, reason: str, *, reached: bool = True, http_status: int | None = None, retry_after_s: float = 0.0
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.reached = reached
        self.http_status = http_status
        self.retry_after_s = retry_after_s


class NotFetched(Exception):
    """The end of one document's way: refused or failed."""

    def __init__(
        self,
        status: FetchStatus,
        reason: str,
        remedy: str | None = None,
        *,
        http_status: int | None = None,
        reached: bool = True,
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.remedy = remedy
        self.http_status = http_status
        self.reached = reached


def refused(reason: str, remedy: str | None = None, *, reached: bool = True) -> NotFetched:
    return NotFetched(FetchStatus.REFUSED, reason, remedy, reached=reached)


def failed(
    reason: str, remedy: str | None = None, *, http_status: int | None = None, reached: bool = True
) -> NotFetched:
    return NotFetched(FetchStatus.FAILED, reason, remedy, http_status=http_status, reached=reached)
