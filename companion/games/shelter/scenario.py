"""Running one scenario of Fallout Shelter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.scenario import differences
from companion.games.shelter import house_rules, moves
from companion.games.shelter.setup import Stack, new_game, table_from_json
from companion.games.shelter.state import state_of
from companion.games.timeline import Timeline
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.api import Event
    from companion.games.chance import Chance, Dice
    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import Game
    from companion.games.shelter.setup import Table

KEYS: Final = frozenset(
    {
        "name", "clauses", "game", "players", "levels", "first", "seed", "house_rules", "dice", "decks", "discards",
        "start", "moves", "then", "pack", "overlay", "cards", "options", "note",
    }
)  # fmt: skip


class Fed:
    """Dice fed in order to every roll that nobody told; whatever is not fed comes from elsewhere.

    A roll that is made again after an undo is the timeline's affair, which remembers how it fell.
    """

    def __init__(self, dice: Sequence[Dice], otherwise: Chance) -> None:
        self._dice = list(dice)
        self._otherwise = otherwise

    def roll(self, nth: int) -> Dice:
        """The next dice of the scenario."""
        return self._dice.pop(0) if self._dice else self._otherwise.roll(nth)

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:
        """Shuffles follow the seed."""
        return self._otherwise.shuffle(nth, cards)

    def told(self) -> str | None:
        """Cards are told by moves."""
        return None


def run(raw: dict[str, Any], box: Box, luck: Chance) -> list[str]:
    """What did not hold; nothing when the scenario is green. A malformed scenario is refused."""
    for key in raw:
        if key not in KEYS:
            raise Refusal("malformed", None, f"{key!r} is no field of a scenario", field=str(key))
    chance = Fed([moves.read({"do": "spawn", "dice": [pair]}).dice[0] for pair in _list(raw, "dice")], luck)
    timeline = Timeline(new_game(box, _table(raw), chance))
    if raw.get("start") is not None:
        timeline.play(moves.read({"do": "correct", "set": raw["start"]}), chance)
        timeline = Timeline(timeline.game)
    problems = []
    for number, move in enumerate(_list(raw, "moves")):
        problem = _make(timeline, move, chance)
        if problem:
            problems.append(f"move {number + 1} {_shown(move)}: {problem}")
            break
    state = {"version": timeline.version, **state_of(timeline.game)}
    then = raw.get("then")
    return problems + (differences(then, state) if then else [])


def _shown(move: object) -> str:
    return str({key: value for key, value in move.items() if key != "refused"} if isinstance(move, dict) else move)


def _list(raw: dict[str, Any], key: str) -> list[Any]:
    value = raw.get(key, [])
    if not isinstance(value, list):
        raise Refusal("malformed", None, f"{key} is not a list", field=key)
    return value


def _object(raw: dict[str, Any], key: str) -> dict[str, Any]:
    value = raw.get(key, {})
    if not isinstance(value, dict):
        raise Refusal("malformed", None, f"{key} is not an object", field=key)
    return value


def _table(raw: dict[str, Any]) -> Table:
    table = table_from_json(raw)
    options = _object(raw, "options")
    table.rules = house_rules.read(raw.get("house_rules", options.get("house_rules", {})))
    cards = raw.get("cards", options.get("cards", "companion"))
    if cards not in ("companion", "table"):
        raise Refusal("malformed", None, "cards is companion or table", field="cards")
    table.real_decks = cards == "table"
    for pile, cards_wanted in _object(raw, "decks").items():
        _refuse_unless_pile(pile)
        only = isinstance(cards_wanted, dict)
        named = cards_wanted.get("only") if isinstance(cards_wanted, dict) else cards_wanted
        table.stacks[pile] = Stack(_cards(named, f"decks.{pile}"), only=only)
    for pile, cards_gone in _object(raw, "discards").items():
        _refuse_unless_pile(pile)
        table.discards[pile] = _cards(cards_gone, f"discards.{pile}")
    return table


def _refuse_unless_pile(name: str) -> None:
    if name not in ("items", "rooms", "threats"):
        raise Refusal("malformed", None, f"{name[:60]!r} is neither items, rooms nor threats", field="decks")


def _cards(raw: object, field: str) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
        raise Refusal("malformed", None, f"{field} is not a list of cards", field=field)
    return raw


def _make(timeline: Timeline[Game], raw: object, chance: Chance) -> str | None:
    """Make one move; what was wrong with it, if anything."""
    refused = raw.get("refused") if isinstance(raw, dict) else None
    before = state_of(timeline.game)
    try:
        make(
            timeline,
            {key: value for key, value in raw.items() if key != "refused"} if isinstance(raw, dict) else raw,
            chance,
        )
    except Refusal as refusal:
        if refused is None:
            return f"refused with {refusal.clause or refusal.code}: {refusal.message}"
        if state_of(timeline.game) != before:
            return "refused, but the state has changed"
        if refused is not True and refusal.clause != refused:
            return f"refused with {refusal.clause or refusal.code} instead of {refused}: {refusal.message}"
        return None
    return None if refused is None else f"was not refused (wanted {refused})"


def make(timeline: Timeline[Game], raw: object, chance: Chance) -> Sequence[Event]:
    """A move of the contract, undo and redo included."""
    do = raw.get("do") if isinstance(raw, dict) else None
    if isinstance(raw, dict) and do in ("undo", "redo"):
        extra = set(raw) - {"do", "to", "by", "if_version"} if do == "undo" else set(raw) - {"do", "by", "if_version"}
        if extra:
            raise moves.malformed(str(min(extra)), min(extra), f"a field of {do}")
        to = raw.get("to")
        if to is not None and (not isinstance(to, int) or isinstance(to, bool)):
            raise moves.malformed("to", to, "a version")
        if do == "undo":
            timeline.undo(to)
        else:
            timeline.redo()
        return []
    return timeline.play(moves.read(raw), chance)[0]
