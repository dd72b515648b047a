"""Bots in words: who plays which seat, where a bot's dweller goes, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.bots.policy import reason_texts
from companion.bots.policy.characters import CHARACTERS
from web.base.words import name_of
from web.games.shelter import odds
from web.games.shelter.cards import cards_in_play
from web.games.shelter.icons import card_name, room_name, side_name

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.port import Reader
    from web.games.shelter.cards import PackCards


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


def said(words: Words, state: dict[str, Any], cards: PackCards) -> Said | None:
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


def because(words: Words, cards: PackCards, reason: dict[str, Any]) -> str:
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


@dataclass(frozen=True, slots=True)
class BotsAndOdds:
    """What bots and odds add to a page; worked out where a template asks for it."""

    reader: Reader

    @property
    def cards(self) -> PackCards:
        return cards_in_play(self.reader.context)

    def said(self) -> Said | None:
        return said(self.reader.words, self.reader.state, self.cards)

    def chair(self, colour: str) -> Chair | None:
        return next((one for one in chairs(self.reader.words, self.reader.state) if one.colour == colour), None)

    def character(self, name: str) -> str:
        return character(self.reader.words, name)

    def fights(self) -> list[odds.FightOdds]:
        """The fights that wait for a roll."""
        return odds.fights_now(self.reader.words, self.reader.snapshot, self.cards)

    def fights_of(self, colour: str) -> list[odds.FightOdds]:
        """The fights that a seat could begin now."""
        state = self.reader.state
        if state["turn"] != colour or state["phase"] != "place":
            return []
        legal = self.reader.context.legal(colour)
        places = dict.fromkeys(offer.move["space"] for offer in legal if offer.move["do"] == "place")
        return odds.fights_open(self.reader.words, self.reader.snapshot, self.cards, colour, list(places))

    def columns(self) -> list[odds.Column]:
        return odds.columns(self.reader.snapshot)

    def dangers(self) -> list[odds.Danger]:
        return odds.dangers(self.reader.words, self.reader.snapshot, self.cards)

    def bar(self) -> odds.Bar | None:
        """Everybody's chance to win."""
        return odds.bar(self.reader.words, self.reader.state)
