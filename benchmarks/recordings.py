"""Measure whole recorded rounds, path-traced with hands, through eye, watcher, steadier and session."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.bots.study.tally import share_interval
from tests.recordings import followed, mishaps, told
from tests.recordings.mishaps import as_it_is, go_on, happens
from tests.recordings.projector import Projector, scenes

if TYPE_CHECKING:
    from collections.abc import Callable

Rows = list[tuple[str, str, str]]
KITCHENS = Path(__file__).with_name("kitchens.jsonl")
WORLDS = {
    "rounds in strange kitchens, figures of kinds that were learned": "world",
    "... of kinds that were not": "kept",
}


def evening(played: Projector) -> None:
    """A round of four, with stickers."""
    played.start(told.EVENING_SETUP)
    played.play(scenes("evening"), told.EVENING_TAPS)


def mirrored(played: Projector) -> None:
    """The same under a lamp mirrored among the cards."""
    played.start(told.EVENING_SETUP)
    played.play(scenes("mirrored"), told.EVENING_TAPS)


def afternoon(played: Projector) -> None:
    """A round of two, without stickers."""
    played.start(told.AFTERNOON_SETUP)
    played.play(scenes("afternoon"), told.AFTERNOON_TAPS)


def knocked(played: Projector) -> None:
    """A camera that is knocked."""
    mishaps.begin(played)
    played.play([happens(mishaps.bumped)])
    go_on(played, mishaps.bumped)


def mugs(played: Projector) -> None:
    """Half of the mat's tags under mugs."""
    mishaps.begin(played)
    change = mishaps.mugs(played, {1, 4, 5})
    played.play([happens(change)])
    go_on(played, change)


def lamp(played: Projector) -> None:
    """Another lamp."""
    mishaps.begin(played)
    played.play([happens(mishaps.lamp_changed)])
    go_on(played, mishaps.lamp_changed)


def lens(played: Projector) -> None:
    """A hand on the lens for two seconds."""
    mishaps.begin(played)
    played.play([happens(mishaps.lens_covered, "", seconds=2.0), happens(as_it_is)])
    go_on(played)


ROUNDS: dict[str, tuple[str, Callable[[Projector], None], list[dict[str, Any]]]] = {
    "a round of four, with stickers": ("evening", evening, told.EVENING_MOVES),
    "... a lamp mirrored among the cards, two of them white": ("mirrored", mirrored, told.EVENING_MOVES),
    "a round of two, without, in a camera that keeps setting its exposure": (
        "afternoon",
        afternoon,
        told.AFTERNOON_MOVES,
    ),
    "three placements, the camera knocked": ("evening", knocked, mishaps.MOVES),
    "... three of the mat's tags under mugs": ("evening", mugs, mishaps.MOVES),
    "... another lamp": ("evening", lamp, mishaps.MOVES),
    "... a hand on the lens": ("evening", lens, mishaps.MOVES),
}


def in_kitchens(kept: Path = KITCHENS) -> Rows:
    """Return rows for the rounds that were filmed in worlds of our renderer, each from its seed, and kept as counts."""
    rounds, rows = followed.read_kept(kept), []
    for title, prefix in WORLDS.items():
        some = [one for world, one in rounds.items() if world.startswith(prefix)]
        if not some:
            continue
        moves, right, wrong = (sum(one[name] for one in some) for name in ("moves", "right", "wrong"))
        low, high = share_interval(right, moves)
        share = f"{right} of {moves} ({right / moves:.0%}; {low:.0%} to {high:.0%})"
        rows += [
            (f"{title}, {len(some)}: moves right without a tap", "98 %", share),
            ("... wrong moves", "0 in 1,000", f"{wrong} (up to {share_interval(wrong, moves)[1]:.1%})"),
        ]
        rests, whole = (sum(one.get(name, 0) for one in some) for name in ("rests", "whole"))
        if rests:
            low, high = share_interval(whole, rests)
            share = f"{whole} of {rests} ({whole / rests:.0%}; {low:.0%} to {high:.0%})"
            rows.append(("... whole tables read right when they have rested, with the looks before", "95 %", share))
    return rows


def measure() -> Rows:
    """Return a row for what was played, one for what was read."""
    rows: Rows = in_kitchens()
    for title, (name, act, moves) in ROUNDS.items():
        with tempfile.TemporaryDirectory() as folder:
            played = Projector(Path(folder), name)
            try:
                act(played)
                made, found = played.moves, played.verdicts  # the record goes with its folder
            finally:
                played.end()
        right = rightly(made, moves)
        figures = f"{len(found.phantoms)}, {len(found.wrong)} in {len(played.looks)} looks"
        rows += [
            (f"{title}: moves right, and others", f"{len(moves)}, 0", f"{right}, {len(made) - right}"),
            ("... phantom figures, wrong cards after the steadier", "0, 0", figures),
            (
                "... at rest: overlooked, unsure, of all things",
                "0",
                f"{len(found.missed)}, {found.doubts}, {found.things}",
            ),
        ]
    return rows


def rightly(played: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> int:
    """Return how many moves were the right ones, one after the other."""
    pairs = zip(played, wanted, strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), min(len(played), len(wanted)))
