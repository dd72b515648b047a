"""Open choices and real dice: what is asked, and each answer as a label with pictograms and the move that it makes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from companion.cards.effects import PrintedIcon
from companion.games.shelter.words import LETTERS, RESOURCES
from web.base.words import name_of
from web.games.shelter.cards import card_name, sentence, side_name, space_name

if TYPE_CHECKING:
    from companion.games.json_types import MoveJson
    from companion.games.shelter.moves import ShelterMove
    from companion.games.shelter.state import ShelterChoice
    from companion.table.session.handlers.real_dice import DiceJson
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState


LETTER_RESOURCES: Final = {"W": "water", "F": "food", "E": "energy", "?": "any"}
TRADE: Final = re.compile(r"(\d+)(\D)->(\d+)(\D)")
QUIET: Final = frozenset({"decline", "none", "keep", "no", "plain"})


@dataclass(slots=True)
class ChoiceOption:
    label: str
    move: MoveJson
    icons: tuple[PrintedIcon, ...] = ()
    sub: str = ""
    quiet: bool = False
    sure: str = field(default="")


@dataclass(frozen=True, slots=True)
class OpenChoice:
    id: int
    by: str
    who: str
    title: str
    options: list[ChoiceOption]
    kind: str
    about: list[tuple[str, str]] = field(default_factory=list)
    """The cards that are offered, to be read before one is taken."""
    notes: list[str] = field(default_factory=list)
    """What else there is to know before one is taken."""
    rolled: bool = False
    """Whether real dice may be tapped in for it."""


def of_rules(words: Words, state: VaultState, cards: PackCards, seats: frozenset[str]) -> list[OpenChoice]:
    """Return the open choices of these seats, and what anybody may answer."""
    return [
        OpenChoice(
            id=raw["id"],
            by=raw["by"] or "",
            who=name_of(words, state, raw["by"]) if raw["by"] else "",
            title=_title(words, state, cards, raw),
            options=[_option(words, state, cards, raw, option) for option in raw["options"]],
            kind=raw["kind"],
            about=_about(words, cards, raw["options"]),
            rolled=raw["kind"] in ("fight", "reroll"),
        )
        for raw in state["pending"]
        if raw["by"] in seats or (raw["by"] is None and seats)
    ]


def _about(words: Words, cards: PackCards, offered: list[str]) -> list[tuple[str, str]]:
    keys = dict.fromkeys(option.removeprefix("use:").partition("@")[0] for option in offered)
    return [(key, card_name(words, cards, key)) for key in keys if key in cards]


def _title(words: Words, state: VaultState, cards: PackCards, raw: ShelterChoice) -> str:
    kind = str(raw["kind"])
    if kind in ("fight", "reroll"):
        fought = [space for space, one in state["placed"].items() if one["by"] == raw["by"]]
        printed = cards.at(state, fought[-1]) if fought else None
        if printed is not None and printed.fight:
            name = space_name(words, state, cards, fought[-1])
            return words.text(f"ask_{kind}_what", what=name, n=printed.fight)
    key = f"ask_{kind.replace('-', '_')}"
    return words.text(key) if words.has(key) else words.text("ask_anything")


def _option(words: Words, state: VaultState, cards: PackCards, raw: ShelterChoice, option: str) -> ChoiceOption:
    move: ShelterMove = {"do": "choose", "option": option, "id": raw["id"]}
    if raw["by"]:
        move["by"] = raw["by"]
    shown = ChoiceOption(option, move, quiet=option in QUIET)
    key = f"option_{option.replace('-', '_')}"
    if option in RESOURCES:
        shown.label, shown.icons = words.text(f"resource_{option}"), (PrintedIcon(option),)
    elif words.has(key):
        shown.label = words.text(key)
    elif option in LETTERS:
        shown.label = words.text(f"letter_{option}")
        shown.icons = (PrintedIcon("train", letter=option),)
    else:
        _more(words, state, cards, shown)
    return shown


def _more(words: Words, state: VaultState, cards: PackCards, shown: ChoiceOption) -> None:
    """Label options that name cards, trades and places."""
    option = shown.label
    room, _, side = option.partition("@")
    card = option.removeprefix("use:")
    trade = TRADE.fullmatch(option)
    if trade:
        paid, what, gained, other = trade.groups()
        shown.icons = (
            PrintedIcon(LETTER_RESOURCES[what], int(paid)),
            PrintedIcon("to"),
            PrintedIcon(LETTER_RESOURCES[other], int(gained)),
        )
        shown.label = words.text("option_trade")
    elif side:
        shown.label = f"{card_name(words, cards, room)}, {words.text(f'side_{side}')}"
        shown.icons = cards.price(room)
    elif card in cards.items:
        shown.label, shown.sub = card_name(words, cards, card), sentence(words, cards, card)
    elif option.startswith("injured+"):
        shown.label = words.text("dweller_injured_letter", letter=option[-1])
    elif ":" in option:
        shown.label = f"{space_name(words, state, cards, option)}, {side_name(words, option)}".removesuffix(", ")
    elif option == "?":
        shown.label, shown.icons = words.text("resource_any"), (PrintedIcon("any"),)
    else:
        shown.label = card_name(words, cards, option)


THE_STEP: Final = 0
"""The threat step is no choice of the rules: its box has a number that none of them has."""


def choices(words: Words, state: VaultState, cards: PackCards, seats: frozenset[str]) -> list[OpenChoice]:
    """Return the open choices of these seats, real dice among the answers."""
    asked = of_rules(words, state, cards, seats)
    thrown = state["table"].get("dice")
    if thrown is None or not seats:
        return asked
    if thrown["kind"] == "spawn":
        return [*asked, _step(words, thrown)]
    return [_with_dice(words, cards, choice, thrown) if choice.id == thrown["id"] else choice for choice in asked]


def _with_dice(words: Words, cards: PackCards, choice: OpenChoice, thrown: DiceJson) -> OpenChoice:
    """Return a fight's roll, or one that an item repeats, with what was thrown as an answer."""
    taken = [_taking(words, cards, move) for move in thrown["moves"]]
    again = [_again(words, words.text("thrown_again"))] if taken else []
    notes = [words.text("thrown_unsure")] if thrown["unsure"] else []
    return replace(choice, options=[*taken, *choice.options, *again], notes=notes)


def _taking(words: Words, cards: PackCards, move: MoveJson) -> ChoiceOption:
    one, other = move["dice"][0]
    if move["option"] == "roll":
        return ChoiceOption(words.text("thrown_take", one=one, other=other), move, sub=words.text("thrown_take_sub"))
    item = card_name(words, cards, move["option"].removeprefix("use:"))
    return ChoiceOption(
        words.text("thrown_use", item=item, one=one, other=other), move, sub=words.text("thrown_take_sub")
    )


def _again(words: Words, label: str) -> ChoiceOption:
    return ChoiceOption(label, {"do": "rethrow"}, sub=words.text("thrown_again_sub"), quiet=True)


def _step(words: Words, thrown: DiceJson) -> OpenChoice:
    """Return the threat step as a choice: a throw a level, taken together."""
    levels, dice = thrown["levels"], thrown["dice"]
    notes = thrown_rows(words, thrown)
    rest = levels[len(dice) :]
    notes.append(words.text("thrown_next", level=rest[0]) if rest else words.text("thrown_all"))
    if thrown["unsure"]:
        notes.append(words.text("thrown_unsure"))
    label = words.text("thrown_take_some" if rest else "thrown_take_all")
    answers = [ChoiceOption(label, move, sub=words.text("thrown_take_sub")) for move in thrown["moves"]]
    if dice:
        answers.append(_again(words, words.text("thrown_again_level", level=levels[len(dice) - 1])))
    return OpenChoice(THE_STEP, "", "", words.text("thrown_spawn"), answers, "spawn", notes=notes)


def thrown_rows(words: Words, thrown: DiceJson) -> list[str]:
    return [
        words.text("thrown_level", level=level, one=one, other=other, sum=one + other)
        for level, (one, other) in zip(thrown["levels"], thrown["dice"], strict=False)
    ]


def on_screen(words: Words, state: VaultState) -> list[str]:
    """Return what was thrown for the big screen, while nothing is taken yet."""
    thrown = state["table"].get("dice")
    if thrown is None:
        return []
    said = thrown_rows(words, thrown) if thrown["kind"] == "spawn" else []
    return [*said, words.text("thrown_unsure")] if thrown["unsure"] else said
