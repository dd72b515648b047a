"""Check: a score for every slot, and what would improve it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from calibration.measuring.measures import Located, blur_of, dazzled_share, grey_of, inside, other_lens, scale_at
from calibration.steps.aim import lens_seen, notes_on
from calibration.steps.step import (
    AMBER,
    GREEN,
    RED,
    CalibrationStep,
    Mark,
    Note,
    NoteLevel,
    StepError,
    fault,
    fine,
    hint,
)
from companion.vision.table_reader import TableReader

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.places import Slot
    from companion.vision.profile import Profile
    from companion.vision.table_reader import LookResult

GOOD, FAIR = 80, 60
FINE_SCALE, LEAST_SCALE = 1.5, 0.7  # pixels a millimetre
SHARP, BLURRED = 1.4, 2.8  # pixels an edge is wide
LIGHT: Final = (60.0, 215.0)  # what the brighter parts of a slot should lie between
DAZZLED, DAZZLING = 0.08, 0.35  # of a slot: a sticker is white too
DOUBT: Final = 0.45  # what an unread slot is worth


@dataclass(frozen=True, slots=True)
class SlotScore:
    """How well a slot can be read, 0 to 100, and the code of what would help most ("" where nothing is needed)."""

    place: str
    score: int
    advice: str
    parts: dict[str, float]


@dataclass
class CheckStep(CalibrationStep):
    """Scores every slot in each picture; of several pictures the median counts."""

    name: ClassVar[str] = "check"
    _rounds: list[list[SlotScore]] = field(default_factory=list)
    _eyes: TableReader | None = None

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        profile = self.file.profile()
        if self._eyes is None or self._eyes.profile != profile:
            self._eyes = TableReader(profile)
        if self._eyes.faults:
            return [fault("profile_fault", file=self.file.path.name, why=why) for why in self._eyes.faults]
        look = self._eyes.look(picture)
        size = (picture.shape[1], picture.shape[0])
        other = other_lens(look.tags, profile, size)
        located = Located(look.tags, look.pose, size, other_lens=None if other is None else other.matrix[0][0])
        if other is not None:
            return [fault("lens_differs", **lens_seen(located, profile))]
        about = [note for note in notes_on(picture, located, profile) if note.level is not NoteLevel.FINE]
        if look.pose is None:
            return about
        scores = score_slots(picture, look, look.pose, profile)
        self._rounds.append(scores)
        self.marks = [_mark(one, slot, look.pose, profile) for one, slot in zip(scores, profile.slots, strict=True)]
        hand = [hint("hand_over")] if look.reading.hand else []
        return [*hand, *summary(self.scores()), *about]

    @property
    def measured(self) -> bool:
        return bool(self._rounds)

    def scores(self) -> list[SlotScore]:
        """Return the median score of every slot, with the advice of the picture that it comes from."""
        if not self._rounds:
            raise StepError(fault("no_picture_yet"))
        by_place = zip(*self._rounds, strict=True)
        return [sorted(several, key=lambda one: one.score)[(len(several) - 1) // 2] for several in by_place]

    @property
    def ready(self) -> bool:
        """There is nothing to keep: a check changes nothing."""
        return False

    @property
    def progress(self) -> tuple[int, int]:
        """Slots that are good enough, of all."""
        if not self._rounds:
            return (0, 1)
        scores = self.scores()
        return (sum(one.score >= FAIR for one in scores), len(scores))

    def details(self) -> dict[str, object]:
        scores = self.scores() if self._rounds else []
        return {
            "scores": [{"place": one.place, "score": one.score, "advice": one.advice} for one in scores],
            "good": GOOD,
            "fair": FAIR,
        }


def score_slots(picture: Array, look: LookResult, pose: Pose, profile: Profile) -> list[SlotScore]:
    return [_score(slot, picture, look, pose, profile) for slot in profile.slots]


def _score(slot: Slot, picture: Array, look: LookResult, pose: Pose, profile: Profile) -> SlotScore:
    corners = pose.project(_corners(slot, profile))
    if not inside(corners, (picture.shape[1], picture.shape[0])).all():
        return SlotScore(slot.name, 0, "cut_off", {"in_view": 0.0})
    low, high = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
    part = picture[low[1] : high[1], low[0] : high[0]]
    blur = blur_of([grey_of(part)])
    light = float(np.percentile(grey_of(part), 85))
    parts = {
        "far": _between(scale_at(pose, slot.x, slot.y), LEAST_SCALE, FINE_SCALE),
        "blurred": 1.0 if blur is None else _between(blur, BLURRED, SHARP),
        "dark": _between(light, LIGHT[0] / 3, LIGHT[0]),
        "glare": _between(dazzled_share(part), DAZZLING, DAZZLED),
        "unsure": _reading(slot, look, profile),
    }
    weakest = min(parts, key=lambda name: parts[name])
    score = round(100 * min(parts.values()) * float(np.mean(list(parts.values()))) ** 0.5)
    return SlotScore(slot.name, score, "" if score >= GOOD else weakest, parts)


def _reading(slot: Slot, look: LookResult, profile: Profile) -> float:
    """Return how surely a slot was read: bare mat is sure, a card as sure as its name, a doubt little."""
    reading = look.reading
    mine = {slot.name, *(space.name for space in profile.spaces if space.slot == slot.name)}
    doubts = mine & set(reading.unsure)
    if slot.name in doubts:
        return DOUBT
    room = reading.rooms.get(slot.name)
    sure = 1.0 if room is None else min(1.0, room.confidence + 0.15)
    return sure * (0.8 ** len(doubts))


def _between(value: float, worst: float, best: float) -> float:
    return float(np.clip((value - worst) / (best - worst), 0.0, 1.0))


def _corners(slot: Slot, profile: Profile) -> Array:
    half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
    around = ((-half_x, half_y), (half_x, half_y), (half_x, -half_y), (-half_x, -half_y))
    return np.array([(slot.x + dx, slot.y + dy, 0.0) for dx, dy in around])


def _mark(one: SlotScore, slot: Slot, pose: Pose, profile: Profile) -> Mark:
    colour = GREEN if one.score >= GOOD else AMBER if one.score >= FAIR else RED
    return Mark(pose.project(_corners(slot, profile)), colour, str(one.score))


def summary(scores: list[SlotScore]) -> list[Note]:
    """Return the mean, and for each kind of advice where it applies."""
    mean = round(sum(one.score for one in scores) / len(scores))
    weak = [one for one in scores if one.score < GOOD]
    notes = [(fine if not weak else hint)("slots_scored", mean=mean, good=len(scores) - len(weak), of=len(scores))]
    for advice in dict.fromkeys(one.advice for one in sorted(weak, key=lambda one: one.score)):
        places = [one.place for one in weak if one.advice == advice]
        notes.append(hint(f"advice_{advice}", places=", ".join(places)))
    return notes
