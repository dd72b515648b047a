"""Rounds that nobody wrote: a seed plays the rules at random, and says what hands do for it and what must be recorded.

Played at the table: threats come, dwellers are placed, fight, are hurt and healed, rooms are built, all go home. Dice
and answers that no camera sees are tapped. Left out is what the rules ask a person for: trained dwellers and items.
"""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from companion.cards.loader import builtin
from companion.games.shelter.adapter import GAME
from companion.games.shelter.words import COLOURS
from companion.table.record.record import Record
from companion.table.session.intents import AskLegal, StartGame, Tap
from companion.table.session.session import Session
from tests.recordings.plays import Play

PACK = "homemade"
WAIT = 60
MOST_MOVES = 60
HESITATES, IN_TWO = 0.3, 0.5  # how often a hand is seen on its way, and all pick up in two goes
SIDES = ("L3", "L2", "L1", "R1", "R2", "R3")
Move = dict[str, Any]


@dataclass
class Step:
    """What must be recorded when a shot has rested, and what people tap then."""

    moves: list[Move] = field(default_factory=list)
    taps: list[Move] = field(default_factory=list)


@dataclass
class Round:
    """A round as it is played: the setup, the shots, and the step of each shot with a name."""

    setup: dict[str, Any]
    play: Play
    steps: dict[str, Step]


def improvise(seed: int) -> Round:
    """Play a round at random."""
    chance = np.random.default_rng([seed, 77])
    setup = a_setup(chance)
    with tempfile.TemporaryDirectory() as folder:
        record = Record(Path(folder))
        session = Session(record)
        session.start()
        try:
            session.ask(StartGame(setup, pack=PACK, seed="1")).result(WAIT)
            return Improvised(session, setup, chance, f"round-{seed}").played()
        finally:
            session.stop()
            record.close()


def a_setup(chance: np.random.Generator) -> dict[str, Any]:
    """Return a table in its second round: some rooms, a threat or two, two or three dwellers each."""
    pack = builtin(PACK)
    players = [str(one) for one in chance.permutation(COLOURS)[: chance.integers(2, 5)]]
    rooms = [str(one) for one in chance.permutation(list(dict.fromkeys(card.id for card in pack.rooms)))]
    row = [rooms.pop() for _ in range(3)]
    levels: dict[str, Any] = {}
    for number in range(2, 2 + len(players)):
        left, right = int(chance.integers(0, 3)), int(chance.integers(1, 3))
        there = (*reversed(SIDES[3 - left : 3]), *SIDES[3 : 3 + right])
        levels[str(number)] = {"rooms": {side: rooms.pop() for side in there}}
    items = [str(one) for one in chance.permutation([card.id for card in pack.items])[:3]]
    supplies = [["plain"] * int(chance.integers(2, 4)) for _ in players]
    for supply in supplies:
        if chance.random() < 0.35:  # somebody was hurt
            supply[-1] = "injured"
    boards = {
        one: {"available": supply, "resources": {"water": 3, "food": 3, "energy": 3}}
        for one, supply in zip(players, supplies, strict=True)
    }
    start = {
        "round": 2,
        "phase": "spawn",
        "tracks": {"rooms": row, "items": items},
        "levels": levels,
        "players": boards,
    }
    return {"players": players, "levels": players, "first": players[0], "cards": "table", "start": start}


class Improvised:
    """One round while it is improvised."""

    def __init__(self, session: Session, setup: dict[str, Any], chance: np.random.Generator, name: str) -> None:
        self._session, self._chance, self._setup = session, chance, setup
        self._play = Play(name, chance)
        self._steps: dict[str, Step] = {}
        self._last = Step()
        for place, card in self._cards("rooms").items():
            self._play.room(card, place)

    def played(self) -> Round:
        self._rest(Step())
        self._tap({"do": "spawn", "dice": self._dice(len(self._setup["players"]) + 1)})
        for _ in range(MOST_MOVES):
            if self._state["phase"] not in {"spawn", "place"} and not self._state["pending"]:
                break
            self._go_on()
        self._go_home()
        return Round(self._setup, self._play, self._steps)

    # --- what is done -------------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Answer what is asked, or place a dweller, or pass."""
        pending = self._state["pending"]
        if pending:
            self._answer(pending[0])
            return
        by = self._state["turn"]
        ways = self._placements(by)
        if not ways:
            self._tap({"do": "pass", "by": by})
            return
        space = str(self._chance.choice(sorted(ways)))
        move = ways[space]
        pose = "lying" if move.get("dwellers") == ["injured"] else "standing"
        self._hesitate(by, space, by)
        self._play.figure(by, space, pose)
        self._at_work(by, space, move)

    def _answer(self, choice: dict[str, Any]) -> None:
        option = str(self._chance.choice(choice["options"]))
        move: Move = {"do": "choose", "option": option} | ({"by": choice["by"]} if choice["by"] else {})
        if option == "roll":
            self._tap({**move, "dice": self._dice(1)})
            return
        before = self._cards("rooms") | self._cards("threats")
        self._do(move)
        new = {place: card for place, card in (self._cards("rooms") | self._cards("threats")).items()
               if before.get(place) != card}  # fmt: skip
        told = choice["kind"] in {"drawn", "build"} and len(new) == 1  # by the card itself
        if not told:
            self._say(move)
        by = choice["by"] or self._state["turn"] or self._setup["first"]
        for place, card in new.items():
            self._hesitate(by, place)
            (self._play.threat if place[-1] in "ab" else self._play.room)(card, place)
            if told:
                self._at_work(by, place, move, done=True)
            else:  # a room that is paid with a cube of one's choice
                self._show(by, place, Step())

    def _placements(self, by: str) -> dict[str, Move]:
        """Return what stands on a space for each placement that needs nobody's word."""
        position = self._session._state.position()
        mat, found = GAME.mat, {}
        for offer in self._session.question(AskLegal(by)).result(WAIT):
            if (seen := mat.placement(offer.move)) is not None and len(seen.poses) == 1:
                found.setdefault((seen.space, seen.poses), []).append(offer.move)
        ways = {key: mat.likely(moves) for key, moves in found.items()}
        plain = {key: some for key, some in ways.items() if not mat.needs_word(position, some)}
        return {space: dict(some[0]) for (space, _), some in plain.items() if space not in self._state["placed"]}

    def _go_home(self) -> None:
        standing = sorted(self._play.figures)
        if not standing or self._state["phase"] != "recall":
            return
        if len(standing) > 1 and self._chance.random() < IN_TWO:
            half = standing[: len(standing) // 2]
            self._play.lift(*half)
            self._show(self._setup["first"], half[-1], Step())
        rest = list(self._play.figures)
        self._play.lift(*rest)
        self._do({"do": "recall"})
        self._show(self._setup["first"], rest[-1], Step([{"do": "recall"}]))

    # --- what is shown and said ---------------------------------------------------------------------------------------

    def _hesitate(self, by: str, place: str, carries: str = "") -> None:
        if self._chance.random() < HESITATES:
            self._play.on_the_way(by, place, carries)

    def _at_work(self, by: str, place: str, move: Move, *, done: bool = False) -> None:
        if not done:
            self._do(move)
        self._show(by, place, Step([move]))
        self._follow(by)

    def _show(self, by: str, place: str, step: Step) -> None:
        name = f"{len(self._steps):02d}"
        self._play.at_work(by, place, name)
        self._steps[name] = self._last = step

    def _rest(self, step: Step) -> None:
        self._play.start()
        self._steps["start"] = self._last = step

    def _tap(self, move: Move) -> None:
        self._do(move)
        self._say(move)

    def _say(self, move: Move) -> None:
        self._last.taps.append(move)
        self._follow(str(move.get("by") or self._setup["first"]))

    def _do(self, move: Move) -> None:
        self._session.ask(Tap(move)).result(WAIT)

    def _follow(self, by: str) -> None:
        """Do with figures and threats what the record says has become of them."""
        placed = self._state["placed"]
        for space, there in placed.items():
            pose = "lying" if there["dwellers"][0].startswith("injured") else "standing"
            if space in self._play.figures and self._play.figures[space].pose != pose:
                self._play.figure(there["by"], space, pose)
                self._show(by, space, Step())
        for space in sorted(self._play.threats.keys() - self._cards("threats").keys()):
            self._play.take_threat(space)
            self._show(by, space, Step())

    # --- what the record says -----------------------------------------------------------------------------------------

    @property
    def _state(self) -> dict[str, Any]:
        return self._session.snapshots.latest.state

    def _cards(self, kind: str) -> dict[str, str]:
        """Return the cards that lie in the vault, elevators among its rooms."""
        if kind == "threats":
            return dict(self._state["threats"])
        levels = self._state["levels"]
        rooms = {f"{n}:{side}": card for n, level in levels.items() for side, card in level["rooms"].items()}
        lifts = {n: f"elevator-{level['owner']}" if level["owner"] else "elevator" for n, level in levels.items()}
        return rooms | {f"{number}:E": card for number, card in lifts.items()}

    def _dice(self, pairs: int) -> list[list[int]]:
        return self._chance.integers(1, 7, (pairs, 2)).tolist()
