"""What lies in the middle: spaces with who is there, the enemies, factions, quests and the shop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from web.games.wasteland import actions, board, contest, printed

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.wasteland.contest import Foe
    from web.games.wasteland.names import Names


@dataclass(frozen=True, slots=True)
class Token:
    """An enemy on the map."""

    number: int
    name: str
    active: bool
    foe: Foe | None
    space: str


@dataclass(slots=True)
class Space:
    """A space where somebody is."""

    name: str
    figures: list[str]
    tokens: list[Token]


@dataclass(frozen=True, slots=True)
class Power:
    """A faction's token on the power track."""

    faction: str
    name: str
    at: int
    over: int
    """Steps beyond the last space."""


@dataclass(frozen=True, slots=True)
class Quest:
    """A staged quest."""

    number: int
    name: str
    objectives: list[str]
    note: str


@dataclass(frozen=True, slots=True)
class Stall:
    """A card of the shop."""

    name: str
    cost: str
    text: str


def token(words: Words, names: Names, state: dict[str, Any], number: str) -> Token:
    """An enemy as it lies."""
    raw = state["enemies"][number]
    enemy = contest.enemy_by_id(names, raw["id"])
    shown = contest.foe(words, names, enemy, raw["level"]) if enemy is not None else None
    return Token(int(number), names.enemy(number), raw["active"], shown, names.space(raw["space"]))


def spaces(words: Words, names: Names, state: dict[str, Any]) -> list[Space]:
    """The spaces where survivors and enemies are; those with survivors first."""
    found: dict[str, Space] = {}
    for colour, player in state["players"].items():
        if player["space"] and not player["eliminated"]:
            found.setdefault(player["space"], Space(names.space(player["space"]), [], [])).figures.append(colour)
    for number, raw in state["enemies"].items():
        at = raw["space"] or ""
        one = found.setdefault(at, Space(names.space(raw["space"]), [], []))
        one.tokens.append(token(words, names, state, number))
    return list(found.values())


def power(names: Names, state: dict[str, Any]) -> list[Power]:
    """Both tokens on the track."""
    last = state["track"] - 1
    return [
        Power(faction, names.faction(faction), min(at, last), max(0, at - last))
        for faction, at in state["power"].items()
    ]


def quests(words: Words, names: Names, state: dict[str, Any]) -> list[Quest]:
    """What is staged for all."""
    found = []
    for number in state["quests"]:
        quest = names.box.quests.get(number)
        places = range(1, len(quest.objectives) + 1) if quest else ()
        lines = [actions.objective(words, names, number, place) for place in places]
        found.append(Quest(number, names.quest(number), lines, quest.note if quest else ""))
    return found


def shop(words: Words, names: Names, state: dict[str, Any]) -> list[Stall]:
    """The row of assets."""
    found = []
    for name in state["shop"]:
        if name not in names.box.card_number:
            found.append(Stall(names.of(name), "", ""))
            continue
        card = names.box.cards[names.box.card_number[name]]
        if card.kind.value == "companion":
            needs = printed.condition(words, names, card.recruit_if) if card.recruit_if else words.text("wanybody")
            cost = words.text("wrecruit_if", what=needs)
        else:
            cost = words.count("wcaps", card.cost) if card.cost is not None else ""
        found.append(Stall(card.name, cost, board.text_of(words, names, name)))
    return found
