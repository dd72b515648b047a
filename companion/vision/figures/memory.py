"""What a household's own figures look like to the network: examples that settle the pose where it is in doubt."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from companion.vision.places import slot_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from companion.vision.arrays import Array
    from companion.vision.figures.verdict import FigureVerdict

NOTHING, STANDING, LYING = 0, 1, 2
KINDS: Final = ("nothing", "standing", "lying")
LIKE, NEAR = 0.8, 0.02
"""The cosine from which on a look counts for another one, and how fast it counts less below 1."""
STRENGTH, MOST = 2.0, 3.0  # log odds that one example that looks the same gives, and that all give together
FEATURES: Final = 64
SOME = 1e-6
SAID: Final = 1.5
"""How much an answer of a person counts: it is of the figure itself, in the light of the table."""
MOST_SAID: Final = 4
"""Answers that are kept for each colour and pose; the newest."""
THERE, TOLD = 0.66, 0.65
"""The chances from which a figure, and its pose, are told."""
DOUBT, HARM = 0.1, 0.05
"""The chance under which a picture speaks clearly against something, and what clear looks may lose by an answer."""
POSES: Final = (STANDING, LYING)
SHEET: Final = 0.7
"""How likely an example of the step of colours is a figure at least, when an answer speaks against it."""
SAME: Final = 0.9
"""The cosine from which on a space looks as it did when somebody said what stands there.

Noise alone leaves .98; a look at a part of the table in place of the whole, .92 of all figures but one in 31.
"""
SAID_SURE: Final = 0.99


@dataclass(frozen=True, slots=True)
class KnownLook:
    """How one figure looked to the network: its features, of length 1, and what it was."""

    features: tuple[float, ...]
    kind: int
    weight: float = 1.0
    player: str = ""
    """Whose it was, where a person said at the table how it stands; empty for what the step of colours learned."""

    def as_kept(self) -> KnownLook:
        """Return it as the profile gives it back, so that the two are equal."""
        return replace(self, features=unpacked(self.packed()) or self.features)

    def packed(self) -> str:
        """Return the features as text: a byte for each, in base64."""
        values = np.array(self.features)
        return b64encode(np.rint(values / max(np.abs(values).max(), SOME) * 127).astype(np.int8).tobytes()).decode()


def unpacked(text: str) -> tuple[float, ...] | None:
    """Return the features that `KnownLook.packed` wrote; None where the text is none."""
    try:
        values = np.frombuffer(b64decode(text, validate=True), dtype=np.int8).astype(np.float64)
    except (BadBase64, ValueError):
        return None
    length = float(np.linalg.norm(values))
    return tuple((values / length).tolist()) if len(values) == FEATURES and length > 0 else None


@cache
def network_name() -> str:
    """Return what tells this network from others: features of one mean nothing to another."""
    return f"{crc32(files('companion.vision').joinpath('figures.onnx').read_bytes()):08x}"


@dataclass(frozen=True, slots=True)
class CropSeen:
    """What the network said of a crop, before anything that was learned, and what it saw in it."""

    player: int
    chances: Array
    features: Array


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said of a space: what was seen there, what it is and whose, and the example that it gave."""

    space: str
    seen: CropSeen
    kind: int
    player: int
    look: KnownLook | None = None

    def is_of(self, seen: CropSeen) -> bool:
        """Whether the space looks as it did when the answer was given, and nothing speaks clearly against that."""
        if seen.player != self.seen.player or float(seen.features @ self.seen.features) < SAME:
            return False
        there = 1 - float(seen.chances[NOTHING])
        if self.kind == NOTHING:
            return there < 1 - DOUBT
        return there > DOUBT and float(seen.chances[self.kind]) > DOUBT * there


class FigureMemory:
    """Examples of a table's own figures; without any it changes nothing."""

    def __init__(self, looks: Sequence[KnownLook]) -> None:
        self._keep(looks)

    def _keep(self, looks: Sequence[KnownLook]) -> None:
        self.looks = tuple(looks)
        self._features = np.array([look.features for look in looks], dtype=np.float32).reshape(-1, FEATURES)
        lying = [look.weight * ((look.kind == LYING) - (look.kind == STANDING)) for look in looks]
        self._lying = np.array(lying, dtype=np.float32)
        there = [look.weight * (-1 if look.kind == NOTHING else 1) * bool(look.player) for look in looks]
        self._there = np.array(there, dtype=np.float32)

    @property
    def said(self) -> tuple[KnownLook, ...]:
        """The examples that people gave at the table."""
        return tuple(look for look in self.looks if look.player)

    def learn(self, seen: CropSeen, player: str, kind: int, others: Sequence[CropSeen]) -> KnownLook | None:
        """Take a person's answer for an example; None where it was in no doubt, or makes another look worse.

        Nor is anything learned against what is clearly seen. `others` are the latest looks at the other spaces, of what
        is a figure and of what is none.
        """
        if not self.speaks_not_against(seen, kind) or self.chance(seen, kind) >= 1 - DOUBT:
            return None
        look = KnownLook(tuple(seen.features.tolist()), kind, SAID, player).as_kept()
        alike = [one for one in self.looks if (one.player, one.kind) == (player, kind)]
        oldest = alike[: max(0, len(alike) + 1 - MOST_SAID)]
        then = FigureMemory([*(one for one in self.looks if one not in oldest), look])
        sheet = [(_undecided(one), one.kind, 0.5) for one in self.looks if not one.player]
        table = [(one, pose, 1 - DOUBT) for one in others for pose in POSES]
        if any(self._worse(then, *known) for known in (*sheet, *table)):
            return None
        self._keep(then.looks)
        return look

    def chance(self, seen: CropSeen, kind: int) -> float:
        """Return how likely a look is of a kind."""
        return float(self.settle(seen.chances[None], seen.features[None])[0][kind])

    def speaks_not_against(self, seen: CropSeen, kind: int, player: int | None = None) -> bool:
        """Whether a look leaves it open that it is of a kind, and a player's: nothing goes against what is clear.

        A figure that is clearly there has its colour; one that is in doubt may be another's, as against the light.
        """
        there = 1 - self.chance(seen, NOTHING)
        if kind == NOTHING or player not in (None, seen.player):
            return there < 1 - DOUBT and (kind == NOTHING or there > DOUBT)
        return there > DOUBT and self._sureness(seen, kind) > DOUBT

    def forget(self, look: KnownLook) -> bool:
        """Drop what a person said; return whether it was still kept."""
        left = [one for one in self.looks if one != look]
        there = len(left) < len(self.looks)
        self._keep(left)
        return there

    def _worse(self, then: FigureMemory, look: CropSeen, kind: int, clear: float) -> bool:
        """Whether another memory tells a look otherwise than now, or is less sure of what is clear.

        What is told now, a figure or nothing, and what pose it has, stays; a doubt may become a figure, and is never
        told away: somebody may stand there.
        """
        there, later = 1 - self.chance(look, NOTHING), 1 - then.chance(look, NOTHING)
        if (
            (there <= DOUBT) != (later <= DOUBT)
            or (there >= THERE > later)
            or (there >= 1 - DOUBT and later < there - HARM)
        ):
            return True
        if there < THERE:
            return False
        now, after = self._sureness(look, kind), then._sureness(look, kind)
        return (now >= TOLD and after <= 1 - TOLD) or (now >= clear and after < now - HARM)

    def _sureness(self, seen: CropSeen, kind: int) -> float:
        """Return the chance of a pose, of what is a figure at all."""
        told = self.settle(seen.chances[None], seen.features[None])[0]
        return float(told[kind] / max(told[STANDING] + told[LYING], SOME))

    def __len__(self) -> int:
        """Return how many examples there are."""
        return len(self._features)

    def settle(self, chances: Array, features: Array) -> Array:
        """Return the chances of nothing, standing and lying (n, 3), moved towards the examples that are alike.

        The pose is moved by all examples; whether a figure is there at all only by what people said.
        """
        if not len(self) or not len(chances):
            return chances
        alike = features @ self._features.T
        near = np.exp((alike - 1) / NEAR) * (alike > LIKE)
        here, lies = (np.clip(STRENGTH * (near @ way), -MOST, MOST) for way in (self._there, self._lying))
        there = chances[:, STANDING] + chances[:, LYING]
        odds = (there + SOME) / (chances[:, NOTHING] + SOME) * np.exp(here)
        there = np.where(here == 0, there, odds / (1 + odds))
        odds = (chances[:, LYING] + SOME) / (chances[:, STANDING] + SOME) * np.exp(lies)
        found = np.empty_like(chances)
        found[:, NOTHING] = 1 - there
        found[:, LYING] = there * odds / (1 + odds)
        found[:, STANDING] = there / (1 + odds)
        return np.asarray(found)


def _undecided(look: KnownLook) -> CropSeen:
    """Return an example as a likely figure whose pose nothing but the examples tells."""
    return CropSeen(0, np.array([1 - SHEET, SHEET / 2, SHEET / 2]), np.array(look.features, dtype=np.float32))


class LastLooks:
    """The latest clear look at each figure that stands alone on its space: what a person's answer is about."""

    def __init__(self) -> None:
        self._seen: dict[str, CropSeen] = {}

    def note(self, verdicts: Sequence[FigureVerdict], slots: Collection[str]) -> None:
        """Replace what was seen in some slots."""
        found: dict[str, list[FigureVerdict]] = {}
        for verdict in verdicts:
            found.setdefault(verdict.candidate.space.name, []).append(verdict)
        kept = {space: seen for space, seen in self._seen.items() if slot_of(space) not in slots}
        alone = {space: group[0].seen for space, group in found.items() if len(group) == 1}
        self._seen = kept | {space: seen for space, seen in alone.items() if seen is not None}

    def at(self, space: str) -> CropSeen | None:
        return self._seen.get(space)

    def elsewhere(self, space: str) -> list[CropSeen]:
        """Return what was seen on all other spaces, figure or not."""
        return [seen for name, seen in self._seen.items() if name != space]


class Answers:
    """What people said of single spaces: it holds there until the picture of the space changes clearly."""

    def __init__(self) -> None:
        self._held: dict[str, Answer] = {}

    def hold(self, answer: Answer) -> None:
        self._held[answer.space] = answer

    def at(self, space: str) -> Answer | None:
        return self._held.get(space)

    def drop(self, answer: Answer) -> bool:
        """Drop an answer that was taken back; return whether it still held."""
        return self._held.get(answer.space) is answer and bool(self._held.pop(answer.space))

    def look(self, looks: LastLooks, slots: Collection[str]) -> None:
        """Drop the answers on spaces in some slots that look otherwise by now."""
        for space, answer in list(self._held.items()):
            seen = looks.at(space)
            if slot_of(space) in slots and (seen is None or not answer.is_of(seen)):
                del self._held[space]
