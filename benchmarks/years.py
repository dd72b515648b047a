"""Measure a record of years beside a fresh one: start, memory, the list of games, moves while it is read, backups."""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.running import companion, state
from benchmarks.tabling import quantiles
from companion.table.record.audit import FILE
from tests.years import write_years

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GAMES = 500
STARTS, READERS, MOVES, VIEWS = 5, 4, 150, 20
BEARER = "measured"
PATIENCE = 120.0
TICK = os.sysconf("SC_CLK_TCK")
CONFIG = '[voice]\non = false\n[camera]\nkind = "off"\n[panel]\non = false\n'


@dataclass(frozen=True)
class Table:
    """A companion that runs, and where its pages are."""

    process: int
    base: str

    def get(self, path: str) -> bytes:
        asked = urllib.request.Request(self.base + path, headers={"Authorization": f"Bearer {BEARER}"})  # noqa: S310
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310 - our own address
            found: bytes = answer.read()
        return found

    def move(self, number: int) -> float:
        """Post a correction and return the milliseconds to its answer."""
        move = {"do": "correct", "set": {"players": {"blue": {"happiness": number % 40}}}}
        headers = {"Authorization": f"Bearer {BEARER}", "Content-Type": "application/json"}
        asked = urllib.request.Request(  # noqa: S310
            f"{self.base}/api/moves", json.dumps(move).encode(), headers, method="POST"
        )
        began = perf_counter()
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310
            answer.read()
        return 1000 * (perf_counter() - began)

    def memory(self) -> tuple[float, float]:
        """Return resident memory now and at its peak, in MB."""
        lines = Path(f"/proc/{self.process}/status").read_text(encoding="ascii").splitlines()
        found = {
            line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.startswith(("VmRSS", "VmHWM"))
        }
        return found["VmRSS"], found["VmHWM"]

    def cpu_ms(self) -> float:
        fields = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / TICK


@contextmanager
def table(folder: Path) -> Iterator[Table]:
    config = folder.parent / "companion.toml"
    config.write_text(CONFIG, encoding="utf-8")
    with companion(config, folder, "--token", BEARER) as (process, base):
        state(base)
        yield Table(process.pid, base)


def start_ms(folder: Path) -> float:
    began = perf_counter()
    with table(folder):
        return 1000 * (perf_counter() - began)


def until_audited(folder: Path) -> float:
    """Wait until all of the record has been verified beside play; return the seconds."""
    began = perf_counter()
    waited = threading.Event()
    while not (folder / FILE).exists() and perf_counter() - began < PATIENCE:
        waited.wait(0.1)
    return perf_counter() - began


def together(reader: Callable[[int], object]) -> None:
    """Do it four times at once."""
    with ThreadPoolExecutor(READERS) as pool:
        list(pool.map(reader, range(READERS)))


def read_all(there: Table) -> None:
    """Read every page of the record there is, and some games step by step, by four readers at once."""
    pages = ["/history", "/history?page=1", "/history?page=25", "/host/record", "/host/back", "/host/doctor"]
    pages += [
        f"/history/evening-{number:03}{kind}" for number in (0, 250, 499) for kind in ("", ".json", ".csv", ".html")
    ]
    together(lambda _: [there.get(path) for path in pages])
    there.get("/api/host/backup")


def moved(there: Table) -> dict[str, float]:
    """Post moves while one reader reads the list of games again and again."""
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            there.get("/history")
            over.wait(0.05)

    reader = threading.Thread(target=read)
    reader.start()
    times = [there.move(number) for number in range(MOVES)]
    over.set()
    reader.join()
    return quantiles("move_ms", times)


def measure() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        long, fresh = Path(name) / "years" / "data", Path(name) / "fresh" / "data"
        entries = write_years(long, GAMES, unfinished=(17, 300))
        write_years(fresh, 0)
        start_ms(fresh)  # the first start compiles
        starts = [(start_ms(long), start_ms(fresh)) for _ in range(STARTS)]
        (long / FILE).unlink(missing_ok=True)
        with table(long) as there, table(fresh) as beside:
            audit_s = until_audited(long)
            read_all(there)
            before = there.cpu_ms()
            sizes = [len(there.get("/history")) for _ in range(VIEWS)]
            view_ms = (there.cpu_ms() - before) / VIEWS
            moves = [(moved(there), moved(beside)) for _ in range(3)]
            began = perf_counter()
            copy = len(there.get("/api/host/backup"))
            backup_s = perf_counter() - began
            resident, peak = there.memory()
            fresh_mb, _ = beside.memory()
    ratio = statistics.median(ours["move_ms_p99"] / theirs["move_ms_p99"] for ours, theirs in moves)
    return {
        "entries": entries,
        "start_ms": statistics.median(ours for ours, _ in starts),
        "start_ratio": statistics.median(ours for ours, _ in starts) / statistics.median(one for _, one in starts),
        "audit_s": audit_s,
        "resident_mb": resident,
        "peak_mb": peak,
        "fresh_mb": fresh_mb,
        "page_bytes": float(max(sizes)),
        "page_cpu_ms": view_ms,
        "move_p99_ms": statistics.median(ours["move_ms_p99"] for ours, _ in moves),
        "move_p99_ratio": ratio,
        "backup_s": backup_s,
        "backup_mb": copy / 1e6,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(), indent=1) + "\n")
