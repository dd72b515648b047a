"""The installed command: an administrator asks about the table's games, and files are those of whoever asks."""

import os
import shutil
import subprocess

import pytest

from tests.pretended import ROOT, SCRIPTS, SOMEBODY, System

ABOUT_GAMES = ("games", "replay", "export", "backup", "restore", "pin", "doctor")
# As the table's user, with which rights: told, and done.
SETPRIV = """
echo "$*" >>{here}/asked-of-setpriv
while [ "${{1#--}}" != "$1" ]; do shift; done
exec "$@" """
# Owners are told by what stands in a file, and for a folder in a file of it.
STAT = """
format=$2
shift 2
for one; do
    owner=pia
    ! grep -qs 'by the table' "$one" "$one/.owner" || owner=table-companion
    case $format in %U) echo $owner ;; *) echo "$owner $one" ;; esac
done"""
CHOWN = """
echo "$2" >>{here}/asked-of-chown
if [ -d "$3" ]; then rm "$3/.owner"; else echo 'by pia' >"$3"; fi"""
COMMAND = """
echo "$COMPANION_DATA" >{here}/data
case $1 in
    backup) echo 'by the table' >$2 ;;
    export) echo 'by the table' >{person}/whole.json ;;
    print)
        mkdir -p {person}/new/sheets
        for one in new/.owner new/sheets/.owner new/sheets/one.png; do echo 'by the table' >{person}/$one; done ;;
    games) echo 'by the table' >{games}/record ;;
    fails) exit 3 ;;
esac"""


class Installed(System):
    """A machine on which the table is installed, and a person's folder on it."""

    def __init__(self, folder):
        super().__init__(folder / "programs")
        self.place, self.person = folder, folder / "home"
        self.games = folder / "lib" / "table-companion"
        program = folder / "opt/table-companion/current/.venv/bin/companion"
        for one in (self.folder, self.person, self.games, program.parent):
            one.mkdir(parents=True)
        places = {"here": folder, "person": self.person, "games": self.games}
        for name, text in (("setpriv", SETPRIV), ("stat", STAT), ("chown", CHOWN), ("companion", COMMAND)):
            self.program(name, text.format(**places))
        (self.folder / "companion").rename(program)
        self.command = command_in(folder)

    def asks(self, *words, user=ROOT):
        """What is said to somebody who asks from their own folder."""
        self.user = user
        asked = " ".join(words)
        return self.run(f"sh {self.command} {asked}", "/dev/null", cwd=self.person)

    def said_to(self, program):
        said = self.place / f"asked-of-{program}"
        return said.read_text().splitlines() if said.exists() else []


def command_in(folder, name="table-companion"):
    """The command, with its places in a folder."""
    text = (SCRIPTS / "appliance" / "companion").read_text()
    for before, after in (
        ("games=/var/lib/", f"games={folder}/lib/"),
        ("program=/opt/", f"program={folder}/opt/"),
        ("name=table-companion", f"name={name}"),
    ):
        assert text.count(before) == 1
        text = text.replace(before, after)
    command = folder / "command"
    command.write_text(text)
    return command


@pytest.fixture
def installed(tmp_path, monkeypatch):
    for variable in ("COMPANION_DATA", "SUDO_UID", "SUDO_GID"):
        monkeypatch.delenv(variable, raising=False)
    return Installed(tmp_path)


@pytest.fixture
def _through_sudo(installed, monkeypatch):
    del installed
    monkeypatch.setenv("SUDO_UID", "1000")
    monkeypatch.setenv("SUDO_GID", "1001")


@pytest.mark.parametrize("command", ABOUT_GAMES)
def test_without_sudo_one_line_says_whose_games_these_are(installed, command):
    said = installed.asks(command, "x", user=SOMEBODY)
    (line,) = said.stderr.splitlines()
    assert line.endswith(f"sudo companion {command} ...")
    assert said.returncode == 0
    assert installed.said_to("setpriv") == []


@pytest.mark.parametrize(
    "words",
    [("cards", "check", "x"), ("simulate",), ("games", "--data", "x"), ("pin", "--help"), ("doctor", "--wiring")],
)
def test_what_is_not_about_the_tables_games_is_left_alone(installed, words):
    assert installed.asks(*words, user=SOMEBODY).stderr == ""


def test_who_names_a_folder_in_the_environment_knows(installed, monkeypatch):
    monkeypatch.setenv("COMPANION_DATA", "x")
    assert installed.asks("games", user=SOMEBODY).stderr == ""
    assert (installed.place / "data").read_text() == "x\n"


@pytest.mark.parametrize("command", ["run", "demo", "find", "league", "games", "pin"])
def test_what_needs_nobodys_files_has_no_rights(installed, command):
    assert installed.asks(command).returncode == 0
    (asked,) = installed.said_to("setpriv")
    assert asked.startswith("--reuid=table-companion --regid=table-companion --init-groups ")
    assert "caps" not in asked
    assert (installed.place / "data").read_text() == f"{installed.games}\n"


@pytest.mark.usefixtures("_through_sudo")
@pytest.mark.parametrize(
    ("words", "written"),
    [
        (("backup", "b.zip"), "b.zip"),
        (("export", "x", "-o", "whole.json"), "whole.json"),
        (("export", "x", "-owhole.json"), "whole.json"),
        (("export", "x", "--output=whole.json"), "whole.json"),
        (("print", "--png", "new/sheets"), "new/sheets/one.png"),
    ],
)
def test_what_was_written_for_somebody_is_theirs(installed, words, written):
    said = installed.asks(*words)
    assert (said.returncode, said.stderr) == (0, "")
    assert (installed.person / written).read_text() == "by pia\n"
    assert set(installed.said_to("chown")) == {"1000:1001"}
    assert not list(installed.person.rglob(".owner"))
    (asked,) = installed.said_to("setpriv")
    assert "--reuid=table-companion" in asked
    assert "--ambient-caps=+dac_override" in asked


def test_without_sudo_it_is_the_administrators(installed):
    installed.asks("backup", "b.zip")
    assert installed.said_to("chown") == ["0:0"]


@pytest.mark.usefixtures("_through_sudo")
def test_what_is_the_tables_stays_the_tables(installed):
    elsewhere, link = installed.place / "elsewhere", installed.place / "link"
    elsewhere.mkdir()
    link.symlink_to(installed.games)
    for folder in (elsewhere, installed.games):
        (folder / "record").write_text("by the table")
    for words in (
        ("doctor", "--data", elsewhere),
        ("doctor", f"--data={elsewhere}"),
        ("cards", "check", link),
        ("restore", installed.games / "record"),
    ):
        installed.asks(*map(str, words))
    assert installed.said_to("chown") == []


def test_what_fails_fails(installed):
    assert installed.asks("fails").returncode == 3


@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("setpriv"), reason="only an administrator can be others")
def test_for_real_a_shut_folder_is_written_and_read(tmp_path):
    program = tmp_path / "opt/daemon/current/.venv/bin/companion"
    program.parent.mkdir(parents=True)
    (tmp_path / "lib/daemon").mkdir(parents=True)
    # `test -r` asks as click does: may the user read it, whatever rights the process has?
    program.write_text('#!/bin/sh\nset -e\ntest -r shut\ncat shut >"$2"\nid -un >>"$2"\n')
    program.chmod(0o755)
    person = tmp_path / "home"
    person.mkdir()
    (person / "shut").write_text("read\n")
    (person / "shut").chmod(0o600)
    for one in (person / "shut", person):
        os.chown(one, 1234, 1235)
    person.chmod(0o700)
    told = os.environ | {"SUDO_UID": "1234", "SUDO_GID": "1235"}
    command = ["sh", command_in(tmp_path, "daemon"), "backup", "b.zip"]
    for _ in range(2):
        done = subprocess.run(command, cwd=person, env=told, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    made = person / "b.zip"
    assert made.read_text() == "read\ndaemon\n"
    assert (made.stat().st_uid, made.stat().st_gid) == (1234, 1235)
