"""The result of one look, its JSON, and how parts of several looks are merged."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.vision.places import MatSpace, Slot, slot_of
from companion.vision.scene.cover import HIDDEN

if TYPE_CHECKING:
    from companion.vision.camera.top_view import ViewFrame
    from companion.vision.figures.verdict import FigureVerdict
    from companion.vision.profile import Profile
    from companion.vision.table_reader import RegionResult


@dataclass(frozen=True, slots=True)
class CardSeen:
    card: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Dweller:
    """A figure: its space, its player's colour, `standing` or `lying`, and how certain it is."""

    space: str
    player: str
    pose: str
    confidence: float


@dataclass(frozen=True, slots=True)
class FigureChance:
    """How likely one look finds a figure on a space, and lying; and the thresholds for reporting these."""

    player: str
    figure: float
    lying: float
    least_figure: float
    least_pose: float


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A real die at rest: its value, and where it lies (mm)."""

    value: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class VisionReading:
    """The reading of one picture. A place that cannot be read is in `unsure` and nowhere else."""

    image: str
    table: str
    hand: bool = False
    ms: float = 0.0
    rooms: dict[str, CardSeen] = field(default_factory=dict)
    threats: dict[str, CardSeen] = field(default_factory=dict)
    tracks: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    dwellers: tuple[Dweller, ...] = ()
    unsure: tuple[str, ...] = ()
    dice: tuple[DieSeen, ...] | None = None
    """Real dice; None where the table has no corner for them, or nobody has looked there."""

    chances: dict[str, FigureChance] = field(default_factory=dict, compare=False)
    """What this look alone says of spaces that nothing hides: summed over looks, and not part of the JSON."""

    glares: dict[str, float] = field(default_factory=dict, compare=False)
    """How white with glare spaces are where no figure is in doubt; not part of the JSON."""

    hidden: frozenset[str] = field(default=frozenset(), compare=False)
    """Spaces of which a figure is read, and hides too much of the card under it; not part of the JSON."""

    unposed: dict[str, str] = field(default_factory=dict)
    """The colour of figures that several looks are sure of, but not whether they stand or lie: by space, all unsure."""

    def to_json(self) -> dict[str, object]:
        return {
            "image": self.image,
            "table": self.table,
            "hand": self.hand,
            "ms": round(self.ms, 1),
            "rooms": {place: _card(seen) for place, seen in sorted(self.rooms.items())},
            "threats": {place: _card(seen) for place, seen in sorted(self.threats.items())},
            "tracks": {name: list(cards) for name, cards in self.tracks.items()},
            "dwellers": [
                {"space": d.space, "player": d.player, "pose": d.pose, "confidence": round(d.confidence, 2)}
                for d in self.dwellers
            ],
            "unsure": list(self.unsure),
            **({"unposed": dict(sorted(self.unposed.items()))} if self.unposed else {}),
            **({} if self.dice is None else {"dice": [_die(die) for die in self.dice]}),
        }


def lost(image: str, ms: float = 0.0) -> VisionReading:
    return VisionReading(image=image, table="lost", ms=ms)


def _card(seen: CardSeen) -> dict[str, object]:
    return {"card": seen.card, "confidence": round(seen.confidence, 2)}


def _die(die: DieSeen) -> dict[str, object]:
    return {"value": die.value, "at": [round(die.x, 1), round(die.y, 1)]}


MAYBE = 0.1


def assemble(profile: Profile, frame: ViewFrame, found: RegionResult, image: str, slots: list[Slot]) -> VisionReading:
    players = list(profile.colours)
    doubtful = {v.candidate.space.name for v in found.verdicts if v.figure > MAYBE and not v.sure}
    sure = [v for v in found.verdicts if v.sure and v.candidate.space.name not in doubtful]
    dwellers = tuple(sorted((_dweller(v, players) for v in sure), key=by_space))
    cards = found.cards
    unsure = cards.unknown | cards.doubted | found.unread | _covered(profile, frame, found, slots)
    chances = _chances(found.verdicts, players, unsure)
    unsure |= doubtful
    rooms = {p.place: CardSeen(p.card.name, p.confidence) for p in cards.placements if p.card.kind != "threat"}
    threats = {p.place: CardSeen(p.card.name, p.confidence) for p in cards.placements if p.card.kind == "threat"}
    return VisionReading(
        image=image,
        table="found",
        hand=found.cover.hand,
        rooms=rooms,
        threats=threats,
        dwellers=dwellers,
        unsure=tuple(sorted(unsure - {dweller.space for dweller in dwellers})),
        chances=chances,
        glares={space: share for space, share in found.glares.items() if space not in doubtful},
        hidden=frozenset(cards.unknown & {dweller.space for dweller in dwellers}),
    )


def merge(before: VisionReading, fresh: VisionReading, slots: set[str]) -> VisionReading:
    """Merge the fresh reading of some slots into an earlier one."""

    def kept(place: str) -> bool:
        return slot_of(place) not in slots

    return replace(
        fresh,
        rooms={place: seen for place, seen in before.rooms.items() if kept(place)} | fresh.rooms,
        threats={place: seen for place, seen in before.threats.items() if kept(place)} | fresh.threats,
        tracks=before.tracks,
        dwellers=tuple(sorted([*(d for d in before.dwellers if kept(d.space)), *fresh.dwellers], key=by_space)),
        unsure=tuple(sorted({place for place in before.unsure if kept(place)} | set(fresh.unsure))),
        glares={place: share for place, share in before.glares.items() if kept(place)} | fresh.glares,
        hidden=frozenset(place for place in before.hidden if kept(place)) | fresh.hidden,
    )


def by_space(dweller: Dweller) -> tuple[str, str, str]:
    """Return the sort key of a dweller: by space; two on one space by colour and pose."""
    return dweller.space, dweller.player, dweller.pose


def _chances(verdicts: tuple[FigureVerdict, ...], players: list[str], hidden: set[str]) -> dict[str, FigureChance]:
    """Return the chances of spaces with at most one figure, where nothing else is in doubt."""
    counted = Counter(verdict.candidate.space.name for verdict in verdicts)
    found = {}
    for verdict in verdicts:
        space = verdict.candidate.space
        if counted[space.name] == 1 and not {space.name, space.slot} & hidden:
            lying = verdict.pose if verdict.lying else 1 - verdict.pose
            found[space.name] = FigureChance(players[verdict.candidate.player], verdict.figure, lying, *verdict.least)
    return found


def _dweller(verdict: FigureVerdict, players: list[str]) -> Dweller:
    candidate = verdict.candidate
    pose = "lying" if verdict.lying else "standing"
    return Dweller(candidate.space.name, players[candidate.player], pose, min(verdict.figure, verdict.pose))


def _covered(profile: Profile, frame: ViewFrame, found: RegionResult, slots: list[Slot]) -> set[str]:
    """Return the spaces, and the slots taken for bare, that something hides."""
    base = profile.figure_base / 2
    half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
    names, bare, cover = {slot.name for slot in slots}, found.cards.bare, found.cover

    def hidden(place: Slot | MatSpace, wide: float, tall: float) -> bool:
        return cover.around(place.x, place.y, wide, tall, frame) > HIDDEN

    spaces = [space for space in profile.spaces if space.slot in names and space.slot not in bare]
    return {space.name for space in spaces if hidden(space, base, base)} | {
        slot.name for slot in slots if slot.name in bare and hidden(slot, half_x, half_y)
    }
