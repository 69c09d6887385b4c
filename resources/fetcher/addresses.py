"""Which network addresses may be connected to.

A host may call itself anything and change its addresses between two look-ups, so what is checked here is what
`connections.py` connects to, and a name is never looked up a second time for one connection.
"""

import ipaddress
import queue
import socket
import threading
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address

from resources.fetcher.problems import Trouble, failed, refused

Resolve = Callable[[str], list[str]]

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Of these some Python versions say that they are on the public internet.
_NOT_PUBLIC = [ipaddress.ip_network(block) for block in ("192.88.99.0/24", "64:ff9b:1::/48", "3fff::/20", "5f00::/16")]


def look_up(host: str) -> list[str]:
    """The system's answer; it also reads the decimal, octal and hexadecimal forms of an IPv4 address.

    Raises:
        OSError: there is none.
    """
    return [str(found[4][0]) for found in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)]


def addresses_of(host: str, resolve: Resolve, timeout_s: float) -> list[str]:
    """All addresses of a host, each once.

    Raises:
        NotFetched: there is no such host.
        Trouble: nobody could say within `timeout_s`; the system's look-up itself knows no time limit.
    """
    answers: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(resolve(host))
        except Exception as error:
            answers.put(error)

    threading.Thread(target=ask, name=f"look up {host}", daemon=True).start()
    try:
        answer = answers.get(timeout=timeout_s)
    except queue.Empty:
        raise Trouble(f"no address of {host} within {timeout_s:.2g} s", reached=False) from None
    if isinstance(answer, socket.gaierror) and answer.errno == socket.EAI_AGAIN:
        raise Trouble(f"the address of {host} cannot be looked up at the moment", reached=False)
    if isinstance(answer, OSError | UnicodeError) or not answer:
        raise failed(f"there is no host {host}", "correct the URL", reached=False)
    if isinstance(answer, Exception):
        raise answer
    return list(dict.fromkeys(answer))


def check(host: str, addresses: list[str]) -> None:
    """Lets pass what may be connected to.

    Raises:
        NotFetched: one of the host's addresses is not on the public internet.
    """
    for address in addresses:
        if (kind := not_public(address)) is not None:
            raise refused(
                f"{host} has the address {address}, which is {kind}",
                f"name {host} under `private_hosts:` in the domain file if it is a server of your own",
                reached=False,
            )


def not_public(address: str) -> str | None:
    """What kind of address it is, unless it is one of the public internet.

    An IPv4 address within an IPv6 one (mapped, NAT64, 6to4) is judged as the IPv4 address that is reached by it.
    """
    parsed = _reached_by(ipaddress.ip_address(address))
    kinds = {
        "unspecified": parsed.is_unspecified,
        "a loopback address": parsed.is_loopback,
        "link-local": parsed.is_link_local,
        "a multicast address": parsed.is_multicast,
        "reserved": parsed.is_reserved or any(parsed in block for block in _NOT_PUBLIC),
        "private": parsed.is_private or (isinstance(parsed, IPv6Address) and parsed.is_site_local),
        "not on the public internet": not parsed.is_global,
    }
    return next((kind for kind, applies in kinds.items() if applies), None)


def _reached_by(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or address
