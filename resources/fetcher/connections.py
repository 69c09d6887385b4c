"""Connections to checked addresses only, within a document's time, and closed at once when the fetcher is."""

import contextlib
import math
import socket
import ssl
import threading
import urllib.request
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import httpcore
import httpx

from resources.fetcher.addresses import Resolve, addresses_of, check
from resources.fetcher.clock import Clock
from resources.fetcher.problems import NotFetched, OutOfTime, Stopped, Trouble, failed
from resources.fetcher.records import FetchPolicy, FetchStatus
from resources.fetcher.urls import host_of

_IDLE_S = 30.0


class Patience(threading.local):
    """Until when the request of the calling thread may take. Every step of a connection asks, so that a server
    cannot draw a document out by sending a byte a second."""

    deadline = math.inf

    def __init__(self, clock: Clock, stop: threading.Event) -> None:
        self._clock = clock
        self._stop = stop

    def at_most(self, timeout_s: float | None) -> float:
        """The seconds that the next step may take.

        Raises:
            OutOfTime, Stopped: there are none.
        """
        if self._stop.is_set():
            raise Stopped
        left = self.deadline - self._clock.monotonic()
        if left <= 0:
            raise OutOfTime
        return left if timeout_s is None else min(left, timeout_s)


class Connections:
    """Pools of connections: direct ones, and with `trust_env` those through the environment's proxies."""

    def __init__(self, policy: FetchPolicy, resolve: Resolve, patience: Patience) -> None:
        self._policy = policy
        self._resolve = resolve
        self._patience = patience
        self._live = _Live()
        self._pools: dict[tuple[str, str | None], httpcore.ConnectionPool] = {}
        self._lock = threading.Lock()

    def to(self, url: httpx.URL) -> httpcore.ConnectionPool:
        """The pool for `url`.

        Raises:
            NotFetched: the proxy cannot be used, or would be asked to connect to an address that is not public.
        """
        proxy = _proxy_of(url) if self._policy.trust_env else None
        if proxy is not None:
            self._check_for_proxy(host_of(url))
        with self._lock:
            if (url.scheme, proxy) not in self._pools:
                self._pools[url.scheme, proxy] = self._pool(url.scheme, proxy)
            return self._pools[url.scheme, proxy]

    def close(self) -> None:
        """Also ends what is being read by other threads."""
        self._live.shut_down()
        with self._lock:
            for pool in self._pools.values():
                pool.close()

    def checked(self, host: str) -> list[str]:
        """The addresses of a host, of which each may be connected to.

        Raises:
            NotFetched: there is no such host, or it has an address that is not public.
            Trouble: it cannot be told at the moment.
        """
        addresses = addresses_of(host, self._resolve, self._patience.at_most(self._policy.connect_timeout_s))
        if host not in self._policy.private_hosts:
            check(host, addresses)
        return addresses

    def _check_for_proxy(self, host: str) -> None:
        try:
            self.checked(host)
        except Trouble:
            return
        except NotFetched as problem:
            if problem.status is FetchStatus.REFUSED:
                raise

    def _pool(self, scheme: str, proxy: str | None) -> httpcore.ConnectionPool:
        # Reading the authorities takes 60 ms.
        context = httpx.create_ssl_context(trust_env=self._policy.trust_env) if scheme == "https" else None
        kept = self._policy.parallel_hosts
        if proxy is None:
            return httpcore.ConnectionPool(
                context,
                max_connections=None,
                max_keepalive_connections=kept,
                keepalive_expiry=_IDLE_S,
                network_backend=_Backend(self._patience, self._live, self.checked),
            )
        parsed = httpx.Proxy(proxy)
        return httpcore.HTTPProxy(
            str(parsed.url),
            proxy_auth=parsed.raw_auth,
            ssl_context=context,
            max_connections=None,
            max_keepalive_connections=kept,
            keepalive_expiry=_IDLE_S,
            network_backend=_Backend(self._patience, self._live, lambda host: [host]),
        )


def _proxy_of(url: httpx.URL) -> str | None:
    """The environment's proxy for `url`.

    Raises:
        NotFetched: there is one that cannot be used.
    """
    if urllib.request.proxy_bypass(url.netloc.decode("ascii")):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    if proxy and "://" not in proxy:
        return f"http://{proxy}"
    if proxy and not proxy.lower().startswith(("http://", "https://")):
        raise failed("the environment's proxy is no HTTP proxy", "set http_proxy and https_proxy", reached=False)
    return proxy


class _Live:
    """The open streams."""

    def __init__(self) -> None:
        self._streams: weakref.WeakSet[_Stream] = weakref.WeakSet()
        self._lock = threading.Lock()

    def add(self, stream: "_Stream") -> None:
        with self._lock:
            self._streams.add(stream)

    def shut_down(self) -> None:
        """Wakes whoever reads; closing a socket would not."""
        with self._lock:
            sockets = [stream.get_extra_info("socket") for stream in self._streams]
        for each in sockets:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(each, socket.SHUT_RDWR)  # not SSLSocket's, which takes the reader's state away


class _Backend(httpcore.NetworkBackend):
    """Connects to the addresses that `addresses` returns. Host header and TLS name stay those of the URL."""

    def __init__(self, patience: Patience, live: _Live, addresses: Callable[[str], list[str]]) -> None:
        self._patience = patience
        self._live = live
        self._addresses = addresses
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        error: Exception | None = None
        for address in self._addresses(host):
            try:
                stream = self._sockets.connect_tcp(
                    address, port, self._patience.at_most(timeout), local_address, socket_options
                )
                return _Stream(stream, self._patience, self._live)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as failure:
                error = failure
        assert error is not None  # no host is without an address
        raise error


class _Stream(httpcore.NetworkStream):
    """A stream whose every step keeps to the patience of the thread that uses it."""

    def __init__(self, stream: httpcore.NetworkStream, patience: Patience, live: _Live) -> None:
        self._stream = stream
        self._patience = patience
        self._live = live
        live.add(self)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._patience.at_most(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._patience.at_most(timeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        inner = self._stream.start_tls(ssl_context, server_hostname, self._patience.at_most(timeout))
        return _Stream(inner, self._patience, self._live)

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)
