"""Real dice on the pages: what was thrown, how it is taken, or that it cannot be read: never the only answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from web.games.shelter import choices as options
from web.games.shelter.choices import ChoiceOption, OpenChoice
from web.games.shelter.icons import card_name

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.shelter.cards import PackCards

THE_STEP: Final = 0
"""The threat step is no choice of the rules: its box has a number that none of them has."""


def choices(words: Words, state: dict[str, Any], cards: PackCards, seats: frozenset[str]) -> list[OpenChoice]:
    """The open choices of these seats, real dice among the answers."""
    asked = options.choices(words, state, cards, seats)
    thrown = state["table"].get("dice")
    if thrown is None or not seats:
        return asked
    if thrown["kind"] == "spawn":
        return [*asked, _step(words, thrown)]
    return [_with_dice(words, cards, choice, thrown) if choice.id == thrown["id"] else choice for choice in asked]


def _with_dice(words: Words, cards: PackCards, choice: OpenChoice, thrown: dict[str, Any]) -> OpenChoice:
    """A fight's roll, or one that an item repeats."""
    taken = [_taking(words, cards, move) for move in thrown["moves"]]
    again = [_again(words, words.text("thrown_again"))] if taken else []
    notes = [words.text("thrown_unsure")] if thrown["unsure"] else []
    return replace(choice, options=[*taken, *choice.options, *again], notes=notes)


def _taking(words: Words, cards: PackCards, move: dict[str, Any]) -> ChoiceOption:
    one, other = move["dice"][0]
    if move["option"] == "roll":
        return ChoiceOption(words.text("thrown_take", one=one, other=other), move, sub=words.text("thrown_take_sub"))
    item = card_name(words, cards, move["option"].removeprefix("use:"))
    return ChoiceOption(
        words.text("thrown_use", item=item, one=one, other=other), move, sub=words.text("thrown_take_sub")
    )


def _again(words: Words, label: str) -> ChoiceOption:
    return ChoiceOption(label, {"do": "rethrow"}, sub=words.text("thrown_again_sub"), quiet=True)


def _step(words: Words, thrown: dict[str, Any]) -> OpenChoice:
    """The threat step: a throw a level, taken together."""
    levels, dice = thrown["levels"], thrown["dice"]
    notes = rows(words, thrown)
    rest = levels[len(dice) :]
    notes.append(words.text("thrown_next", level=rest[0]) if rest else words.text("thrown_all"))
    if thrown["unsure"]:
        notes.append(words.text("thrown_unsure"))
    label = words.text("thrown_take_some" if rest else "thrown_take_all")
    answers = [ChoiceOption(label, move, sub=words.text("thrown_take_sub")) for move in thrown["moves"]]
    if dice:
        answers.append(_again(words, words.text("thrown_again_level", level=levels[len(dice) - 1])))
    return OpenChoice(THE_STEP, "", "", words.text("thrown_spawn"), answers, "T1", notes=notes)


def rows(words: Words, thrown: dict[str, Any]) -> list[str]:
    """What has been thrown for each level so far."""
    return [
        words.text("thrown_level", level=level, one=one, other=other, sum=one + other)
        for level, (one, other) in zip(thrown["levels"], thrown["dice"], strict=False)
    ]


def on_screen(words: Words, state: dict[str, Any]) -> list[str]:
    """The same for the big screen, while nothing is taken yet."""
    thrown = state["table"].get("dice")
    if thrown is None:
        return []
    said = rows(words, thrown) if thrown["kind"] == "spawn" else []
    return [*said, words.text("thrown_unsure")] if thrown["unsure"] else said
