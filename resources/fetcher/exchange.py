"""One request and its answer over the line, and what it means when there is none."""

import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import httpcore
import httpx

from resources.fetcher.bodies import read_body
from resources.fetcher.clock import Clock
from resources.fetcher.connections import Connections, Patience
from resources.fetcher.problems import LATER, NotFetched, OutOfTime, Trouble, failed
from resources.fetcher.records import FetchPolicy
from resources.fetcher.urls import host_of

WITH_DOCUMENT = (200, 203)


@dataclass
class Allowance:
    """The seconds that a document may still take; each exchange takes its own from it."""

    left_s: float


@dataclass(frozen=True)
class Answer:
    """A server's answer; a body is read only where the status says that it is the document."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes = b""

    def header(self, name: str) -> str | None:
        """The first header of that name in lower case; its bytes as UTF-8, else as Latin-1."""
        return _header(self.headers, name)


class Line:
    """Sends one GET and reads its answer. Redirects, retries and politeness are the errand's."""

    def __init__(self, policy: FetchPolicy, clock: Clock, connections: Connections, patience: Patience) -> None:
        self._policy = policy
        self._clock = clock
        self._connections = connections
        self._patience = patience

    def get(self, url: httpx.URL, headers: Mapping[str, str], allowance: Allowance, max_bytes: int) -> Answer:
        """The answer to one GET of `url`.

        Raises:
            OutOfTime: the allowance is used up.
            NotFetched: another attempt would fare no better.
            Trouble: another might.
        """
        started = self._clock.monotonic()
        self._patience.deadline = started + allowance.left_s
        try:
            return self._get(url, headers, max_bytes)
        except httpcore.TimeoutException as error:
            if self._clock.monotonic() >= self._patience.deadline:
                raise OutOfTime from None
            raise _timed_out(host_of(url), error) from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError) as error:
            raise _broken(host_of(url), error) from None
        finally:
            allowance.left_s -= self._clock.monotonic() - started

    def _get(self, url: httpx.URL, headers: Mapping[str, str], max_bytes: int) -> Answer:
        sent = {
            "Host": url.netloc.decode("ascii"),
            "User-Agent": self._policy.user_agent,
            "Accept": "*/*",
            "Accept-Encoding": "gzip",
            **headers,
        }
        timeouts = {
            "connect": self._policy.connect_timeout_s,
            "read": self._policy.read_timeout_s,
            "write": self._policy.read_timeout_s,
        }
        with self._connections.to(url).stream(
            "GET",
            httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=[(name.encode(), value.encode("latin-1", "replace")) for name, value in sent.items()],
            extensions={"timeout": timeouts},
        ) as response:
            received = tuple(response.headers)
            if response.status not in WITH_DOCUMENT:
                return Answer(response.status, received)
            encoding = (_header(received, "content-encoding") or "").strip().lower()
            length = _header(received, "content-length") or ""
            announced = int(length) if length.isdecimal() else None
            return Answer(response.status, received, read_body(response.iter_stream(), encoding, announced, max_bytes))


def _header(headers: tuple[tuple[bytes, bytes], ...], name: str) -> str | None:
    found = next((value for key, value in headers if key.lower() == name.encode()), None)
    if found is None:
        return None
    try:
        return found.decode()
    except UnicodeDecodeError:
        return found.decode("latin-1")


def _timed_out(host: str, error: Exception) -> Trouble:
    if isinstance(error, httpcore.ConnectTimeout):
        return Trouble(f"no connection to {host} within the timeout", reached=False)
    return Trouble(f"{host} was silent for longer than the timeout")


def _broken(host: str, error: Exception) -> Trouble | NotFetched:
    cause = next((each for each in _chain(error) if isinstance(each, OSError)), None)
    if isinstance(cause, ssl.SSLCertVerificationError):
        return failed(
            f"the certificate of {host} cannot be verified ({cause.verify_message})",
            "name its authority's file in SSL_CERT_FILE if it is one of your own network",
            reached=False,
        )
    if isinstance(error, httpcore.LocalProtocolError):
        return failed("the request cannot be sent: a header of it holds what none may", "leave the validators out")
    if isinstance(error, httpcore.ProxyError):
        return Trouble(f"the proxy does not connect to {host}", reached=False)
    if isinstance(error, httpcore.ConnectError):
        told = "refused" if isinstance(cause, ConnectionRefusedError) else getattr(cause, "strerror", None)
        return Trouble(f"no connection to {host}: {told or 'no reason given'}", reached=False)
    if isinstance(error, httpcore.RemoteProtocolError) and "connect" not in str(error):  # "peer closed connection …"
        return failed(f"what {host} answers is not HTTP", LATER)
    return Trouble(f"the connection to {host} broke off before the whole answer came")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
