"""Where the webserver of `make up` listens, and where this machine reaches it. Imports no dagster."""

import os

# Who listens on all addresses is reached on the loopback.
_REACHED = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def listening_host() -> str:
    """FACTSWEEP_HOST; this machine alone where it is not set."""
    return os.environ.get("FACTSWEEP_HOST") or "127.0.0.1"


def reached_at(host: str, port: int) -> str:
    """The URL at which this machine reaches a webserver that listens on `host`."""
    host = _REACHED.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine reaches the host."""
    return host in ("localhost", "::1") or host.startswith("127.")
