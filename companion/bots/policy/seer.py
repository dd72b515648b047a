"""The seer: plays games on in a process of its own, and tells everybody's chance to win as it becomes surer."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Final

from companion.bots.policy.helper import Helper, latest
from companion.bots.policy.parcel import Parcels
from companion.bots.worth.win_chance import Foresight
from companion.games.shelter.cards.box import Box

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from companion.cards.pack import Pack
    from companion.games.shelter.game import Game

FIRST: Final = 60
"""After so many playouts a first chance is told."""
LAST: Final = 240


class Seer(Helper):
    """Asked about one position at a time; what is asked next puts an end to what is being thought about."""

    def __init__(self, pack: Pack, box: Box, seed: str, last: int = LAST) -> None:
        super().__init__(_foresee_until_hung_up, pack, seed)
        self.box = box
        self._parcels = Parcels(box)
        self._last = last
        self._asked: object = None
        self._goal = last

    def consider(self, game: Game, key: object, *, well: bool = True) -> None:
        """Have it play this game on, well or just for a first chance; the key comes back with every answer."""
        self._asked, self._goal = key, self._last if well else min(FIRST, self._last)
        self.ask((key, self._goal, self._parcels.pack(game)))

    def told(self, patience: float = 0.0) -> tuple[dict[str, Any], bool] | None:
        """The newest estimate for the last question, if there is one, and whether it is the last."""
        found = None
        for key, estimate in self.answers(patience):
            if key == self._asked:
                found = estimate, estimate["playouts"] >= self._goal or estimate["sure"]
        return found


def _foresee_until_hung_up(line: Connection, pack: Pack, seed: str) -> None:
    """The helper's process: the latest question, told early and told well."""
    box, source = Box(pack), random.Random(seed)
    foresight, parcels = Foresight(box, source), Parcels(box)
    while True:
        key, last, parcel = latest(line)
        game = parcels.unpack(parcel)
        estimate = foresight.begin(game)
        for goal in sorted({min(FIRST, last), last}):
            foresight.go_on(estimate, game, goal, lambda: not line.poll())
            if estimate.playouts < goal and game.result is None:
                break
            line.send((key, {**estimate.as_json(), "sure": game.result is not None}))
            if game.result is not None:
                break
