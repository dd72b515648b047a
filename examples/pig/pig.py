"""Pig: throw a die as often as you dare; a one loses what you have thrown, and who keeps 50 points wins.

A whole game for the companion in one file: record, undo, phones, big screen, panel, voice and network serve it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from companion.games import api, json_types
from companion.games.api import COLOURS, Button, Text, ViewButton, name_of
from companion.games.fields import an_object, malformed, renamed, texts, whole
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.cards.loader import PackText
    from companion.games.api import Event, View
    from companion.games.chance import Chance, Dice

GOAL: Final = 50
FEWEST, MOST = 2, 99
SETUP: Final = {"players", "names", "bots", "start"}
FACES: Final = set("123456")
WORDS: Final = tomllib.loads(Path(__file__).with_name("pig.en.toml").read_text(encoding="utf-8"))


class Threw(NamedTuple):
    by: str
    die: int
    pot: int


class Lost(NamedTuple):
    by: str
    die: int


class Kept(NamedTuple):
    by: str
    pot: int


class Over(NamedTuple):
    winners: tuple[str, ...]


PigEvent = Threw | Lost | Kept | Over


class PigPlayer(json_types.Player):
    points: int


class PigState(json_types.State):
    players: dict[str, PigPlayer]
    pot: int
    die: int | None


class Move(NamedTuple):
    do: str
    by: str
    dice: tuple[Dice, ...] = ()
    """Thrown with a real die; the other number of each pair is not looked at."""
    said: Mapping[str, object] | None = None
    """What a correction sets."""


@dataclass
class Position:
    points: dict[str, int]
    turn: str
    pot: int = 0
    die: int | None = None
    round: int = 1
    rolls: int = 0
    names: dict[str, str] = field(default_factory=dict)

    @property
    def winner(self) -> str | None:
        return next((colour for colour, points in self.points.items() if points >= GOAL), None)

    def copy(self) -> Position:
        return replace(self, points=dict(self.points), names=dict(self.names))

    def play(self, move: Move, chance: Chance) -> list[Event]:
        if move.do == "correct":
            self._correct(move.said or {})
            return []
        if self.winner is not None:
            raise Refusal("game_over", None, "The game is over.")
        if move.by != self.turn:
            raise Refusal("not_your_turn", "PIG-1", f"It is the turn of {self.turn}.", turn=self.turn)
        return self._keep() if move.do == "hold" else self._throw(move, chance)

    def _throw(self, move: Move, chance: Chance) -> list[Event]:
        self.die, _ = move.dice[0] if move.dice else chance.roll(self.rolls)
        self.rolls += 1
        if self.die == 1:
            lost = Lost(self.turn, self.die)
            self._next()
            return [lost]
        self.pot += self.die
        return [Threw(self.turn, self.die, self.pot)]

    def _keep(self) -> list[Event]:
        if not self.pot:
            raise Refusal("nothing_to_keep", "PIG-2", "Nothing has been thrown yet.")
        kept, over = Kept(self.turn, self.pot), Over((self.turn,))
        self.points[self.turn] += self.pot
        if self.winner is None:
            self._next()
        self.pot = 0
        return [kept] if self.winner is None else [kept, over]

    def _next(self) -> None:
        order = list(self.points)
        after = order.index(self.turn) + 1
        self.turn, self.pot = order[after % len(order)], 0
        self.round += after == len(order)

    def _correct(self, said: Mapping[str, object]) -> None:
        after = self.copy()
        for colour, raw in an_object(said.get("players", {}), "players").items():
            board, points = an_object(raw, colour), after.points[self._of_this_game(colour)]
            after.points[colour] = whole(board.get("points", points), f"players.{colour}.points", 0, MOST)
            if "name" in board:
                after.names = renamed(after.names, colour, board["name"])
        after.pot = whole(said.get("pot", self.pot), "pot", 0, MOST)
        after.turn = self._of_this_game(said.get("turn") or self.turn)
        self.__dict__.update(after.__dict__)

    def _of_this_game(self, colour: object) -> str:
        if not isinstance(colour, str) or colour not in self.points:
            raise Refusal("not_playing", None, f"{colour!r} is not playing.", by=str(colour))
        return colour


class Pig(api.Game[Position, Move, PigState, PigEvent]):
    name = "pig"
    title = "Pig"
    announced = api.Announced(
        phases=("turn", "over"), events=("threw", "lost", "kept", "over"),
        sensors=(api.PlayerSensor("points", "points", "mdi:dice-6"),),
    )  # fmt: skip

    def new(self, pack: PackText, setup: Mapping[str, object], chance: Chance) -> Position:
        players = texts(setup.get("players"), "players")
        for key in setup.keys() - SETUP:
            raise malformed("setup", key, "one of " + ", ".join(sorted(SETUP)))
        if not FEWEST <= len(set(players) & set(COLOURS)) == len(players):
            raise Refusal("bad_players", None, "Two to four players, each in a colour of their own.")
        position = Position(dict.fromkeys(players, 0), players[0])
        position.play(Move("correct", "", said=an_object(setup.get("start") or {}, "start")), chance)
        return position

    def read(self, raw: object) -> Move:
        match raw:
            case {"do": "hold", "by": str(by), **more} if not more:
                return Move("hold", by)
            case {"do": "roll", "by": str(by), **more} if not more:
                return Move("roll", by)
            case {"do": "roll", "by": str(by), "dice": [[int(die), int(other)]], **more} if not more:
                if {str(die), str(other)} <= FACES:
                    return Move("roll", by, ((die, other),))
            case {"do": "correct", "set": dict(said), **more} if not more.keys() - {"by"}:
                return Move("correct", str(more.get("by", "")), said=said)
        raise malformed("move", raw, 'like {"do": "roll", "by": "red"}')

    def write(self, move: Move) -> json_types.MoveJson:
        if move.do == "correct":
            change = move.said or {}
            return {"do": move.do, "set": change, "by": move.by} if move.by else {"do": move.do, "set": change}
        if not move.dice:
            return {"do": move.do, "by": move.by}
        return {"do": move.do, "by": move.by, "dice": [list(pair) for pair in move.dice]}

    def legal(self, position: Position, eyes: Iterable[str]) -> list[Move]:
        if position.winner is not None:
            return []
        return [Move(do, position.turn) for do in (("roll", "hold") if position.pot else ("roll",))]

    def serialize(self, event: PigEvent) -> json_types.EventJson:
        return cast("json_types.EventJson", {"event": type(event).__name__.lower(), **event._asdict()})

    def state(self, position: Position) -> PigState:
        winner = position.winner
        return {
            "game": self.name, "round": position.round, "phase": "turn" if winner is None else "over",
            "turn": position.turn if winner is None else None, "order": list(position.points), "pending": [],
            "players": {colour: {"points": points} for colour, points in position.points.items()},
            "pot": position.pot, "die": position.die,
            "result": None if winner is None else {"winners": [winner], "decided_by": "points"},
        }  # fmt: skip

    def standing(self, state: PigState) -> dict[str, int]:
        return {colour: player["points"] for colour, player in state["players"].items()}

    def scores(self, state: PigState) -> dict[str, dict[str, int]]:
        return {colour: {} for colour in state["players"]}

    def pressed(self, state: PigState, button: Button, *, held: bool) -> json_types.MoveJson | None:
        if button.value in COLOURS:
            return {"do": "hold", "by": button.value}
        roll: json_types.MoveJson = {"do": "roll", "by": state["turn"] or state["order"][0]}
        return roll if button is Button.ROLL else super().pressed(state, button, held=held)

    def words(self, language: str) -> Mapping[str, str]:
        return WORDS

    def spoken(self, event: PigEvent, state: PigState) -> Text:
        match event:
            case Over(winners):
                return Text("over", {"winners": tuple(name_of(state, colour) for colour in winners)})
            case Threw(by, die, pot):
                return Text("threw", {"player": name_of(state, by), "die": die, "pot": pot})
            case Lost(by):
                return Text("lost", {"player": name_of(state, by)})
            case Kept(by, pot):
                return Text("kept", {"player": name_of(state, by), "pot": pot})

    def seconds_to_see(self, event: PigEvent) -> float:
        return 2.5 if isinstance(event, Lost) else 0.0

    def signal(self, event: PigEvent) -> api.Signal | None:
        return api.Signal.OVER if isinstance(event, Over) else None

    def view(self, state: PigState, legal: Sequence[json_types.MoveJson], seat: str | None) -> View:
        lines = (Text("pot", {"pot": state["pot"]}), Text("goal", {"goal": GOAL}))
        buttons = tuple(ViewButton(Text(f"do_{move['do']}", {"pot": state["pot"]}), move) for move in legal)
        return super().view(state, legal, seat)._replace(lines=lines, buttons=buttons)
