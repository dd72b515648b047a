"""A machine on which the table is installed, all of whose programs are pretended, for the tests of `manage`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.pretended import SCRIPTS, System

# A service that starts; once it does not, or ends a moment after it has started, where a file says so.
SYSTEMCTL = """
echo "$*" >>{here}/asked-of-systemd
case $1 in
    restart)
        [ ! -e {here}/does-not-start ] || {{ rm {here}/does-not-start; exit 1; }}
        touch {here}/active ;;
    stop) rm -f {here}/active ;;
    is-active) [ -e {here}/active ] ;;
    show)
        [ -e {here}/ends-soon ] || exec cat {here}/process
        rm {here}/ends-soon {here}/active
        true &
        wait
        echo $! ;;
esac"""
PYTHON = """
for folder; do :; done
mkdir -p $folder/bin
for program in pip python companion; do cp {here}/its-$program $folder/bin/$program; done"""
PIP = """
echo "$*" >>{here}/asked-of-pip
[ ! -e {here}/offline ] || {{ echo "connection broken by 'NewConnectionError'"; exit 1; }}"""
COMPANION = """
echo "$*" >>{here}/asked-of-companion
[ ! -e {here}/refuses-$1 ] || {{ echo "refused: $1" >&2; exit 1; }}"""
# Without the owner, whom only an administrator can name.
INSTALL = """
set -- "$@" end
while [ "$1" != end ]; do
    case $1 in -o | -g) shift 2 ;; *) set -- "$@" "$1"; shift ;; esac
done
shift
exec {install} "$@" """
AS_SOMEBODY = """
echo "$*" >>{here}/asked-of-{name}
while [ $# -gt 0 ]; do case $1 in -u) shift 2 ;; --) shift; break ;; -*) shift ;; *) break ;; esac; done
exec "$@" """


class Machine(System):
    """The folder of the project, the places of the table, and pretended programs around them."""

    def __init__(self, folder):
        super().__init__(folder / "programs")
        self.place, self.project, self.home = folder, folder / "project", folder / "opt"
        self.games, self.etc = folder / "games", folder / "etc"
        for one in (self.folder, self.project, self.games, self.etc, folder / "running"):
            one.mkdir()
        shutil.copytree(SCRIPTS, self.project / "scripts")
        for name in ("requirements.txt", "requirements-dev.txt", "README.md"):
            (self.project / name).write_text(name)
        real = {"here": folder, "home": self.home, "install": shutil.which("install")}
        (folder / "process").write_text(str(os.getpid()))
        self.program("systemctl", SYSTEMCTL.format(**real))
        self.program("python3", PYTHON.format(**real))
        self.program("install", INSTALL.format(**real))
        for name in ("runuser", "setpriv"):
            self.program(name, AS_SOMEBODY.format(name=name, **real))
        for name in ("chown", "systemd-sysusers"):
            self.program(name, "true")
        for name, text in (("pip", PIP), ("python", ""), ("companion", COMPANION)):
            self.program(name, text.format(**real))
            (self.folder / name).rename(folder / f"its-{name}")

    def manage(self, words):
        """What `manage` says to a word."""
        return self.run(*self._managed(words))

    def managing(self, words):
        """The same as a process, to be killed."""
        return self.begin(*self._managed(words))

    def _managed(self, words):
        places = f"home={self.home} games={self.games} etc={self.etc}"
        places += f" running={self.place}/running command={self.place}/companion watched=0.3"
        return f"{places}\n{words}", self.project / "scripts/appliance/manage"

    def installed_once(self):
        """A table that was installed from the folder, and runs; the name of its release."""
        said = self.manage("main install")
        assert said.returncode == 0, said.stderr
        (self.games / "record.sqlite3").write_text("a game")
        for name in ("systemd", "companion"):
            (self.place / f"asked-of-{name}").unlink()
        return self.current

    def plays_for_real(self):
        """From the next release on, what reads and copies the games is the companion itself."""
        root = SCRIPTS.parent
        (self.place / "its-companion").write_text(
            f'#!/bin/sh\necho "$*" >>{self.place}/asked-of-companion\n'
            f'PYTHONPATH={root} exec {sys.executable} -m companion.cli "$@"\n'
        )

    def goes_back_to(self, release):
        """An earlier release runs, and there was never another one."""
        said = self.manage(f"switch_to {release}; install_units {release}; restart")
        assert said.returncode == 0, said.stderr
        for name in self.releases - {release}:
            shutil.rmtree(self.home / "releases" / name)

    def changes(self, text="changed"):
        """There is something new in the folder."""
        (self.project / "README.md").write_text(text)

    def asked_of(self, name):
        """What a program was asked, line by line."""
        said = self.place / f"asked-of-{name}"
        return said.read_text().splitlines() if said.exists() else []

    def changes_its_service(self):
        """The next release has another service."""
        service = self.project / "scripts/appliance/table-companion.service"
        service.write_text(f"{service.read_text()}# another\n")

    def services(self):
        """The service as it is installed, and as each whole release brings it."""
        installed = (self.etc / "systemd/system/table-companion.service").read_text()
        brought = {
            name: (self.home / "releases" / name / "scripts/appliance/table-companion.service").read_text()
            for name in self.releases
            if (self.home / "releases" / name / "complete").exists()
        }
        return installed, brought

    @property
    def current(self):
        return Path(self.home / "current").readlink().name

    @property
    def releases(self):
        return {one.name for one in (self.home / "releases").iterdir()}

    @property
    def runs(self):
        return (self.place / "active").exists()


class Clone:
    """The machine's folder as a clone of what somebody else goes on with."""

    def __init__(self, machine):
        self.here, self.origin = machine.project, machine.place / "origin"
        self.here.rename(self.origin)
        self._git("init", "--quiet", "--initial-branch=main")
        self.adds("first.txt")
        subprocess.run(["git", "clone", "--quiet", self.origin, self.here], check=True, capture_output=True)

    def _git(self, *words):
        names = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *names, *words], cwd=self.origin, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def adds(self, name):
        """There is something new to fetch."""
        (self.origin / name).write_text(name)
        self._git("add", ".")
        self._git("commit", "--quiet", "--message", name)

    def signs(self, tag, key, *, trusted=True):
        """What is newest has a tag that is signed, with a key that the owner of the clone has or has not."""
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
        self._git("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}", "tag", "--sign", "--message", tag, tag)
        if trusted:
            signers = key.with_suffix(".signers")
            signers.write_text(f"* {key.with_suffix('.pub').read_text()}")
            subprocess.run(["git", "config", "gpg.ssh.allowedSignersFile", signers], cwd=self.here, check=True)

    def goes_back(self):
        """The newest commit is gone, as if it had never been; another one is there instead."""
        self._git("reset", "--hard", "--quiet", "HEAD~1")
        self.adds("other.txt")

    def vanishes(self):
        """There is nothing to fetch from any more."""
        self.origin.rename(self.origin.with_name("elsewhere"))

    @property
    def head(self):
        return self._git("rev-parse", "--short=12", "HEAD")
