"""An update that is asked for on the page: what is signed is taken, and nothing else, however often it is asked for."""

import io
import os
import shutil
import subprocess
import tarfile

import pytest

from companion.app.updates import WANTED, Updates
from companion.refusal import Refusal
from scripts.appliance import archive

from .machine import Clone, Machine

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen")
NEW, OLD = 2_000_000_000, 1_000_000_000
"""Seconds of releases."""


class Keys:
    """Keys of OpenSSH, and a file of those whose signatures count."""

    def __init__(self, folder):
        self.folder = folder
        self.key, self.stranger = (self._made(name) for name in ("maker", "stranger"))
        self.signers = folder / "signers"
        self.signers.write_text(f"maker@example.org {self.key.with_suffix('.pub').read_text()}")

    def _made(self, name):
        key = self.folder / name
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
        return key


def add_run(machine):
    """The project's `run`, for the places of this machine."""
    run = machine.project / "run"
    run.write_text(
        '#!/bin/bash\nset -e\nhere=$(cd "$(dirname "$0")" && pwd)\n. "$here/scripts/appliance/manage"\n'
        f"home={machine.home} games={machine.games} etc={machine.etc} running={machine.place}/running"
        f' command={machine.place}/companion watched=0.3\nmain "${{1#--}}"\n'
    )
    run.chmod(0o755)


class Asked(Machine):
    """A machine with a table that was installed from a release archive, and whose page can ask for another."""

    def __init__(self, folder):
        super().__init__(folder)
        self.keys = Keys(folder)
        self.laid = folder / "laid"
        self.laid.mkdir()
        (self.project / "updates").write_text(f"file://{self.laid}/table-companion.tar\n")
        shutil.copy(self.keys.signers, self.project / "signers")
        (self.project / "released").write_text("1500000000\n")
        add_run(self)
        self.program("mount", "true")
        self.before = self.installed_once()
        self.door = Updates(self.games, self.home, self.etc / "table-companion")

    def lays(self, *, seconds=NEW, key=None, text="new"):
        """A release archive lies where updates are, signed."""
        target, changed = self.laid / "table-companion.tar", self.laid / "README.md"
        changed.write_text(text)
        with tarfile.open(target, "w") as opened:
            for file in sorted(self.project.rglob("*")):
                name = f"table-companion/{file.relative_to(self.project)}"
                if file.is_file() and file.name not in ("released", "README.md"):
                    opened.add(file, name)
            opened.add(changed, "table-companion/README.md")
            entry = tarfile.TarInfo("table-companion/released")
            said = f"{seconds}\n".encode()
            entry.size = len(said)
            opened.addfile(entry, io.BytesIO(said))
            entry = tarfile.TarInfo("wheels/some.whl")
            opened.addfile(entry, io.BytesIO())
        archive.sign(target, key or self.keys.key)
        return target

    def asks(self):
        """The page asks, and systemd does what it does then; what the page shows after it."""
        self.door.ask()
        said = self.manage("main asked")
        outcome = self.door.outcome()
        return said, outcome and outcome.code

    @property
    def readme(self):
        return (self.home / "current/README.md").read_text()


@pytest.fixture
def table(tmp_path):
    return Asked(tmp_path)


def test_a_signed_archive_is_taken_once(table):
    table.lays()
    said, code = table.asks()
    assert (said.returncode, code) == (0, "update_done"), said.stderr
    assert (table.readme, table.runs) == ("new", True)
    assert table.before in table.releases, "the version before is kept"
    assert "Signed by maker@example.org" in said.stderr
    assert not (table.games / WANTED).exists()
    assert list(table.home.glob("incoming.*")) == list(table.home.glob("unpacked.*")) == []
    said, code = table.asks()
    assert (said.returncode, code, len(table.releases)) == (0, "update_nothing", 2)


def test_a_line_without_its_end_counts(table):
    table.lays()
    where = table.etc / "table-companion/updates"
    where.write_text(where.read_text().rstrip("\n"))
    said, code = table.asks()
    assert (said.returncode, code) == (0, "update_done"), said.stderr


def test_what_brings_updates_comes_with_the_service_and_goes_with_it(table):
    units = [table.etc / f"systemd/system/table-companion-update.{kind}" for kind in ("path", "service")]
    assert all(unit.is_file() for unit in units)
    assert any("table-companion-update.path" in line and "start" in line for line in started(table))
    assert table.manage("main uninstall").returncode == 0
    assert not any(unit.exists() for unit in units)
    assert not (table.etc / "table-companion").exists()


def started(table):
    table.lays()
    table.asks()
    return table.asked_of("systemd")


def changed(table, fault):
    """Lay something that must not be taken."""
    target = table.lays(key=table.keys.stranger) if fault == "stranger" else table.lays()
    signature = target.with_name(f"{target.name}.sig")
    match fault:
        case "one byte":
            content = bytearray(target.read_bytes())
            content[len(content) // 2] ^= 1
            target.write_bytes(content)
        case "cut off":
            os.truncate(target, target.stat().st_size // 2)
        case "another's signature":
            kept = signature.read_bytes()
            table.lays(text="other")
            signature.write_bytes(kept)
        case "no signature at all":
            signature.write_text("")
        case "no time":
            table.lays(seconds="x")


FAULTS = ("stranger", "one byte", "cut off", "another's signature", "no signature at all", "no time")


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_not_signed_as_it_is_changes_nothing(table, fault):
    changed(table, fault)
    said, code = table.asks()
    assert (said.returncode, code) == (1, "update_unsigned")
    assert (table.current, table.releases, table.runs) == (table.before, {table.before}, True)
    assert table.asked_of("systemd") == []


def test_an_older_release_is_not_gone_back_to_whoever_signed_it(table):
    table.lays(seconds=OLD)
    said, code = table.asks()
    assert (said.returncode, code, table.current) == (1, "update_older", table.before)


def test_where_nothing_can_be_fetched_the_page_says_why(table):
    said, code = table.asks()
    assert (said.returncode, code) == (1, "update_unreachable")
    assert "curl" in table.door.outcome().fields["why"]


def test_a_version_that_does_not_start_gives_its_place_back_and_the_page_says_so(table):
    table.lays()
    (table.place / "does-not-start").touch()
    said, code = table.asks()
    assert (said.returncode, code) == (1, "update_failed")
    assert (table.current, table.runs) == (table.before, True)
    assert "runs again" in table.door.outcome()


def test_a_table_from_before_is_told_what_is_missing(table):
    table.lays()
    table.door.ask()
    lacking = 'command() { [ "$2" != ssh-keygen ] && builtin command "$@"; }'
    assert table.manage(f"{lacking}; main asked").returncode == 1
    assert "ssh-keygen is not installed: sudo ./run --install" in table.door.outcome()
    assert table.current == table.before


def test_without_signers_nobody_asks(table):
    (table.etc / "table-companion/signers").unlink()
    with pytest.raises(Refusal) as told:
        table.door.ask()
    assert told.value.code == "no_updates"
    (table.games / WANTED).touch()
    said = table.manage("main asked")
    assert (said.returncode, table.current) == (1, table.before)


def test_what_lies_in_the_place_of_the_request_is_not_followed(table, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("of root")
    (table.games / WANTED).symlink_to(kept)
    table.manage("main asked")
    assert (kept / "file").read_text() == "of root"
    assert not (table.games / WANTED).is_symlink()


def test_one_that_was_cut_short_is_told_and_can_be_asked_for_again(table):
    table.lays()
    table.door.ask()
    table.manage("from-card() { :; }; sh() { kill -KILL $$; }; main asked")
    assert table.door.outcome().code == "update_cut"
    assert not table.door.running
    said, code = table.asks()
    assert (said.returncode, code) == (0, "update_done"), said.stderr


def test_while_it_runs_it_is_not_asked_for_again(table):
    table.door.ask()
    assert table.door.running
    with pytest.raises(Refusal) as told:
        table.door.ask()
    assert told.value.code == "update_busy"
    table.lays()
    asked = f"sh() {{ flock --shared --nonblock {table.home}/update-state.lock true || echo held >&2; }}; main asked"
    assert "held" in table.manage(asked).stderr


@pytest.fixture
def cloned(tmp_path):
    """A table that was installed from a clone, whose owner's git trusts the maker."""
    machine = Machine(tmp_path)
    add_run(machine)
    clone = Clone(machine)
    clone.signs("v1.0", tmp_path / "maker")
    machine.before = machine.installed_once()
    machine.door = Updates(machine.games, machine.home, machine.etc / "table-companion")
    return machine, clone


def asks(machine):
    machine.door.ask()
    said = machine.manage("main asked")
    return machine.door.outcome().code, said.stderr


def test_of_a_repository_the_newest_signed_tag_is_taken_and_nothing_that_lies_behind_it(cloned, tmp_path, monkeypatch):
    machine, clone = cloned
    (machine.etc / "table-companion/updates").unlink()
    (machine.project / "changed.txt").touch()
    assert machine.manage("main update").returncode == 0, "an update on a terminal brings what an older table lacks"
    (machine.project / "changed.txt").unlink()
    assert asks(machine)[0] == "update_nothing"
    for year, name, key in ((2035, "v2.0", "maker-too"), (2036, "v3.0", "stranger"), (2037, "", "")):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{year}-01-01T12:00:00Z")
        clone.adds(f"of-{year}.txt")
        if name:
            clone.signs(name, tmp_path / key, trusted=False)
    signers = machine.etc / "table-companion/signers"
    signers.write_text(signers.read_text() + f"* {(tmp_path / 'maker-too.pub').read_text()}")
    code, said = asks(machine)
    assert code == "update_done", said
    assert "The newest signed tag is v2.0" in said
    assert (machine.home / "current/of-2035.txt").exists()
    assert not (machine.home / "current/of-2036.txt").exists()
    assert asks(machine)[0] == "update_nothing"


def test_a_repository_that_is_gone_changes_nothing(cloned):
    machine, clone = cloned
    clone.vanishes()
    assert asks(machine)[0] == "update_unreachable"
    assert machine.current == machine.before
