"""Where the fetcher connects to, and where never: private addresses, names that change, credentials, proxies."""

import datetime
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from resources.fetcher import Fetched, Fetcher, FetchPolicy, FetchRequest, FetchStatus
from resources.fetcher.addresses import not_public
from tests.support.web import HOST, OTHER_HOST, FakeClock, Page, Web, own


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as running:
        yield running


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a connection was tried to; none is made."""
    tried: list[str] = []

    def refuse(address: tuple[str, int], *_: object, **__: object) -> socket.socket:
        tried.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", refuse)
    return tried


def fetch(url: str, policy: FetchPolicy | None = None) -> Fetched:
    """The result of one URL, with the system's own look-up of names."""
    with Fetcher(policy, clock=FakeClock()) as fetcher:
        return fetcher.fetch(FetchRequest(url))


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("127.0.0.1", "a loopback address"),
        ("127.8.8.8", "a loopback address"),
        ("::1", "a loopback address"),
        ("0.0.0.0", "unspecified"),
        ("::", "unspecified"),
        ("169.254.169.254", "link-local"),
        ("fe80::1%eth0", "link-local"),
        ("10.1.2.3", "private"),
        ("172.16.0.1", "private"),
        ("192.168.1.1", "private"),
        ("198.18.0.1", "private"),
        ("fd00::1", "private"),
        ("fec0::1", "private"),
        ("2001:db8::1", "private"),
        ("2001::1", "private"),
        ("224.0.0.1", "a multicast address"),
        ("ff02::1", "a multicast address"),
        ("240.0.0.1", "reserved"),
        ("255.255.255.255", "reserved"),
        ("192.88.99.1", "reserved"),
        ("64:ff9b:1::a00:1", "reserved"),
        ("::127.0.0.1", "reserved"),
        ("::ffff:0:127.0.0.1", "reserved"),
        ("100.64.0.1", "not on the public internet"),
        ("::ffff:127.0.0.1", "a loopback address"),
        ("::ffff:10.0.0.1", "private"),
        ("64:ff9b::7f00:1", "a loopback address"),
        ("64:ff9b::a9fe:a9fe", "link-local"),
        ("2002:a00:1::1", "private"),
        ("93.184.215.14", None),
        ("2606:4700::6810:84e5", None),
        ("::ffff:93.184.215.14", None),
        ("64:ff9b::5db8:d70e", None),
    ],
)
def test_which_addresses_are_public(address: str, kind: str | None) -> None:
    assert not_public(address) == kind


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "LOCALHOST.", "[::1]", "0.0.0.0", "169.254.169.254", "10.0.0.1",
        "2130706433", "0x7f000001", "0x7f.1", "017700000001", "127.1", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]",
    ],
)  # fmt: skip
def test_no_private_address_without_permission(web: Web, connected: list[str], host: str) -> None:
    fetched = fetch(f"http://{host}:{web.port}/page")

    assert fetched.status == FetchStatus.REFUSED
    assert "has the address" in (fetched.reason or "")
    assert "`private_hosts:` in the domain file" in (fetched.remedy or "")
    assert connected == []


def test_a_private_address_with_permission(web: Web) -> None:
    web.pages["/page"] = Page(b"x")

    fetched = fetch(f"http://127.0.0.1:{web.port}/page", FetchPolicy(private_hosts=frozenset({"127.0.0.1"})))

    assert fetched.status == FetchStatus.FETCHED


def test_the_permission_of_one_host_is_not_anothers(web: Web) -> None:
    web.pages["/page"] = Page(b"x")

    fetched = web.fetch(policy=own(private_hosts=frozenset({OTHER_HOST})))

    assert fetched.reason == "docs.test has the address 127.0.0.1, which is a loopback address"
    assert web.log == []


def test_one_private_address_among_public_ones_is_enough(web: Web, connected: list[str]) -> None:
    web.addresses["mixed.test"] = ["93.184.215.14", "10.0.0.1"]

    assert web.fetch("http://mixed.test/").status == FetchStatus.REFUSED
    assert connected == []


def test_a_name_that_changes_between_check_and_connection(web: Web, connected: list[str]) -> None:
    answers = [["93.184.215.14"], ["127.0.0.1"]]

    with Fetcher(FetchPolicy(), clock=web.clock, resolve=lambda host: answers.pop(0)) as fetcher:
        fetched = fetcher.fetch(FetchRequest("http://rebinding.test/"))

    # What was checked is what was connected to; the second attempt's answer was checked anew and not connected to.
    assert connected == ["93.184.215.14"]
    assert fetched.reason == "rebinding.test has the address 127.0.0.1, which is a loopback address"


@pytest.mark.parametrize(
    "url",
    [
        "", "page", "//docs.test/page", "file:///etc/passwd", "ftp://docs.test/", "data:text/plain,x", "http://",
        "http:///page", "http://docs.test:99999/", "http://docs.test:x/", "http://[::1/", "http://010.0.0.1/",
        "http://docs.test/\n", "http://" + "a" * 70 + ".test/", "http://\ud800.test/",
        "http://a b/", "http://[fe80::1%25eth0]/",
    ],
)  # fmt: skip
def test_what_is_no_url_to_fetch(url: str) -> None:
    fetched = fetch(url)

    assert (fetched.requested_url, fetched.body) == (url, b"")
    assert fetched.status == (FetchStatus.FAILED if "aaa" in url else FetchStatus.REFUSED)
    assert not (fetched.reason or "").startswith("a fault")


def test_a_name_that_cannot_be_looked_up_at_the_moment(web: Web) -> None:
    looked_up: list[str] = []

    def resolve(host: str) -> list[str]:
        looked_up.append(host)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    with Fetcher(FetchPolicy(), clock=web.clock, resolve=resolve) as fetcher:
        fetched = fetcher.fetch(FetchRequest(web.url()))

    assert fetched.reason == "the address of docs.test cannot be looked up at the moment, 3 times in a row"
    assert looked_up == [HOST] * 3


def test_a_look_up_that_hangs(web: Web) -> None:
    def resolve(host: str) -> list[str]:
        time.sleep(1)
        return []

    with Fetcher(FetchPolicy(connect_timeout_s=0.05, retries=0), clock=web.clock, resolve=resolve) as fetcher:
        fetched = fetcher.fetch(FetchRequest(web.url()))

    assert (fetched.reason, fetched.remedy) == ("no address of docs.test within 0.05 s", "fetch again later")


@pytest.mark.parametrize("place", ["alice:hunter2@docs.test", "docs.test\\@other.test", ":hunter2@docs.test"])
def test_credentials_in_a_url_are_refused(web: Web, place: str) -> None:
    fetched = web.fetch(f"http://{place}:{web.port}/page")

    assert fetched.status == FetchStatus.REFUSED
    assert "holds credentials" in (fetched.reason or "")
    assert web.log == []


def test_no_reason_holds_a_secret(web: Web) -> None:
    secret = "hunter2secret"
    web.pages = {
        "/robots.txt": Page(b"User-agent: *\nDisallow: /private\n"),
        "/circle": lambda request: Page(status=302, headers={"Location": request.path}),
        "/out": Page(status=302, headers={"Location": f"ftp://u:{secret}@docs.test/?{secret}"}),
        "/broken": Page(status=302, headers={"Location": f"http://docs.test:{secret}/"}),
        "/busy": Page(status=500),
        "/cut": Page(b"x", headers={"Content-Length": "9"}),
    }
    urls = [web.url(f"{path}?key={secret}") for path in ("/private", "/missing", *web.pages)]
    urls += [f"http://u:{secret}@docs.test/", f"http://docs.test:{secret}/", f"http://10.0.0.1/?{secret}"]

    with web.fetcher() as fetcher:
        results = [fetched for fetched in fetcher.fetch_all(map(FetchRequest, urls)) if fetched.status != "fetched"]

    assert len(results) == len(urls) - 1  # robots.txt itself
    assert [fetched.reason for fetched in results if secret in f"{fetched.reason} {fetched.remedy}"] == []


def test_a_proxy_of_the_environment_is_not_used_unasked(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.invalid:9")
    web.pages["/page"] = Page(b"x")

    assert web.fetch().status == FetchStatus.FETCHED


def test_a_proxy_of_the_environment_when_asked(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://alice:hunter2@127.0.0.1:{web.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    web.addresses |= {"docs.example": [], "intranet.example": ["10.0.0.1"]}  # only the proxy finds the first
    web.pages["http://docs.example/page"] = Page(b"x")
    policy = FetchPolicy(trust_env=True)

    fetched = web.fetch("http://docs.example/page", policy)

    assert fetched.body == b"x"
    assert web.log[-1].headers["proxy-authorization"].startswith("Basic ")
    assert web.fetch("http://intranet.example/page", policy).status == FetchStatus.REFUSED


@pytest.mark.parametrize(("proxy", "status"), [("", FetchStatus.FETCHED), ("socks5://", FetchStatus.FAILED)])
def test_the_forms_of_a_proxy(web: Web, monkeypatch: pytest.MonkeyPatch, proxy: str, status: FetchStatus) -> None:
    monkeypatch.setenv("http_proxy", f"{proxy}127.0.0.1:{web.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    web.pages["http://docs.test/page"] = Page(b"x")

    assert web.fetch("http://docs.test/page", own(trust_env=True)).status == status


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of its own authority for `docs.test`, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    unencrypted = serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    file = tmp_path / "certificate.pem"
    file.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, unencrypted) + made.public_bytes(pem))
    return file


def test_a_pinned_connection_keeps_the_hosts_name(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str | None] = []
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda connection, name, context: names.append(name)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.delenv("https_proxy", raising=False)
    with Web(context) as web:
        web.pages["/page"] = Page(b"x")

        trusted = web.fetch(policy=own(trust_env=True))
        hosts = {request.headers["host"] for request in web.log}
        untrusted = web.fetch()
        misnamed = web.fetch(web.url(host=OTHER_HOST), own(trust_env=True))

    assert trusted.body == b"x"
    assert names[0] == HOST
    assert hosts == {f"{HOST}:{web.port}"}
    assert untrusted.status == misnamed.status == FetchStatus.FAILED
    assert "certificate of docs.test cannot be verified" in (untrusted.reason or "")
    assert "Hostname mismatch" in (misnamed.reason or "")
