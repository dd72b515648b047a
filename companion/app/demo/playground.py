"""The simulated table as pages see it: what lies there, the lamps of the panel, and what people may do."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final, cast

from companion.app.demo import table_actions
from companion.games.api import COLOURS, Button
from companion.games.mat import UNKNOWN
from companion.pieces.kinds.mat import DICE, DICE_SIZE, MAT, MAT_TAGS, THREAT_SPACE, TRACK, TRACKS
from hardware.cameras.simulated import AS_DRAWN, Sensor, SimulatedCamera
from hardware.panel.pins import Fingers
from hardware.tabletop.simulated_table import make_table
from hardware.tabletop.table_contents import middle_of, spaces, standing_on

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.cards.pack import Pack
    from companion.table.session.state_view import SnapshotState
    from hardware.panel.wiring import Wiring
    from hardware.tabletop.table_contents import Place

IDLE: Final = 0.1
"""Seconds from picture to picture while nothing happens."""
SIDES: Final = ("L3", "L2", "L1", "R1", "R2", "R3")


class DemoPlayground:
    """Fills the port `Playground`; owns the simulated camera and panel that the rest is put together with."""

    side, edge, strip = MAT[0] / 2, MAT[1] / 2, TRACK[1]

    def __init__(self, pack: Pack, players: Sequence[str], folder: Path, wiring: Wiring, *, seed: int = 1) -> None:
        """`players` are colours in the order of the levels; `folder` is for the pieces' pictures."""
        self.pack = pack
        self.players = tuple(players)
        self.seats = self.players
        self.pictures = folder
        self.table = make_table(pack, "en", folder, seed)
        self.fingers = Fingers(wiring)
        self.camera = SimulatedCamera(
            self.table.picture, pace=self._pace, sensor=Sensor(lambda: self.table.scene.strength, AS_DRAWN)
        )
        self.helping = True
        self.again = threading.Event()
        """Set when somebody wants to play another game."""
        self._wiring = wiring
        self._covered = False
        self._seen = 0
        self._threats = {card.id for card in pack.threats}
        self._items = {card.id for card in pack.items}

    # --- what pages ask -----------------------------------------------------------------------------------------------

    def shown(self) -> dict[str, object]:
        """Return what lies there, and the state of the lamps."""
        scene, version = self.table.scene, self.table.version
        return {
            "version": version,
            "cards": [
                {"name": one.name, "file": one.file, "kind": one.kind, "at": [one.x, one.y], "turn": one.turn}
                | {"size": list(one.size)}
                for one in scene.cards
            ],
            "figures": [
                {"key": one.key, "player": one.player, "at": [one.x, one.y], "turn": one.turn, "lying": one.lying}
                for one in scene.figures
            ],
            "dice": [
                {"key": one.key, "value": one.value, "at": [one.x, one.y], "turn": one.turn, "leans": one.lean > 0}
                for one in scene.dice
            ],
            "hand": None if scene.hand is None else list(scene.hand),
            "lamp": scene.lamp,
            "covered": self._covered,
            "helping": self.helping,
            "panel": {name: round(self._glow(name), 2) for name in self._wiring.lamps},
        }

    def fixed(self) -> dict[str, object]:
        """Return what never changes: the mat, its spaces, the buttons, the threats in the box."""
        return {
            "mat": list(MAT),
            "spaces": {name: list(standing_on(name)) for name in spaces()},
            "threat_space": list(THREAT_SPACE),
            "tracks": {track: [*middle, *TRACK] for track, middle in TRACKS.items()},
            "corner": [*DICE, *DICE_SIZE],
            "tags": [list(middle) for middle in MAT_TAGS],
            "buttons": [
                button.value for button in Button if button.value not in COLOURS or button.value in self.players
            ],
            "threats": sorted(self._threats),
        }

    def wait(self, version: int, seconds: float) -> None:
        """Wait until something is different, or the time is over."""
        self.table.wait(version, seconds)

    def do(self, deed: Mapping[str, object]) -> None:
        table_actions.do(self, deed)

    # --- what the deeds need ------------------------------------------------------------------------------------------

    def is_threat(self, card: str) -> bool:
        """Return whether a card is laid on a space, not in a room's place."""
        return card in self._threats

    def is_item(self, card: str) -> bool:
        """Return whether a card has its place on a track alone."""
        return card in self._items

    def wanted(self, state: SnapshotState) -> dict[str, Place]:
        """Return the cards that somebody has to lay and where: what is to be done, and the tracks' if nobody helps."""
        cards = [one for one in state["table"]["todo"] if one["kind"] == "card"]
        places = {card: one["place"] for one in cards if (card := one["expected"])}
        if not self.helping:
            dealt: dict[str, list[str]] = cast("dict[str, Any]", state)["tracks"]  # a key of its game alone
            tracks = [(f"{track}:{at}", card) for track, row in dealt.items() for at, card in enumerate(row)]
            bare = {card: at for at, card in tracks if card != UNKNOWN and self.table.card_at(at) != card}
            places = bare | places
        return {card: middle_of(place) for card, place in places.items()}

    def lifted(self, card: str) -> float:
        """Return how far above its circle a card's middle is (mm)."""
        return -THREAT_SPACE[1] if self.is_threat(card) else 0.0

    def cover(self, *, lens: bool) -> None:
        """Put a hand on the lens, or take it away."""
        self._covered = lens
        self.camera.cover(lens=lens)
        self.table.touch()

    def help(self, *, wanted: bool) -> None:
        """Set whether the helper lays what the record asks for."""
        self.helping = wanted
        self.table.touch()

    def take_all_back(self, players: Sequence[str] | None = None) -> None:
        """Take dwellers from the vault back to their players."""
        for figure in self.table.scene.figures:
            if (players is None or figure.player in players) and self.table.is_out(figure):
                self.table.lift(figure.key)

    def lay_out(self, dwellers: int) -> None:
        """Lay the table as a game begins (S1 to S3)."""
        self.table.clear()
        for side, card in zip(SIDES, self.pack.top_level, strict=True):
            self.table.lay(card.id, f"1:{side}")
        self.table.lay("elevator", "1:E")
        for level, player in enumerate(self.players, 2):
            self.table.lay(f"elevator-{player}", f"{level}:E")
            self.table.bring(player, dwellers)
        self.table.throw()

    def _pace(self) -> None:
        """Wait for the camera's next picture: when something has changed, or a while after the last one."""
        self._seen = self.table.wait(self._seen, IDLE)

    def _glow(self, lamp: str) -> float:
        """Return the brightness of a lamp; 0 until the panel has opened its chip."""
        return 0.0 if not self.fingers.is_open else self.fingers.brightness(lamp)
