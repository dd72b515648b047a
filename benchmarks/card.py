"""A built card: its plug pulled during an update (`tests/appliance/cut_power`), and its first start (`boot_radios`)."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from benchmarks.rows import Rows

SCRIPTS: Final = Path(__file__).parents[1] / "tests/appliance"
TIMES: Final = 100
STEPS: Final = 11
"""What `boot_radios` has to see, from the own Wi-Fi that opens to the one that opens again."""


def of_cuts(card: Path | None) -> Rows:
    """Cut the power of a card that was built in this folder, during one update."""
    image = _image(card)
    with tempfile.TemporaryDirectory() as folder:
        words = [str(SCRIPTS / "cut_power"), str(image), str(image.with_suffix(".tar")), str(TIMES), folder]
        subprocess.run(words, check=False)
        return rows(json.loads((Path(folder) / "report.json").read_text(encoding="utf-8")))


def of_radios(card: Path | None) -> Rows:
    """Start a card that was built in this folder among radios that its own kernel simulates."""
    command = [str(SCRIPTS / "boot_radios"), str(_image(card))]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    seen = [line for line in said.splitlines() if line.startswith("ok ")]
    return [("the first start by phone, step by step: what was seen as it should be", f"{STEPS}", f"{len(seen)}")]


def _image(card: Path | None) -> Path:
    if card is None:
        raise RuntimeError(
            "name the folder of a card: --card FOLDER, made by sudo scripts/appliance/image FOLDER amd64"
        )
    return card / "table-companion.img"


def rows(found: dict[str, Any]) -> Rows:
    """Return the rows of a report."""
    logged = f"{found['writes']:,}, {found['flushes']:,}"
    return [
        (
            "power cuts at random instants of an update, half of them while the versions are exchanged",
            f"{TIMES}",
            f"{found['cuts']}",
        ),
        ("... of one update in so many seconds; writes to the disk, flushes", "", f"{found['seconds']}, {logged}"),
        ("... entries that people were told of during it", "", f"{found['acknowledged']:,}"),
        (
            "... the next start has the new version; the companion itself was started",
            "",
            f"{found['new']}, {found['started']}",
        ),
        (
            "... switched on whole in a machine of QEMU's, until it served its state (`MACHINES=N`: every Nth)",
            f"{TIMES}",
            f"{found['machines']}",
        ),
        (
            "... does not start, has neither version whole, or lacks an entry that was acknowledged",
            "0",
            f"{len(found['problems'])}",
        ),
    ]
