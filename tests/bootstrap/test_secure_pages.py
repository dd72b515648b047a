"""Secure pages: what the authority may vouch for, and what happens when address, name or date change."""

import ssl
import stat
import subprocess
from datetime import UTC, datetime

import pytest

from companion.app import secure_pages
from companion.app.authority import DAY, LEAF_DAYS, certificate_in, new_leaf
from companion.app.machine import Done
from companion.app.secure_pages import RENEWED_BEFORE, SecurePages, secure_check, state_in
from companion.refusal import Refusal
from companion.table.ports import Health
from web.base.serving import bound

NOW = datetime(2026, 11, 19, 12, tzinfo=UTC).timestamp()


class Table:
    """A table whose address, name and date change."""

    def __init__(self, folder, **options):
        self.folder = folder
        self.now, self.address, self.networks = NOW, "192.168.1.20", ["192.168.1.0/24"]
        self.options = options
        self.doors = []
        self.pages = self.named("Küche")

    def named(self, name):
        pages = SecurePages(
            self.folder,
            name,
            0,
            lambda: self.address,
            clock=lambda: self.now,
            networks=lambda: self.networks,
            **self.options,
        )
        pages.serve_with(self)
        return pages

    def open_door(self, door):
        self.doors.append(door)

    def close_door(self, door):
        self.doors.remove(door)
        door.listening.close()

    def verified(self, pem, name):
        """What a browser with the authority thinks of a certificate."""
        (self.folder / "leaf").write_text(certificate_in(pem))
        (self.folder / "authority").write_bytes(self.pages.authority())
        which = "-verify_ip" if name[0].isdigit() else "-verify_hostname"
        asked = ["openssl", "verify", "-attime", str(int(self.now)), "-purpose", "sslserver", which, name]
        asked += ["-CAfile", self.folder / "authority", self.folder / "leaf"]
        return subprocess.run(asked, capture_output=True, text=True, check=False)

    @property
    def leaf(self):
        return (self.folder / "secure/table.pem").read_bytes()

    @property
    def codes(self):
        return [one["code"] for one in self.pages.view()["notes"]]


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path)
    yield made
    for door in made.doors:
        door.listening.close()


@pytest.fixture
def on(table):
    table.pages.act("on")
    return table


def test_they_are_off_until_somebody_switches_them_on(table):
    view = table.pages.view()
    assert (view["on"], view["address"], view["notes"]) == (False, "", [])
    table.pages.start()
    table.pages.close()
    assert not (table.folder / "secure").exists()
    with pytest.raises(Refusal) as refused:
        table.pages.authority()
    assert refused.value.code == "no_secure_pages"


def test_the_certificate_is_good_for_names_and_addresses_of_the_table(on):
    for name in ("kuche.local", "kuche", "192.168.1.20", "10.42.0.1"):
        assert on.verified(on.leaf, name).returncode == 0, name
    for name in ("192.168.1.21", "example.org"):
        assert on.verified(on.leaf, name).returncode != 0, name
    assert on.pages.view()["address"].startswith("https://192.168.1.20:")


@pytest.mark.parametrize("name", ["example.org", "93.184.216.34", "192.168.2.1", "local"])
def test_the_authority_cannot_vouch_for_anything_else(on, name):
    names, addresses = ([], [name]) if name[0].isdigit() else ([name], [])
    pem = (on.folder / "secure/authority.pem").read_bytes()
    forged = new_leaf(pem, names or ["kuche.local"], addresses, now=NOW).pem
    answer = on.verified(forged, name)
    assert answer.returncode != 0
    assert "permitted subtree violation" in answer.stdout + answer.stderr


def test_keys_are_their_owner_s_alone(on):
    home = on.folder / "secure"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in home.iterdir()} == {0o600}
    assert b"PRIVATE" in (home / "authority.pem").read_bytes()
    assert b"PRIVATE" not in on.pages.authority()
    assert "PRIVATE" not in str(on.pages.view())


def test_what_is_on_is_on_at_the_next_start_with_the_same_certificate(on):
    before = on.leaf
    on.close_door(on.doors[0])
    again = on.named("Küche")
    again.start()
    again.close()
    assert len(on.doors) == 1
    assert on.leaf == before


def test_it_is_renewed_before_it_ends_and_the_open_door_takes_the_new_one(on):
    before, context, authority = on.leaf, on.doors[0].context, on.pages.authority()
    on.now += LEAF_DAYS * DAY - RENEWED_BEFORE - DAY
    on.pages._check()
    assert on.leaf == before
    on.now += 2 * DAY
    on.pages._check()
    assert on.leaf != before
    assert on.doors[0].context is not context
    assert on.pages.authority() == authority, "phones install nothing anew"
    assert on.verified(on.leaf, "kuche.local").returncode == 0


def test_a_clock_that_went_back_renews_nothing(on):
    before = on.leaf
    on.now = 0.0
    on.pages._check()
    assert on.leaf == before
    assert on.codes == []


def test_another_address_of_the_network_is_in_the_certificate_a_moment_later(on):
    on.address = "192.168.1.77"
    on.pages._check()
    assert on.verified(on.leaf, "192.168.1.77").returncode == 0
    assert on.pages.view()["address"].startswith("https://192.168.1.77:")
    assert on.codes == []


def test_in_another_network_the_name_is_good_and_the_page_says_so(on):
    on.address = "192.168.7.7"
    on.pages._check()
    assert on.codes == ["secure_moved"]
    assert on.pages.view()["address"].startswith("https://kuche.local:")
    assert on.verified(on.leaf, "kuche.local").returncode == 0
    on.networks = ["192.168.7.0/24"]
    authority = on.pages.authority()
    on.pages.act("anew")
    assert on.codes == []
    assert on.pages.authority() != authority
    assert on.verified(on.leaf, "192.168.7.7").returncode == 0
    assert len(on.doors) == 1


def test_another_name_wants_another_authority(on):
    on.close_door(on.doors[0])
    on.pages = on.named("Parlour")
    on.pages.start()
    on.pages.close()
    assert on.codes == ["secure_renamed"]
    on.pages.act("anew")
    assert on.codes == []
    assert on.verified(on.leaf, "parlour.local").returncode == 0


def test_switched_off_nobody_comes_in_and_switched_on_again_phones_install_nothing(on):
    authority = on.pages.authority()
    on.pages.act("off")
    assert on.doors == []
    assert not state_in(on.folder).on
    on.pages.act("on")
    assert on.pages.authority() == authority
    assert len(on.doors) == 1


def test_without_openssl_it_says_what_to_install(tmp_path):
    table = Table(tmp_path, run=lambda *_: Done(127, "", "openssl is not installed"))
    with pytest.raises(Refusal) as refused:
        table.pages.act("on")
    assert refused.value.code == "no_openssl"
    assert not table.pages.view()["on"]


def test_a_clock_that_was_never_set_makes_no_certificate(table):
    table.now = 1000.0
    with pytest.raises(Refusal) as refused:
        table.pages.act("on")
    assert refused.value.code == "clock_unset"


def test_a_port_that_is_taken_is_named(table):
    with bound(0) as other:
        table.pages._port = other.getsockname()[1]
        with pytest.raises(Refusal) as refused:
            table.pages.act("on")
    assert refused.value.code == "secure_port_taken"
    table.pages._port = 0
    table.pages._check()
    assert len(table.doors) == 1, "it comes by itself once the port is free"


@pytest.mark.parametrize("name", ["secure.json", "table.pem"])
def test_what_is_unreadable_is_told_and_made_anew(on, name):
    on.close_door(on.doors[0])
    (on.folder / "secure" / name).write_bytes(b"\0 nonsense")
    again = on.pages = on.named("Küche")
    again.start()
    again.close()
    assert on.doors == []
    assert on.codes in (["secure_unreadable"], ["secure_absent"])
    again.act("anew")
    assert on.codes == []
    assert len(on.doors) == 1


def test_the_doctor_says_how_they_are_and_until_when(table):
    assert (secure_check(table.folder).code, secure_check(table.folder).state) == ("secure_off", Health.OK)
    table.pages.act("on")
    check = secure_check(table.folder, now=NOW)
    assert (check.code, check.fields) == ("secure_ok", {"until": "2029-02-16", "name": "kuche.local"})
    assert secure_check(table.folder, now=NOW + 3000 * DAY).code == "secure_over"
    (table.folder / "secure/secure.json").write_text("{")
    assert secure_check(table.folder).code == "secure_unreadable"


def test_networks_here_are_those_that_phones_can_be_in():
    assert "127.0.0.0/8" not in secure_pages.networks_here()


def test_a_browser_agrees_with_python_s_own_tls(on):
    context = ssl.create_default_context(cadata=on.pages.authority().decode())
    assert context.cert_store_stats()["x509_ca"] == 1
