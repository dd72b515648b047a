"""What a survivor may do now, as buttons; and forms of the survivor board as moves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import in_words, notation
from companion.cards.wasteland.words import LETTERS
from companion.games.wasteland.map.plan import facedown
from companion.refusal import Refusal
from web.games.forms import players_of
from web.games.wasteland import board
from web.games.wasteland.contest import AREAS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.games.wasteland.moves import WastelandMoveJson
    from companion.games.wasteland.state_types import WastelandState
    from web.base.words import Words
    from web.games.wasteland.names import Names


ORDER: Final = ("fight", "quest", "encounter", "move", "explore", "camp")


@dataclass(frozen=True, slots=True)
class ActionButton:
    key: str
    label: str
    move: WastelandMoveJson
    sub: str = ""
    instead: ActionButton | None = None
    """The same in another way, as a small button beside it."""


@dataclass(slots=True)
class ActionButtons:
    """All buttons of a seat, in the groups of the page."""

    steps: list[ActionButton] = field(default_factory=list)
    actions: list[ActionButton] = field(default_factory=list)
    explores: list[ActionButton] = field(default_factory=list)
    """Facedown tiles next door, where the map is known."""
    triggers: list[ActionButton] = field(default_factory=list)
    cards: list[ActionButton] = field(default_factory=list)
    begin: list[ActionButton] = field(default_factory=list)
    loyalty: list[ActionButton] = field(default_factory=list)
    claim: list[ActionButton] = field(default_factory=list)
    ending: list[ActionButton] = field(default_factory=list)
    may_explore: bool = False
    may_key: bool = False
    """Whether a card that lies on the table may be keyed in."""
    may_trade: bool = False
    odds: Mapping[int, str] = field(default_factory=dict)


def acts(
    words: Words,
    names: Names,
    state: WastelandState,
    colour: str,
    moves: Sequence[WastelandMoveJson],
    odds: Mapping[int, str],
) -> ActionButtons:
    """Return what may be done now; `odds` says what the first throw against an enemy may bring."""
    found = ActionButtons(odds=odds)
    for number, move in enumerate(moves):
        if move.get("by") not in (colour, None) or move["do"] == "choose":
            continue
        _sort(words, names, found, move, number)
    _camp_as_one(found)
    found.actions.sort(key=lambda one: _place(state, colour, one.move))
    kinds = {choice["kind"] for choice in state["pending"] if choice["by"] == colour}
    own = state["turn"] == colour and state["phase"] == "turn" and not state["pending"]
    found.may_key = own or bool(kinds & {"encounter", "by-hand", "quest-card"})
    found.may_trade = "trade" in kinds
    return found


def _camp_as_one(found: ActionButtons) -> None:
    """Put the camp that is made part by part beside the one that is made at once."""
    camps = [one for one in found.actions if one.move["do"] == "camp"]
    if len(camps) > 1:
        parts, whole = sorted(camps, key=lambda one: bool(one.move.get("all")))
        rest = [one for one in found.actions if one not in camps]
        found.actions = [*rest, replace(whole, instead=parts)]


def _place(state: WastelandState, colour: str, move: WastelandMoveJson) -> int:
    """Order buttons: enemies in the own space first, then actions, then shots, then what has to happen."""
    if move["do"] == "fight":
        return 0 if _is_here(state, colour, move) else len(ORDER)
    return ORDER.index(move["do"]) if move["do"] in ORDER else len(ORDER) + 1


def _is_here(state: WastelandState, colour: str, move: WastelandMoveJson) -> bool:
    here: bool = state["enemies"][str(move["enemy"])]["space"] == state["players"][colour]["space"]
    return here


def _sort(words: Words, names: Names, found: ActionButtons, move: WastelandMoveJson, number: int) -> None:
    key = f"a-{number}"
    if move.get("terrain") or move.get("enemies") or move["do"] == "offer" or "agenda" in move:
        return  # these have forms of their own, or stand beside the hand
    match move["do"]:
        case "step" | "move" if "map" in names.state:
            pass  # a walk takes the points that it needs
        case "step" | "walk":
            found.steps.append(ActionButton(f"to-{move['to']}", names.space(move["to"]), move))
        case "equip" | "unequip":
            found.begin.append(ActionButton(key, words.text(f"wverb_{move['do']}", what=names.of(move["card"])), move))
        case "loyalty":
            found.loyalty.append(ActionButton(key, words.text("wdo_withdraw"), move))
        case "claim":
            found.claim.append(_act(words, move, "do-claim"))
        case "reveal" | "end":
            found.ending.append(_act(words, move, f"do-{move['do']}"))
        case "use" | "perk":
            found.cards.append(_card(words, names, move, key))
        case _:
            _group(found, move).append(_action(words, names, move, key, found.odds))
            found.may_explore |= move["do"] == "explore" and "map" not in names.state


def _group(found: ActionButtons, move: WastelandMoveJson) -> list[ActionButton]:
    if move["do"] == "trigger":
        return found.triggers
    return found.explores if move["do"] == "explore" and "place" in move else found.actions


def _act(words: Words, move: WastelandMoveJson, key: str) -> ActionButton:
    sub = f"wsub_{move['do']}"
    return ActionButton(key, words.text(f"wdo_{move['do']}"), move, words.text(sub) if words.has(sub) else "")


def _card(words: Words, names: Names, move: WastelandMoveJson, key: str) -> ActionButton:
    card = move["card"]
    text = board.text_of if move["do"] == "use" else board.perk_text
    return ActionButton(key, words.text(f"wverb_{move['do']}", what=names.of(card)), move, text(words, names, card))


def _action(words: Words, names: Names, move: WastelandMoveJson, key: str, odds: Mapping[int, str]) -> ActionButton:
    match move["do"]:
        case "fight":
            away = "" if _is_here(names.state, move["by"], move) else words.text("wif_next_door")
            sub = " · ".join(part for part in (odds.get(move["enemy"], ""), away) if part)
            return ActionButton(key, words.text("wverb_fight", what=names.enemy_at(move["enemy"])), move, sub)
        case "encounter":
            plain = move.copy()
            plain.pop("level", None)
            return ActionButton(key, words.text(f"wencounter_{move['icon']}"), plain)
        case "quest" | "trigger":
            what = words.text(f"wverb_{move['do']}", what=names.quest(move["quest"]))
            return ActionButton(key, what, move, objective(words, names, move["quest"], move["objective"]))
        case "camp" if move.get("all"):
            return ActionButton(key, words.text("wdo_camp_all"), move, words.text("wsub_camp_all"))
        case "explore" if "place" in move:
            label = f"{words.text('wdo_explore')}: {names.space(facedown(move['place']))}"
            return ActionButton(key, label, move, words.text("wsub_explore"))
        case _:
            return _act(words, move, key)


def objective(words: Words, names: Names, number: int, place: int) -> str:
    """Return an objective of a quest in one line."""
    quest = names.box.quests.get(number)
    if quest is None or not 1 <= place <= len(quest.objectives):
        return ""
    return in_words.objective(words, names, quest.objectives[place - 1])


ICONS: Final = 4
"""So many enemy icons a tile's form has."""
HELD: Final = "card:"
LONGEST_SPACE: Final = 40


def move_of(form: Mapping[str, str], by: str) -> dict[str, object]:
    """Return the move that a form describes; the rules check the rest."""
    make = MOVES.get(str(form.get("do", "")))
    if make is None:
        raise Refusal("malformed", None, "The form names no move.", field="do")
    return {"by": by, **make(form)}


def space(raw: object) -> str:
    """Return a space that was typed as the rules name it."""
    return notation.space_id(str(raw or ""))[:LONGEST_SPACE].strip("-")


def _number(form: Mapping[str, str], key: str) -> int | None:
    raw = str(form.get(key, "")).strip()
    if not raw:
        return None
    if not raw.isdecimal() or not raw.isascii() or len(raw) > 4:  # noqa: PLR2004 - no number of the game is longer
        raise Refusal("malformed", None, f"{key} is a whole number.", field=key)
    return int(raw)


def _step(form: Mapping[str, str]) -> dict[str, object]:
    terrain = [kind for kind in ("difficult", "irradiated") if form.get(kind)]
    return {"do": "step", "to": space(form.get("to")), **({"terrain": terrain} if terrain else {})}


def _explore(form: Mapping[str, str]) -> dict[str, object]:
    icons = [
        f"{form[f'type_{place}']} at {space(form.get(f'at_{place}')) or 'elsewhere'}"
        for place in range(ICONS)
        if form.get(f"type_{place}")
    ]
    placed = {key.removeprefix("placed_"): space(to) for key, to in form.items() if key.startswith("placed_") and to}
    return {"do": "explore", **({"enemies": icons} if icons else {}), **({"placed": placed} if placed else {})}


def _enemy(form: Mapping[str, str]) -> dict[str, object]:
    at = space(form.get("at"))
    facedown = {"facedown": True} if form.get("facedown") else {}
    return {"do": "enemy", "type": str(form.get("type", "")), **({"at": at} if at else {}), **facedown}


def _results(form: Mapping[str, str]) -> dict[str, object]:
    lines = [line.strip() for line in str(form.get("results", "")).splitlines() if line.strip()]
    level = _number(form, "level")
    return {"do": "result", "results": lines, **({"level": level} if level is not None else {})}


def _test(form: Mapping[str, str]) -> dict[str, object]:
    letters = "".join(letter for letter in LETTERS if form.get(f"letter_{letter}"))
    return {"do": "test", "letters": letters, "difficulty": _number(form, "difficulty") or 1}


def _draw_fight(form: Mapping[str, str]) -> dict[str, object]:
    return {"do": "draw-fight", "type": str(form.get("type", ""))}


def _answer(form: Mapping[str, str]) -> dict[str, object]:
    return {"do": "answer", "agenda": _number(form, "agenda") or 0, "count": _number(form, "count") or 0}


def _choose(form: Mapping[str, str]) -> dict[str, object]:
    """Read a space that was typed, or a die that was put together."""
    option = space(form.get("space")) if form.get("space") else ""
    if not option:
        option = "".join(area[0] for area in AREAS if form.get(area)) + str(_number(form, "hits") or 0)
    number = _number(form, "id")
    return {"do": "choose", "option": option, **({"id": number} if number is not None else {})}


def _goods(form: Mapping[str, str], side: str) -> dict[str, object]:
    found: dict[str, object] = {}
    cards = [key.removeprefix(f"{side}_{HELD}").rpartition("#")[0] for key in form if key.startswith(f"{side}_{HELD}")]
    agendas = [int(key.rpartition("_")[2]) for key in form if re.fullmatch(rf"{side}_agenda_[1-9]", key)]
    caps = _number(form, f"{side}_caps")
    if cards:
        found["cards"] = cards
    if agendas:
        found["agendas"] = agendas
    return {**found, "caps": caps} if caps else found


def _offer(form: Mapping[str, str]) -> dict[str, object]:
    sides = {side: goods for side in ("give", "take") if (goods := _goods(form, side))}
    return {"do": "offer", "to": str(form.get("to", "")), **sides}


def _show(form: Mapping[str, str]) -> dict[str, object]:
    return {"do": "show", "to": str(form.get("to", "")), "agenda": _number(form, "agenda") or 0}


def _correct(form: Mapping[str, str]) -> dict[str, object]:
    """Read a corrected board; what was left empty stays as it is."""
    board: dict[str, object] = {
        key: number for key in ("hp", "rads", "caps") if (number := _number(form, key)) is not None
    }
    if form.get("space"):
        board["space"] = space(form.get("space"))
    if form.get("letters_shown"):
        board["letters"] = "".join(letter for letter in LETTERS if form.get(f"letter_{letter}"))
    if form.get("xp"):
        board["xp"] = str(form["xp"])
    return {"do": "correct", "set": {"players": {str(form.get("board", "")): board}}}


MOVES: Final[dict[str, Callable[[Mapping[str, str]], dict[str, object]]]] = {
    "step": _step,
    "explore": _explore,
    "enemy": _enemy,
    "result": _results,
    "test": _test,
    "draw-fight": _draw_fight,
    "answer": _answer,
    "choose": _choose,
    "offer": _offer,
    "show": _show,
    "correct": _correct,
}


def setup_of(form: Mapping[str, str]) -> dict[str, object]:
    """Read players clockwise, the scenario, survivors that were chosen already, dice and decks."""
    seated, names = players_of(form)
    survivors = {colour: str(form[f"survivor_{colour}"]) for colour in seated if form.get(f"survivor_{colour}")}
    first = form.get("first")
    setup: dict[str, object] = {
        "players": seated,
        "survivors": survivors,
        "options": {
            **{key: "table" if form.get(key) == "table" else "companion" for key in ("dice", "cards")},
            **{key: str(form[key]) for key in ("together", "agendas", "own") if form.get(key)},
        },
        "names": names,
    }
    if form.get("scenario"):
        setup["scenario"] = str(form["scenario"])
    return {**setup, "first": first} if first in seated else setup
