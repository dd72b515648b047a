"""The rows of docs/measured.md about vision: frames with truth, real photographs, speed and memory."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from benchmarks import looking, photographs, seeing

if TYPE_CHECKING:
    from pathlib import Path

Rows = list[tuple[str, str, str]]
GOALS = {
    ("room", ">=.97"): "99.8 %",
    ("room", ".8-.97"): "99.5 %",
    ("room", ".5-.8"): "96 %",
    ("threat", ">=.97"): "99.8 %",
    ("threat", ".8-.97"): "99.5 %",
    ("threat", ".5-.8"): "96 %",
    ("dweller", ">=.9"): "98.5 %",
}


def of_frames(folders: list[Path], profile: Path | None) -> Rows:
    """Return what is right on each folder of frames; without any, a line that says so."""
    if not folders or profile is None:
        return [("frames with truth", "", "absent: name them with --frames FOLDER and --profile FILE")]
    return [row for folder in folders for row in _of_folder(folder, profile)]


def _of_folder(folder: Path, profile: Path) -> Rows:
    score = seeing.measure(folder, profile)
    frames, name = max(score.frames, 1), folder.name
    rows: Rows = [
        (f"{name}, {score.frames} frames: exactly right", "80 %", f"{score.exact / frames:.1%}"),
        (f"{name}: phantom figures a frame", "under 0.05", f"{score.phantoms / frames:.3f}"),
        (f"{name}: table not found", "0", f"{score.lost}"),
    ]
    for key, counted in sorted(score.rows.items(), key=lambda row: (row[0][0], -max(row[1].values()))):
        total = sum(counted.values())
        shares = ", ".join(
            f"{counted[verdict] / total:.1%} {verdict}" for verdict in seeing.VERDICTS if counted[verdict]
        )
        rows.append((f"{name}: {key[0]}, visible {key[1]} (n {total})", GOALS.get(key, ""), shares))
    for _, band in seeing.TOLD_BANDS:
        if told := score.told.get(band):
            share = f"{told[True] / told.total():.1%}"
            rows.append((f"{name}: figures told with confidence {band} (n {told.total()}): came true", "", share))
    return rows


def of_photographs(folder: Path | None) -> Rows:
    """Real photographs, which are not part of the project."""
    if folder is None or not (folder / photographs.MANIFEST).is_file():
        return [("real photographs", "", "absent: name their folder with --photos FOLDER")]
    return photographs.measure(folder)


def of_looking(folders: list[Path], profile: Path | None) -> Rows:
    """Speed beside the bare detector, and memory; on each kind of the tests' frames where no folders are named."""
    sets = [(folder, "", folder.name) for folder in folders]
    if profile is None:
        profile = looking.HERE / "profile.json"
        sets = [(looking.HERE, kind, f"tests/frames (1200x900), {kind}") for kind in looking.KINDS]
    rows: Rows = []
    for folder, kind, name in sets:
        speed = looking.measure(folder, profile, kind)
        goal, (again, idle) = looking.goal_of(name), (looking.GOALS["again"], looking.GOALS["idle"])
        rows += [
            (
                f"{name}, {len(speed.whole)} frames: a whole look / a bare `detectMarkers`, the middle one",
                f"{goal:g}",
                f"{median(speed.whole):.2f}",
            ),
            (f"{name}: whole looks over that goal", "", looking.over(speed.whole, goal)),
            (f"{name}: a look after one change / the same", f"{again:g}", f"{median(speed.again):.3f}"),
            (f"{name}: looks after one change over that goal", "", looking.over(speed.again, again)),
            (f"{name}: the idle gate / the same", f"{idle:g}", f"{median(speed.idle):.4f}"),
        ]
    memory = looking.memory_of_another()
    return [*rows, ("memory that vision adds to its imports at 2304x1296 (MB)", "60", f"{memory:.0f}")]
