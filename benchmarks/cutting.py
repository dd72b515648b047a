"""The plug is pulled during a card's update: what comes of it, by `tests/appliance/cut_power`."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from benchmarks.rows import Rows

SCRIPT: Final = Path(__file__).parents[1] / "tests/appliance/cut_power"
TIMES: Final = 100


def of_cuts(card: Path | None) -> Rows:
    """Cut the power of a card that was built in this folder, during one update."""
    if card is None:
        raise RuntimeError(
            "name the folder of a card: --card FOLDER, made by sudo scripts/appliance/image FOLDER amd64"
        )
    with tempfile.TemporaryDirectory() as folder:
        words = [str(SCRIPT), f"{card}/table-companion.img", f"{card}/table-companion.tar", str(TIMES), folder]
        subprocess.run(words, check=False)
        return rows(json.loads((Path(folder) / "report.json").read_text(encoding="utf-8")))


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
            "... does not start, has neither version whole, or lacks an entry that was acknowledged",
            "0",
            f"{len(found['problems'])}",
        ),
    ]
