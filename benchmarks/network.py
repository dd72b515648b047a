"""Measure a hall of 200 tables on one broker, with one league page: how late the page is, and what it takes."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import IO, Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from benchmarks.tables import memory

HERE = Path(__file__).resolve().parent.parent
TABLES = 200
WORKERS = 4
PACE = 100.0
"""Moves a second in the whole hall: every table moves every other second, ten times as fast as people do."""
SECONDS = 60.0
PATIENCE = 120.0
"""Seconds without any news after which nothing more is to come."""
MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
SEQ = re.compile(rb'"seq":(\d+)')
CARD = re.compile(r'id="(t-[0-9a-f]+)"\s+data-seq="(\d+)"')


class Seen:
    """When each state of each table was there, for one who looks on; a later state stands for those before."""

    def __init__(self) -> None:
        self.times: dict[str, list[tuple[int, float]]] = {}
        self.newer = threading.Condition()

    def note(self, table: str, seq: int) -> None:
        """Note that a table has this state now."""
        with self.newer:
            self.times.setdefault(table, []).append((seq, perf_counter()))
            self.newer.notify_all()

    def until_all(self, wanted: dict[str, int]) -> None:
        """Wait until every table has come as far as wanted: as long as there is news, however slow the machine is."""
        with self.newer:
            while missing := [name for name, seq in wanted.items() if self._newest(name) < seq]:
                if not self.newer.wait(PATIENCE):
                    raise TimeoutError(f"{len(missing)} of {len(wanted)} tables have not come through: {missing[:5]}")

    def _newest(self, table: str) -> int:
        return self.times.get(table, [(0, 0.0)])[-1][0]

    def lags(self, table: str, published: dict[int, float]) -> list[float]:
        """Return how late each state was, in milliseconds."""
        found, times = [], iter(self.times.get(table, []))
        seq, at = 0, 0.0
        for number in sorted(published):
            while seq < number:
                seq, at = next(times)
            found.append(1000 * (at - published[number]))
        return found


class Page(threading.Thread):
    """A browser that has the league page open."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.seen = Seen()
        self.bytes = 0
        self._line = socket.create_connection(("127.0.0.1", port))
        self._line.sendall(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")

    def run(self) -> None:
        """Read until the page ends."""
        with self._line.makefile("rb") as lines:
            for line in lines:
                self.bytes += len(line)
                if line.startswith(b"data: "):
                    for html in json.loads(line[6:]).get("parts", {}).values():  # other events have none
                        card = CARD.search(html)
                        if card:
                            self.seen.note(card[1], int(card[2]))


def card(table: str) -> str:
    """Return a table's id on the page."""
    return f"t-{hashlib.sha256(table.encode()).hexdigest()[:16]}"


def bare(port: int, seen: Seen) -> Client:
    """Return a subscriber that does nothing but note the time: what the broker alone takes."""

    def heard(_client: Client, _data: Any, message: MQTTMessage) -> None:
        found = SEQ.search(message.payload)
        if found:
            seen.note(card(message.topic.split("/")[1]), int(found[1]))

    client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
    client.on_connect = lambda made, *_: made.subscribe("companion/+/state", 1)
    client.on_message = heard
    client.connect("127.0.0.1", port)
    client.loop_start()
    return client


def running(stack: ExitStack, command: list[str], until: str, stream: str) -> tuple[subprocess.Popen[str], str]:
    """Return a process that has said that it is there."""
    pipes: dict[str, Any] = {stream: subprocess.PIPE}
    process = stack.enter_context(subprocess.Popen(command, text=True, cwd=HERE, **pipes))
    stack.callback(process.terminate)
    out: IO[str] = getattr(process, stream)
    while until not in (line := out.readline()):
        if not line:
            raise ChildProcessError(" ".join(command))
    threading.Thread(target=out.read, daemon=True).start()
    return process, line


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def workers(stack: ExitStack, port: int, folder: str) -> list[subprocess.Popen[str]]:
    """Return the hall, in a few processes."""
    each = TABLES // WORKERS
    made = []
    for number in range(WORKERS):
        what = [str(port), str(number * each + 1), str(each), str(PACE / WORKERS), folder]
        command = [sys.executable, "-m", "benchmarks.tables", *what]
        one = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE)
        made.append(stack.enter_context(one))
        stack.callback(one.kill)
    return made


def measure() -> dict[str, float]:
    """Return all figures of the hall; none without a broker."""
    if MOSQUITTO is None:
        return {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        port = free_port()
        config = Path(folder) / "mosquitto.conf"
        config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 10000\n")
        broker, _ = running(stack, [MOSQUITTO, "-v", "-c", str(config)], "running", "stderr")
        command = [sys.executable, "-m", "companion.cli", "league", "--mqtt", f"mqtt://127.0.0.1:{port}", "--port", "0"]
        league, line = running(stack, command, "league is at", "stdout")
        at = int(line.split(" (")[0].rpartition(":")[2])
        return _watched(stack, workers(stack, port, folder), (port, at), (broker.pid, league.pid))


def _watched(
    stack: ExitStack, hall: list[subprocess.Popen[str]], ports: tuple[int, int], pids: tuple[int, int]
) -> dict[str, float]:
    page, beside = Page(ports[1]), Seen()
    page.start()
    client = bare(ports[0], beside)
    stack.callback(client.loop_stop)
    names = [f"Table {number + 1}" for number in range(TABLES)]
    page.seen.until_all({card(name): 1 for name in names})
    before = memory(pids[1])
    for one in hall:
        _say(one, "go\n")
    began = perf_counter()
    threading.Event().wait(SECONDS)
    for one in hall:
        _say(one, "stop\n")
    told = [json.loads(one.stdout.readline()) for one in hall if one.stdout is not None]
    seconds = perf_counter() - began
    tables = {name: table for one in told for name, table in one["tables"].items()}
    wanted = {card(name): max(map(int, table["published"])) for name, table in tables.items()}
    page.seen.until_all(wanted)
    beside.until_all(wanted)
    for one in hall:
        one.communicate()
    with urllib.request.urlopen(f"http://127.0.0.1:{ports[1]}/export/evening.json", timeout=60) as answer:
        counted = {result["game"] for result in json.load(answer)["results"]}
    finished = {game for table in tables.values() for game in table["finished"]}
    published = {name: {int(seq): at for seq, at in table["published"].items()} for name, table in tables.items()}
    figures = _lags("page", page.seen, published, began) | _lags("bare", beside, published, began)
    return figures | {
        "states_a_second": sum(at >= began for one in published.values() for at in one.values()) / seconds,
        "finished": len(finished),
        "lost": len(finished - counted),
        "league_before": before["now"],
        "league_after": memory(pids[1])["now"],
        "broker_most": memory(pids[0])["most"],
        "a_table": sum(one["memory"]["most"] for one in told) / TABLES,
        "stream_kb_a_second": page.bytes / 1024 / seconds,
    }


def _say(process: subprocess.Popen[str], line: str) -> None:
    if process.stdin is not None:
        process.stdin.write(line)
        process.stdin.flush()


def _lags(name: str, seen: Seen, published: dict[str, dict[int, float]], since: float) -> dict[str, float]:
    """Return how late states are, from being published at the table to being seen."""
    found = [
        lag
        for table, states in published.items()
        for lag in seen.lags(card(table), {seq: at for seq, at in states.items() if at >= since})
    ]
    cuts = statistics.quantiles(found, n=100)
    return {f"{name}_p50": cuts[49], f"{name}_p99": cuts[98]}


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
