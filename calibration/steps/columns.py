"""Columns: read the column numbers beside the red-backed rooms, and let the owner confirm them."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import cv2
import numpy as np

from calibration.measuring.measures import Locator, grey_of, scale_at
from calibration.measuring.outline import above
from calibration.steps.step import AMBER, GREEN, CalibrationStep, Mark, Note, StepError, StepPace, fault, fine, hint
from companion.cards.loader import builtin, builtin_names, load_pack, overlay_path
from companion.cards.pack import PackFaults
from companion.pieces.drawing.raster import PrintedPiece, render
from companion.pieces.kinds.cards import NUMBER, NUMBER_AT, draw_number
from companion.table.record.data_folder import put

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.cards.pack import Pack
    from companion.pieces.drawing.pen import Pen
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.places import Slot
    from companion.vision.profile import Profile


NUMBERS: Final = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
SCALE: Final = 5.0
"""Pixels per mm that numbers are compared at."""
EDGE: Final = 0.6
"""Of the card around a number that is compared with it (mm)."""
ASTRAY: Final = 4.0
"""How far a card may lie from its place (mm)."""
TURNS: Final = (-3.0, -1.5, 0.0, 1.5, 3.0)
"""Degrees that it may lie askew."""
SOFT: Final = 0.62
"""How many of its own pixels a camera blurs over."""
PLAIN: Final = 0.07
"""Share of its brightness: a place with less contrast has nothing printed on it."""
BOXED: Final = 0.6
"""Threshold of similarity to a number's box; only then the number itself is compared."""
INSIDE: Final = 1.15
"""From the box's edge to where only the number is (mm)."""
NEAR: Final = 0.45
"""How far the box may be misjudged (mm)."""
KEPT: Final = 8
"""Pictures that count: a hand that has gone is forgotten."""
LIKE, LEAD = 0.86, 0.03
"""Thresholds: the similarity to a number, and its lead over the next."""


@dataclass
class NumberPlace:
    """What one place was read as in the last pictures."""

    likes: deque[Array | None] = field(default_factory=lambda: deque(maxlen=KEPT))
    plain: deque[bool] = field(default_factory=lambda: deque(maxlen=KEPT))

    def add(self, seen: NumberSeen) -> None:
        self.plain.append(seen.plain)
        self.likes.append(seen.likes)

    @property
    def known(self) -> bool:
        """Whether there is an answer."""
        return self.is_bare or self._lead()[1] > LEAD

    @property
    def number(self) -> int | None:
        """The number, or None where none is printed; only where it is known."""
        return None if self.is_bare else self._lead()[0]

    @property
    def is_bare(self) -> bool:
        """Whether every picture shows nothing there."""
        return bool(self.plain) and all(self.plain)

    def _lead(self) -> tuple[int, float]:
        """Return the likeliest number, and its lead; most pictures must show a box."""
        boxed = [likes for likes in self.likes if likes is not None]
        if len(boxed) <= len(self.likes) / 2:
            return 0, 0.0
        mean = np.mean(boxed, axis=0)
        second, best = np.sort(mean)[-2:]
        return NUMBERS[int(mean.argmax())], float(best - second) if best > LIKE else 0.0


@dataclass(frozen=True, slots=True)
class NumberSeen:
    """A place in one picture: its similarity to each number (None: no box is there), and whether it is plain."""

    likes: Array | None
    plain: bool


def read_place(picture: Array, pose: Pose, slot: Slot, side: str) -> NumberSeen | None:
    """Read the place on one side of a room; None where the picture does not show it."""
    reach = NUMBER / 2 + EDGE + ASTRAY
    x, y = slot.x + NUMBER_AT[0] * (1 if side == "b" else -1), slot.y + NUMBER_AT[1]
    ring = np.array([(x - reach, y + reach), (x + reach, y + reach), (x + reach, y - reach), (x - reach, y - reach)])
    window = above(grey_of(picture), pose, ring, (2 * reach, 2 * reach), SCALE)
    if window is None:
        return None
    forms = _forms(round(SOFT * SCALE / scale_at(pose, x, y), 1))
    rim = round((ASTRAY - 1) * SCALE)
    inner = cv2.GaussianBlur(window, (0, 0), SCALE / 3)[rim:-rim, rim:-rim].astype(float)
    return NumberSeen(_similarities(window, forms), bool(inner.std() < PLAIN * inner.mean()))


def _similarities(window: Array, forms: tuple[tuple[Array, ...], ...]) -> Array | None:
    """Find the box and its turn first, then compare what is in it."""
    found = [(*_found(window, form), turn) for number in forms for turn, form in enumerate(number)]
    boxed, (left, top), turn = max(found, key=lambda one: one[0])
    if boxed < BOXED:
        return None
    inset, near = round((EDGE + INSIDE) * SCALE), round(NEAR * SCALE)
    side = forms[0][turn].shape[0] - 2 * inset
    rows, columns = (slice(start + inset - near, start + inset + side + near) for start in (top, left))
    part = window[rows, columns]
    return np.array([_found(part, number[turn][inset:-inset, inset:-inset])[0] for number in forms])


def _found(window: Array, form: Array) -> tuple[float, tuple[int, int]]:
    """Return the similarity of a form to the best part of a window, and where that begins."""
    _, like, _, where = cv2.minMaxLoc(cv2.matchTemplate(window, form, cv2.TM_CCOEFF_NORMED))
    return float(like), (int(where[0]), int(where[1]))


@cache
def _forms(soft: float) -> tuple[tuple[Array, ...], ...]:
    """Return templates of every number as a camera sees it, lying straight and a little askew."""
    side = NUMBER + 2 * EDGE
    pieces = [
        PrintedPiece(str(number), "number", (side, side), partial(_on, (side / 2, side / 2), number))
        for number in NUMBERS
    ]
    return tuple(tuple(_turned(grey_of(flat), turn, soft) for turn in TURNS) for flat in render(pieces, SCALE))


def _on(middle: tuple[float, float], number: int, pen: Pen) -> None:
    pen.box(0, 0, 2 * middle[0], 2 * middle[1], fill="#dcd9d2")
    draw_number(pen, middle, number)


def _turned(flat: Array, turn: float, soft: float) -> Array:
    rows, columns = flat.shape
    bend = cv2.getRotationMatrix2D((columns / 2 - 0.5, rows / 2 - 0.5), turn, 1.0)
    askew = cv2.warpAffine(flat, bend, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(askew, (0, 0), soft))


SPACES: Final = 12
NONE, UNSURE = "-", "?"
SMALLEST, LARGEST = 2, 12
COLUMNS: Final = re.compile(r"^columns\s*=\s*\[[^\]]*\][^\n]*\n?", re.MULTILINE)
OVERLAY: Final = "overlay.toml"


def overlay_beside(pack: str, folder: Path) -> Path:
    """Return the file with a pack's corrections: beside the pack, or for one of ours in the data `folder`."""
    return overlay_path(folder, pack) if pack in builtin_names() else Path(pack) / OVERLAY


def corrected_pack(pack: str, overlay: Path) -> Pack:
    """Return the pack with its owner's corrections so far."""
    over = overlay if overlay.exists() else None
    try:
        return builtin(pack, over) if pack in builtin_names() else load_pack(pack, over)
    except PackFaults as faults:
        raise StepError(*(fault("pack_fault", why=str(one)) for one in faults.faults)) from faults
    except OSError as error:
        raise StepError(fault("pack_fault", why=f"{pack}: {error.strerror}")) from error


def is_written(folder: Path) -> bool:
    """Return whether the owner has confirmed the numbers of any of our packs."""
    overlays = [overlay_beside(pack, folder) for pack in builtin_names()]
    return any(COLUMNS.search(one.read_text(encoding="utf-8")) for one in overlays if one.exists())


def parse_columns(values: list[str]) -> list[int | None]:
    """Parse twelve numbers from 2 to 12, or `-` where none is printed; raise StepError with every fault."""
    found: list[int | None] = []
    faults: list[Note] = []
    for place, value in enumerate(values, start=1):
        text = value.strip()
        if text in ("", NONE):
            found.append(None)
        elif text.isdecimal() and text.isascii() and SMALLEST <= int(text) <= LARGEST:
            found.append(int(text))
        else:
            faults.append(fault("odd_number", place=place, value=text[:20]))
    if len(values) != SPACES:
        faults.append(fault("not_twelve", count=len(values)))
    if faults:
        raise StepError(*faults)
    return found


def write_columns(overlay: Path, pack: str, numbers: list[int | None]) -> None:
    """Write the numbers into the overlay, whose rest stays. Nothing is written that the pack would refuse."""
    before = overlay.read_text(encoding="utf-8") if overlay.exists() else ""
    line = f"columns = [{', '.join(str(n) if n is not None else chr(34) + NONE + chr(34) for n in numbers)}]\n"
    text = COLUMNS.sub(line, before, count=1) if COLUMNS.search(before) else line + ("\n" if before else "") + before
    trial = overlay.with_name(f".{overlay.name}.trial")
    try:
        put(trial, text.encode())
        corrected_pack(pack, trial)
        put(overlay, text.encode())
    except OSError as error:
        raise StepError(fault("not_written", file=overlay.name, why=error.strerror or str(error))) from error
    finally:
        trial.unlink(missing_ok=True)


@dataclass
class ColumnStep(CalibrationStep):
    """Shows the red-backed rooms enlarged, offers what it reads beside their spaces, and takes the numbers."""

    pack: str = "standard"
    overlay: Path | None = None
    name: ClassVar[str] = "columns"
    pace: ClassVar[StepPace] = StepPace.ALWAYS
    saves_itself: ClassVar[bool] = True
    crops: dict[str, Array] = field(default_factory=dict)
    places: list[NumberPlace] = field(default_factory=lambda: [NumberPlace() for _ in range(SPACES)])
    """What was read so far, from left to right."""
    _kept: bool = False

    @property
    def target(self) -> Path:
        """The overlay that is written."""
        return self.overlay or overlay_beside(self.pack, self.file.folder)

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        profile = self.file.profile()
        located = Locator(profile).locate(picture)
        if located.pose is None:
            return [fault("no_table", seen=len(located.tags), of=len(profile.mat_tags))]
        rooms = [slot for slot in profile.slots if slot.level == 1 and not slot.is_elevator]
        for number, slot in enumerate(rooms):
            pair = self.places[2 * number : 2 * number + 2]
            for side, place in zip("ab", pair, strict=True):
                seen = read_place(picture, located.pose, slot, side)
                if seen is not None:
                    place.add(seen)
            self._show(picture, located.pose, slot, profile, sure=all(place.known for place in pair))
        return self._told()

    def _show(self, picture: Array, pose: Pose, slot: Slot, profile: Profile, *, sure: bool) -> None:
        half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
        around = [(-half_x, half_y), (half_x, half_y), (half_x, -half_y), (-half_x, -half_y)]
        corners = [(slot.x + dx, slot.y + dy) for dx, dy in around]
        taken = above(picture, pose, _array(corners), profile.card, 4.0)
        if taken is not None:
            self.crops[slot.name] = taken
        ring = pose.project(_array([(*corner, 0.0) for corner in corners]))
        self.marks.append(Mark(ring, GREEN if sure else AMBER))

    def _told(self) -> list[Note]:
        """Return what was read; a table without a single number in view has no red-backed rooms."""
        open_ = [number for number, place in enumerate(self.places, start=1) if not place.known]
        if not any(place.known and place.number for place in self.places):
            return [hint("read_columns")]
        notes = [fine("columns_read", numbers=" ".join(self.read))]
        return [*notes, hint("columns_unsure", places=", ".join(map(str, open_)))] if open_ else notes

    @property
    def read(self) -> list[str]:
        """What the camera reads: numbers, `-` where none is printed, `?` where it is unsure."""
        return [str(place.number or NONE) if place.known else UNSURE for place in self.places]

    def offered(self) -> list[str]:
        """Return what is read; where that is unsure, what is written down so far."""
        now = [NONE if number is None else str(number) for number in self.numbers()]
        if not any(place.known and place.number for place in self.places):
            return now
        return [old if seen == UNSURE else seen for seen, old in zip(self.read, now, strict=True)]

    def numbers(self) -> list[int | None]:
        return list(corrected_pack(self.pack, self.target).columns)

    @property
    def progress(self) -> tuple[int, int]:
        """Done when somebody has confirmed them."""
        return (int(self._kept), 1)

    def act(self, action: str, fields: Mapping[str, str]) -> None:
        """Take the numbers, given as fields `0` to `11`."""
        if action != "numbers":
            raise StepError(fault("no_such_action", action=action[:40]))
        self.put([fields.get(str(place), "") for place in range(SPACES)])

    def put(self, values: list[str]) -> None:
        write_columns(self.target, self.pack, parse_columns(values))
        self._kept = True
        self.notes = [fine("columns_kept", file=self.target.name)]

    def details(self) -> dict[str, object]:
        return {"pack": self.pack, "numbers": self.numbers(), "read": self.read}


def _array(rows: Sequence[Sequence[float]]) -> Array:
    return np.array(rows, dtype=np.float64)
