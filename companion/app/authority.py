"""A certificate authority of the table's own, made by the `openssl` command: it may vouch for this table alone."""

from __future__ import annotations

import re
import tempfile
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.app.machine import run
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.app.machine import Done

DAY: Final = 86400
AUTHORITY_DAYS: Final = 3650
LEAF_DAYS: Final = 820
"""iOS takes no more than 825, and a Pi without a network loses days whenever it is switched off."""
EARLIER: Final = DAY
"""A phone's clock may be behind ours."""
STAMP: Final = "%Y%m%d%H%M%SZ"
BLOCK: Final = re.compile(r"-----BEGIN (?P<kind>[A-Z ]+)-----.+?-----END (?P=kind)-----\n?", re.DOTALL)
CERTIFICATE: Final = "CERTIFICATE"
CONFIG: Final = """\
[ca]
default_ca = table
[table]
database = {folder}/index.txt
new_certs_dir = {folder}
rand_serial = yes
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = any_name
prompt = no
[any_name]
commonName = {name}
[authority]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
nameConstraints = critical,@only
[only]
{only}
[leaf]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = serverAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = @names
[names]
{names}
"""


class Signed(NamedTuple):
    """A key with its certificate, as one file that servers load, and when it ends."""

    pem: bytes
    until: float


def new_authority(
    title: str, names: Sequence[str], networks: Sequence[str], *, now: float, run: Callable[..., Done] = run
) -> Signed:
    """Return an authority that browsers believe for these names and networks alone."""
    only = [f"permitted;DNS.{number} = {name}" for number, name in enumerate(names)]
    for number, network in enumerate(map(ip_network, networks)):
        only.append(f"permitted;IP.{number} = {network.network_address}/{network.netmask}")
    with tempfile.TemporaryDirectory() as folder:
        config = _config(Path(folder), title, only=only)
        return _signed(config, "authority", ("-selfsign", "-keyfile", "key"), (now, AUTHORITY_DAYS), run)


def new_leaf(
    authority: bytes, names: Sequence[str], addresses: Sequence[str], *, now: float, run: Callable[..., Done] = run
) -> Signed:
    """Return a certificate of the authority's for these names and addresses."""
    called = [f"DNS.{number} = {name}" for number, name in enumerate(names)]
    called += [f"IP.{number} = {address}" for number, address in enumerate(addresses)]
    with tempfile.TemporaryDirectory() as folder:
        config = _config(Path(folder), names[0], names=called)
        (Path(folder) / "authority").write_bytes(authority)
        by = ("-cert", "authority", "-keyfile", "authority")
        return _signed(config, "leaf", by, (now, LEAF_DAYS), run)


def certificate_in(pem: bytes) -> str:
    """Return the certificate of a file with a key and a certificate, as PEM."""
    found = [match[0] for match in BLOCK.finditer(pem.decode("ascii", "replace")) if match["kind"] == CERTIFICATE]
    if not found:
        raise ValueError("there is no certificate in it")
    return found[0]


def _config(folder: Path, name: str, *, only: Sequence[str] = (), names: Sequence[str] = ()) -> Path:
    (folder / "index.txt").touch()
    config = folder / "config"
    told = CONFIG.format(folder=folder, name=name, only="\n".join(only), names="\n".join(names))
    config.write_text(told, encoding="ascii")
    return config


def _signed(config: Path, kind: str, by: tuple[str, ...], dates: tuple[float, int], run: Callable[..., Done]) -> Signed:
    """Make a key and a request, and sign it; the folder is its owner's alone and goes with all that is in it.

    `dates` are now, and the days from now on.
    """
    folder = config.parent
    key, request, made = folder / "key", folder / "request", folder / "made"
    now, until = dates[0], int(dates[0]) + dates[1] * DAY
    new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", str(key))
    _must(run, "openssl", "req", "-new", *new_key, "-config", str(config), "-out", str(request))
    files = [str(folder / word) if word in ("key", "authority") else word for word in by]
    lasts = ("-startdate", _stamp(now - EARLIER), "-enddate", _stamp(until))
    how = ("-batch", "-notext", "-config", str(config), "-extensions", kind, *lasts)
    _must(run, "openssl", "ca", *how, *files, "-in", str(request), "-out", str(made))
    return Signed(key.read_bytes() + made.read_bytes(), float(until))


def _stamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime(STAMP)


def _must(run: Callable[..., Done], *command: str) -> None:
    done = run(*command)
    if done.code == 127:  # noqa: PLR2004 - a shell's word for a program that is not there
        raise Refusal("no_openssl", None, "The program openssl is not installed: apt install openssl.")
    if done.code:
        why = " ".join((done.error or done.out).split())[-200:]
        raise Refusal("secure_fails", None, f"openssl makes no certificate: {why}", why=why)
