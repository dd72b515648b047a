"""Running one scenario of the wasteland."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from companion.games import fields
from companion.games.scenario import differences
from companion.games.timeline import Timeline
from companion.games.wasteland import moves
from companion.games.wasteland import new_game as agreeing
from companion.games.wasteland.events import serialize
from companion.games.wasteland.new_game import new_game, table_from_json
from companion.games.wasteland.state import private_of, state_of
from companion.games.wasteland.words import COLOUR_NUMBER, COLOURS
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.wasteland.box import WastelandBox
    from companion.games.wasteland.events import WastelandEvent
    from companion.games.wasteland.game import WastelandGame

KEYS: Final = agreeing.KEYS | {
    "name", "clauses", "game", "pack", "seed", "dice", "start", "moves", "then", "then_private", "then_events", "note",
}  # fmt: skip


class Run:
    """A game and the dice that are fed to it, throw by throw."""

    def __init__(self, game: WastelandGame, dice: list[Any], luck: Chance) -> None:
        self.timeline = Timeline(game)
        self.dice = dice
        self.luck = luck
        self.events: list[dict[str, Any]] = []

    def play(self, raw: dict[str, Any]) -> None:
        """A move, with the throws that are left unless it brings its own."""
        fed = {**raw, "dice": self.dice} if self.dice and "dice" not in raw else raw
        rolls = self.timeline.game.rolls
        events = self.timeline.play(moves.read(fed), self.luck)[0]
        self.events += [serialize(cast("WastelandEvent", event)) for event in events]
        if "dice" not in raw:
            self.dice = self.dice[self.timeline.game.rolls - rolls :]


def run(raw: dict[str, Any], box: WastelandBox, luck: Chance) -> list[str]:
    """What did not hold; nothing when the scenario is green. A malformed scenario is refused."""
    for key in raw:
        if key not in KEYS:
            raise fields.malformed("scenario", key, "a field of a scenario")
    game = new_game(box, table_from_json({key: raw[key] for key in raw if key in agreeing.KEYS}), luck)
    if raw.get("start") is not None:
        game.play(moves.read({"do": "correct", "set": raw["start"]}), luck)
    going = Run(game, fields.a_list(raw.get("dice", []), "dice"), luck)
    for number, move in enumerate(fields.a_list(raw.get("moves", []), "moves"), 1):
        problem = _make(going, fields.an_object(move, "moves"))
        if problem:
            return [f"move {number} {move}: {problem}"]
    return _differences(raw, going)


def _differences(raw: dict[str, Any], going: Run) -> list[str]:
    game = going.timeline.game
    then = raw.get("then")
    problems = differences(then, {"version": going.timeline.version, **state_of(game)}) if then else []
    for name, wanted in fields.an_object(raw.get("then_private", {}), "then_private").items():
        if name not in [COLOURS[seat] for seat in game.seats]:
            raise fields.malformed("then_private", name, "a player")
        problems += differences(wanted, private_of(game, COLOUR_NUMBER[name]), f"private.{name}")
    for wanted in fields.a_list(raw.get("then_events", []), "then_events"):
        if all(differences(wanted, event) for event in going.events):
            problems.append(f"no event like {wanted}")
    return problems


def _make(going: Run, raw: dict[str, Any]) -> str | None:
    """Make one move; what was wrong with it, if anything."""
    refused = raw.get("refused")
    move = {key: value for key, value in raw.items() if key != "refused"}
    before = state_of(going.timeline.game)
    try:
        make(going, move)
    except Refusal as refusal:
        if refused is None:
            return f"refused with {refusal.clause or refusal.code}: {refusal.message} {refusal.fields}"
        if state_of(going.timeline.game) != before:
            return "refused, but the state has changed"
        if refused is not True and refusal.clause != refused:
            return f"refused with {refusal.clause or refusal.code} instead of {refused}: {refusal.message}"
        return None
    return None if refused is None else f"was not refused (wanted {refused})"


def make(going: Run, raw: dict[str, Any]) -> None:
    """A move, undo and redo included."""
    do = raw.get("do")
    if do == "undo":
        to = raw.get("to")
        going.timeline.undo(None if to is None else fields.whole(to, "to", 0, 10**6))
    elif do == "redo":
        going.timeline.redo()
    else:
        going.play(raw)
