"""The simulated table and its verbs (lay, take, put, move, tip, lift, bump, switch the lamp), and how one is set up."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any, Final

import cv2

from companion.pieces.drawing.raster import render
from companion.pieces.kinds.mat import CARD, MAT
from companion.pieces.sheets.all_pieces import PrintedBox
from companion.pieces.sheets.printed_profile import CARDS, profile_of
from hardware.cameras.simulated import AS_DRAWN
from hardware.tabletop import simulated_dice
from hardware.tabletop.optics import Viewpoint
from hardware.tabletop.rendering import PIXELS_PER_MM, TableRenderer
from hardware.tabletop.table_contents import (
    SLACK,
    CardOnTable,
    DieOnTable,
    FigureOnTable,
    TableContents,
    middle_of,
    space_at,
    standing_on,
    threat_on,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from companion.cards.pack import Pack
    from companion.pieces.drawing.raster import PrintedPiece
    from companion.vision.arrays import Array


ASTRAY: Final = 1.2
"""How far from the right place people put things (mm)."""
CROOKED: Final = 1.2
"""How much people turn things (degrees)."""
BESIDE: Final = 18.0
"""Where a second dweller stands on a space that takes two (mm)."""
AT_HOME: Final = (-30.0, -238.0)
APART: Final = (25.0, 100.0)
"""Dwellers wait in front of the mat: mm from one to the next, and from colour to colour."""
A_ROW: Final = 4
BUMPS: Final = ((9.0, -6.0, 1.1), (-7.0, 5.0, -0.8), (4.0, 8.0, 0.6), (0.0, 0.0, 0.0))
CARD_KINDS: Final = ("room", "threat", "item", "elevator")
COLOURS: Final = ("red", "blue", "green", "yellow")


class NoSuchThingError(LookupError):
    """A card or a dweller that is not there to be had."""


class SimulatedTable:
    """The table may be changed from any thread; the picture is drawn when somebody looks."""

    def __init__(
        self,
        pieces: Iterable[PrintedPiece],
        pictures: Mapping[str, Array],
        view: Viewpoint | None = None,
        seed: int = 1,
    ) -> None:
        """`pictures` are those of the pieces, by their file, with `mat.png` and `figure-COLOUR.png` among them."""
        self._painter = TableRenderer(pictures, view or Viewpoint(), seed)
        self._pieces = [piece for piece in pieces if piece.kind in CARD_KINDS]
        self._chance = Random(seed)
        self._luck = Random(seed + 1)
        self._changed = threading.Condition()
        self._drawing = threading.Lock()
        self._scene = TableContents()
        self._version = 0
        self._bumps = 0
        self._picture: tuple[int, Array] | None = None

    @property
    def scene(self) -> TableContents:
        return self._scene

    @property
    def version(self) -> int:
        return self._version

    def picture(self) -> Array:
        """Return what the camera sees; the same picture as long as nothing changes."""
        with self._drawing:
            version, scene = self._version, self._scene
            if self._picture is None or self._picture[0] != version:
                self._picture = (version, self._painter.draw(scene))
            return self._picture[1]

    def wait(self, version: int, seconds: float) -> int:
        """Wait until something is newer than a version, or the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._version != version, seconds)
            return self._version

    # --- cards --------------------------------------------------------------------------------------------------------

    def lay(self, card: str, place: str) -> None:
        """Lay a card on its place (`2:R1`, `2:E`, `items:0`, a threat on `2:R1a`); what lay there goes to the box."""
        kind = next((piece.kind for piece in self._pieces if piece.id == card), None)
        if kind is None:
            raise NoSuchThingError(f"there is no card {card}")
        x, y = threat_on(place) if kind == "threat" else middle_of(place)
        with self._changed:
            self._take_from(x, y, kind)
            out = {laid.file for laid in self._scene.cards}
            piece = next((one for one in self._pieces if one.id == card and one.file not in out), None)
            if piece is None or piece.tag is None:
                raise NoSuchThingError(f"every {card} lies on the table")
            turn = self._chance.gauss(0, CROOKED)
            laid = CardOnTable(card, piece.file, kind, piece.tag, self._near(x), self._near(y), turn)
            self._change(cards=(*self._scene.cards, laid))

    def take(self, place: str, *, threat: bool) -> None:
        """Take the room or the threat away that lies there."""
        x, y = threat_on(place) if threat else middle_of(place)
        with self._changed:
            self._take_from(x, y, "threat" if threat else "room")
            self._change()

    def card_at(self, place: str, *, threat: bool = False) -> str | None:
        x, y = threat_on(place) if threat else middle_of(place)
        return next((one.name for one in self._scene.cards if _is_there(one, x, y, threat=threat)), None)

    def pick_up(self, file: str) -> CardOnTable:
        with self._changed:
            laid = next((one for one in self._scene.cards if one.file == file), None)
            if laid is None:
                raise NoSuchThingError(f"no card {file} lies there")
            self._change(cards=tuple(one for one in self._scene.cards if one is not laid))
            return laid

    def put_back(self, laid: CardOnTable) -> None:
        """Put a card from the hand where it was."""
        with self._changed:
            self._change(cards=(*self._scene.cards, laid))

    # --- dwellers -----------------------------------------------------------------------------------------------------

    def bring(self, player: str, count: int) -> list[str]:
        """Bring dwellers of a colour from the box to their player's side; return their keys."""
        there = [one for one in self._scene.figures if one.player == player]
        names = [f"{player}-{len(there) + number + 1}" for number in range(count)]
        with self._changed:
            new = tuple(FigureOnTable(name, player, *self._home(name)) for name in names)
            self._change(figures=(*self._scene.figures, *new))
        return names

    def put(self, key: str, space: str, *, lying: bool | None = None) -> None:
        x, y = standing_on(space)
        if any(abs(one.x - x) < SLACK and abs(one.y - y) < SLACK for one in self._scene.figures if one.key != key):
            x += BESIDE
        near = self._near(x), self._near(y)
        if space_at(*near) != space:  # who stands beside another still stands on the space
            near = x - ASTRAY, y
        self.move(key, *near, lying=lying)

    def move(self, key: str, x: float, y: float, *, lying: bool | None = None) -> None:
        old = self.figure(key)
        turn = self._chance.uniform(-180, 180)
        self._swap(replace(old, x=x, y=y, turn=turn, lying=old.lying if lying is None else lying))

    def tip(self, key: str, *, lying: bool | None = None) -> None:
        """Lay a dweller on its side, or stand it up again."""
        old = self.figure(key)
        self._swap(replace(old, lying=not old.lying if lying is None else lying))

    def lift(self, key: str) -> None:
        """Take a dweller back to its player's side."""
        self._swap(replace(self.figure(key), x=self._home(key)[0], y=self._home(key)[1], turn=0.0))

    def figure(self, key: str) -> FigureOnTable:
        found = next((one for one in self._scene.figures if one.key == key), None)
        if found is None:
            raise NoSuchThingError(f"there is no dweller {key}")
        return found

    def space_of(self, figure: FigureOnTable) -> str | None:
        """Return the space that a dweller stands on."""
        return space_at(figure.x, figure.y)

    def is_out(self, figure: FigureOnTable) -> bool:
        """Return whether a dweller is on the mat, on a space or beside one."""
        return figure.y > -MAT[1] / 2

    # --- dice ---------------------------------------------------------------------------------------------------------

    def throw(self) -> None:
        with self._changed:
            self._change(dice=simulated_dice.throw_dice(self._luck, self._scene.dice))

    def shove(self, key: str, x: float, y: float) -> None:
        """Put a die elsewhere, its upper face as it is."""
        self._die(replace(self.die(key), x=x, y=y))

    def set_die(self, key: str, value: int) -> None:
        self._die(replace(self.die(key), value=value))

    def cock(self, key: str, lean: float = 30.0) -> None:
        """Lean a die on something, or lay it flat."""
        self._die(replace(self.die(key), lean=lean))

    def die(self, key: str) -> DieOnTable:
        found = next((one for one in self._scene.dice if one.key == key), None)
        if found is None:
            raise NoSuchThingError(f"there is no die {key}")
        return found

    def _die(self, die: DieOnTable) -> None:
        with self._changed:
            self._change(dice=tuple(die if one.key == die.key else one for one in self._scene.dice))

    # --- what else may happen -----------------------------------------------------------------------------------------

    def reach_in(self, x: float, y: float) -> None:
        """Put a hand over the table, its finger tips above a point."""
        with self._changed:
            self._change(hand=(x, y))

    def reach_out(self) -> None:
        with self._changed:
            self._change(hand=None)

    def switch(self, *, lamp: bool) -> None:
        with self._changed:
            self._change(lamp=lamp)

    def dim(self, strength: float) -> None:
        """Make the light stronger or weaker than it was drawn (1)."""
        with self._changed:
            self._change(strength=strength)

    def bump(self) -> None:
        with self._changed:
            self._change(bump=BUMPS[self._bumps % len(BUMPS)])
            self._bumps += 1

    def touch(self) -> None:
        """Count a change beside the table, and wake those who wait."""
        with self._changed:
            self._change()

    def clear(self) -> None:
        """Put everything back into the box, straighten the arm and switch the lamp on."""
        with self._changed:
            self._bumps = 0
            self._change(cards=(), figures=(), dice=(), hand=None, lamp=True, strength=1.0, bump=(0.0, 0.0, 0.0))

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _change(self, **what: Any) -> None:
        """Replace the contents, under the lock, and wake those who wait."""
        self._scene = replace(self._scene, **what)
        self._version += 1
        self._changed.notify_all()

    def _swap(self, figure: FigureOnTable) -> None:
        with self._changed:
            self._change(figures=tuple(figure if one.key == figure.key else one for one in self._scene.figures))

    def _take_from(self, x: float, y: float, kind: str) -> None:
        threat = kind == "threat"
        kept = tuple(one for one in self._scene.cards if not _is_there(one, x, y, threat=threat))
        self._scene = replace(self._scene, cards=kept)

    def _near(self, where: float) -> float:
        return where + self._chance.gauss(0, ASTRAY)

    @staticmethod
    def _home(key: str) -> tuple[float, float]:
        player, _, number = key.partition("-")
        colour = COLOURS.index(player)
        row, column = divmod(int(number) - 1, A_ROW)
        return AT_HOME[0] + colour * APART[1] + column * APART[0], AT_HOME[1] - row * (APART[0] + 2)


def _is_there(card: CardOnTable, x: float, y: float, *, threat: bool) -> bool:
    reach = (20.0, 20.0) if threat else (CARD[0] / 2, CARD[1] / 2)
    return (card.kind == "threat") == threat and abs(card.x - x) < reach[0] and abs(card.y - y) < reach[1]


PROFILE: Final = "profile.json"
SHEETS: Final = ("mat", "cards", "tokens")
WANTED: Final = (*CARDS, "mat", "track", "figure")


def make_table(pack: Pack, language: str, folder: Path, seed: int = 1) -> SimulatedTable:
    """Return a bare table for a pack; the pieces' pictures and `profile.json` are in the folder."""
    box = PrintedBox(pack, language, "http://localhost/")
    pieces = [piece for sheet in SHEETS for piece in box.pieces(sheet) if piece.kind in WANTED]
    pictures = {}
    folder.mkdir(parents=True, exist_ok=True)
    for piece, picture in zip(pieces, render(pieces, PIXELS_PER_MM), strict=True):
        pictures[piece.file] = picture
        cv2.imwrite(str(folder / piece.file), picture)
    view = Viewpoint()
    profile = profile_of(pieces, view.size) | {"camera": _camera(view)}
    (folder / PROFILE).write_text(json.dumps(profile, indent=1), encoding="utf-8")
    return SimulatedTable(pieces, pictures, view, seed)


def _camera(view: Viewpoint) -> dict[str, object]:
    """Return the profile's camera: the simulated lens has no distortion, and its light is locked as it was drawn."""
    locked = dict(AS_DRAWN)
    return {"size": list(view.size), "matrix": view.matrix.tolist(), "distortion": [0, 0, 0, 0], "locked": locked}
