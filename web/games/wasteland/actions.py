"""What a survivor may do now, as buttons: actions, steps, cards, the start of a turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from web.games.wasteland import board, printed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from web.base.words import Words
    from web.games.wasteland.names import Names

Move = dict[str, Any]
ORDER: Final = ("fight", "quest", "encounter", "move", "explore", "camp")


@dataclass(frozen=True, slots=True)
class Act:
    """One button."""

    key: str
    label: str
    move: Move
    sub: str = ""


@dataclass(slots=True)
class Acts:
    """All buttons, in the groups of the page."""

    steps: list[Act] = field(default_factory=list)
    actions: list[Act] = field(default_factory=list)
    cards: list[Act] = field(default_factory=list)
    begin: list[Act] = field(default_factory=list)
    loyalty: list[Act] = field(default_factory=list)
    claim: list[Act] = field(default_factory=list)
    ending: list[Act] = field(default_factory=list)
    may_explore: bool = False
    may_key: bool = False
    """Whether a card that lies on the table may be keyed in."""
    may_trade: bool = False


def acts(words: Words, names: Names, state: dict[str, Any], colour: str, moves: Sequence[Move]) -> Acts:
    """The buttons of one seat."""
    found = Acts()
    for number, move in enumerate(moves):
        if move.get("by") not in (colour, None) or move["do"] == "choose":
            continue
        _sort(words, names, found, move, number)
    found.actions.sort(key=lambda one: _place(state, colour, one.move))
    kinds = {choice["kind"] for choice in state["pending"] if choice["by"] == colour}
    own = state["turn"] == colour and state["phase"] == "turn" and not state["pending"]
    found.may_key = own or bool(kinds & {"encounter", "by-hand"})
    found.may_trade = "trade" in kinds
    return found


def _place(state: dict[str, Any], colour: str, move: Move) -> int:
    """What is at hand comes first: enemies in the own space, then actions, then shots, then what has to happen."""
    if move["do"] == "fight":
        return 0 if _is_here(state, colour, move) else len(ORDER)
    return ORDER.index(move["do"]) if move["do"] in ORDER else len(ORDER) + 1


def _is_here(state: dict[str, Any], colour: str, move: Move) -> bool:
    here: bool = state["enemies"][str(move["enemy"])]["space"] == state["players"][colour]["space"]
    return here


def _sort(words: Words, names: Names, found: Acts, move: Move, number: int) -> None:
    key = f"a-{number}"
    if move.get("terrain") or move.get("enemies") or move["do"] == "offer" or "agenda" in move:
        return  # these have forms of their own, or stand beside the hand
    match move["do"]:
        case "step":
            found.steps.append(Act(f"to-{move['to']}", names.space(move["to"]), move))
        case "equip" | "unequip":
            found.begin.append(Act(key, words.text(f"wverb_{move['do']}", what=names.of(move["card"])), move))
        case "loyalty":
            found.loyalty.append(Act(key, words.text("wdo_withdraw"), move))
        case "claim":
            found.claim.append(_act(words, move, "do-claim"))
        case "reveal" | "end":
            found.ending.append(_act(words, move, f"do-{move['do']}"))
        case "use" | "perk":
            found.cards.append(_card(words, names, move, key))
        case _:
            found.actions.append(_action(words, names, move, key))
            found.may_explore |= move["do"] == "explore"


def _act(words: Words, move: Move, key: str) -> Act:
    sub = f"wsub_{move['do']}"
    return Act(key, words.text(f"wdo_{move['do']}"), move, words.text(sub) if words.has(sub) else "")


def _card(words: Words, names: Names, move: Move, key: str) -> Act:
    card = move["card"]
    text = board.text_of if move["do"] == "use" else board.perk_text
    return Act(key, words.text(f"wverb_{move['do']}", what=names.of(card)), move, text(words, names, card))


def _action(words: Words, names: Names, move: Move, key: str) -> Act:
    """Actions that name something."""
    match move["do"]:
        case "fight":
            sub = "" if _is_here(names.state, move["by"], move) else words.text("wif_next_door")
            return Act(key, words.text("wverb_fight", what=names.enemy_at(move["enemy"])), move, sub)
        case "encounter":
            plain = {name: value for name, value in move.items() if name != "level"}
            return Act(key, words.text(f"wencounter_{move['icon']}"), plain)
        case "quest" | "trigger":
            what = words.text(f"wverb_{move['do']}", what=names.quest(move["quest"]))
            return Act(key, what, move, objective(words, names, move["quest"], move["objective"]))
        case _:
            return _act(words, move, key)


def objective(words: Words, names: Names, number: int, place: int) -> str:
    """An objective of a quest in one line."""
    quest = names.box.quests.get(number)
    if quest is None or not 1 <= place <= len(quest.objectives):
        return ""
    one = quest.objectives[place - 1]
    needs = [printed.condition(words, names, each) for each in one.requires]
    steps = [printed.step(words, names, each) for each in one.steps]
    return f"{' · '.join([*needs, *steps]) or words.text('wtriggered')} → {printed.results(words, names, one.results)}"
