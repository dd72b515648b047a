"""Bots in words: who plays which seat, where a bot's dweller goes, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.bots.policy import reason_texts
from companion.bots.policy.characters import CHARACTERS
from web.games.shelter.icons import card_name, room_name, side_name
from web.pages.play.people import name_of

if TYPE_CHECKING:
    from web.base.words import Words
    from web.pages.cards.view import Cards


@dataclass(frozen=True, slots=True)
class Said:
    """What a bot asks people to do for it."""

    colour: str
    who: str
    figure: str
    place: str
    level: int
    why: str
    wears: str


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat, and who sits there: a character, or nothing for a person."""

    colour: str
    name: str
    character: str


def said(words: Words, state: dict[str, Any], cards: Cards) -> Said | None:
    """The figure that a bot waits for."""
    one = state["suggestion"]
    if one is None:
        return None
    move = one["move"]
    space, side = move["space"], side_name(words, move["space"])
    threat = state["threats"].get(space)
    place = [card_name(words, cards, threat)] if threat else []
    place += [room_name(words, state, cards, space), side]
    return Said(
        colour=one["by"],
        who=name_of(words, state, one["by"]),
        figure=_figure(words, move.get("dwellers", ["plain"])),
        place=", ".join(part for part in place if part),
        level=int(space.split(":")[0]),
        why=because(words, cards, one["reason"]),
        wears=", ".join(card_name(words, cards, item) for item in move.get("use", ())),
    )


def _figure(words: Words, dwellers: list[str]) -> str:
    """Which figure: one does not say plain."""
    if len(dwellers) > 1:
        return words.text("bot_two_figures")
    dweller = dwellers[0]
    if dweller.startswith("injured"):
        return words.text("bot_injured_figure")
    return words.text("bot_figure") if dweller == "plain" else words.text("bot_trained_figure", letter=dweller)


def because(words: Words, cards: Cards, reason: dict[str, Any]) -> str:
    """Why, in the reader's language."""
    return reason_texts.because(words.language, reason, lambda card: card_name(words, cards, card))


def chairs(words: Words, state: dict[str, Any]) -> list[Chair]:
    """Every seat of the game, and who plays it."""
    return [
        Chair(colour, name_of(words, state, colour), player.get("bot") or "")
        for colour, player in state["players"].items()
    ]


def character(words: Words, name: str) -> str:
    """A character, as a family calls it."""
    return words.text(f"bot_{name}") if name in CHARACTERS else words.text("bot_nobody")
