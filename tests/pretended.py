"""A system whose programs are pretended, for the tests of what is written in shell."""

import os
import subprocess
from pathlib import Path

SCRIPTS = Path(__file__).parents[1] / "scripts"
ROOT, SOMEBODY = "0", "1000"


class System:
    """A system whose apt is pretended: what is installed, what could be, and what was asked of it."""

    def __init__(self, folder):
        self.folder = folder
        self.asked_of_apt = folder / "asked"
        self.installed, self.known, self.user, self.installs = [], {}, ROOT, True

    def program(self, name, text):
        (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.folder / name).chmod(0o755)

    def run(self, words, script=SCRIPTS / "packages", **more):
        """What bash says to words behind a script that is sourced."""
        return subprocess.run(**self._bash(words, script), capture_output=True, text=True, check=False, **more)

    def begin(self, words, script):
        """The same in a group of its own, that can be killed with all that it has started."""
        nowhere = subprocess.DEVNULL
        return subprocess.Popen(**self._bash(words, script), stdout=nowhere, stderr=nowhere, start_new_session=True)

    def _bash(self, words, script):
        there = " | ".join(["nothing", *self.installed])
        candidates = "\n".join(f"{name}) echo '  Candidate: {version}' ;;" for name, version in self.known.items())
        self.program("id", f"case $1 in -un) echo somebody ;; *) echo {self.user} ;; esac")
        self.program("dpkg-query", f"case $3 in {there}) echo 'install ok installed' ;; esac")
        self.program("apt-cache", f"case $2 in\n{candidates}\nesac")
        self.program("apt-get", f'echo "$*" >>{self.asked_of_apt}; {"true" if self.installs else "! [ $1 = install ]"}')
        command = ["bash", "-euo", "pipefail", "-c", f". {script}\n{words}"]
        environment = os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        return {"args": command, "env": environment}

    @property
    def asked(self):
        return self.asked_of_apt.read_text().splitlines() if self.asked_of_apt.exists() else []
