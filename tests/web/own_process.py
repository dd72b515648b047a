"""A companion in a process of its own, which may be killed and started again on the same data."""

import json
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[2]
BEARER = "a-token-for-tests"
REST = 'announce = false\n[camera]\nkind = "off"\n[panel]\non = false\n[voice]\non = false\n'
GONE = "ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Companion:
    """`companion run` on its own data, as often as it is started; `table` is what its configuration begins with."""

    def __init__(self, folder, table="[table]\n"):
        self.folder = folder
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.process = None
        self.pin = None
        self.config = folder / "companion.toml"
        self.config.write_text(table + REST, encoding="utf-8")

    def start(self):
        where = ["--config", self.config, "--data", self.folder / "data", "--port", str(self.port)]
        command = [sys.executable, "-m", "companion.cli", "run", *where, "--token", BEARER]
        out, err = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdout=out, stderr=err, text=True, cwd=ROOT)
        assert "The table is at" in self.process.stdout.readline()
        told = re.search(r"PIN is ([0-9]+)", self.process.stdout.readline())
        self.pin = told[1] if told else self.pin

    def kill(self):
        """Send SIGKILL: nothing is tidied up."""
        self.process.kill()
        assert self.process.wait(20) == -9
        self.process.stdout.close()

    def ask(self, path, body=None):
        headers = {"Authorization": f"Bearer {BEARER}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers)  # noqa: S310 - our own address
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
            return json.loads(answer.read())

    @property
    def state(self):
        return self.ask("/api/state")


def caught_up(page, companion):
    page.wait_for_function("seq => Number(document.body.dataset.shown) >= seq", arg=companion.state["seq"])
