"""A hand of agendas, for its owner alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from web.games.wasteland import printed

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.wasteland.names import Names


@dataclass(frozen=True, slots=True)
class Card:
    """An agenda in the hand."""

    place: int
    name: str
    lines: list[str]
    influence: int
    revealed: bool
    reveal: dict[str, Any] | None
    question: str
    answer: int


@dataclass(frozen=True, slots=True)
class Hand:
    """The secrets of one seat."""

    cards: list[Card]
    influence: int
    needed: int
    may_claim: bool
    shown: list[tuple[str, str]]
    """Agendas that a partner shows: whose, and which."""


def hand(words: Words, names: Names, state: dict[str, Any], colour: str, private: dict[str, Any]) -> Hand:
    """What `private` says, in words."""
    box = names.box
    window = state["turn"] == colour and state["actions"]["start_of_turn"] and not state["pending"]
    cards = []
    for one in private["hand"]:
        agenda = box.agendas[box.agenda_number[one["id"]]]
        reveal = {"do": "loyalty", "by": colour, "agenda": one["agenda"]}
        may = window and one["agenda"] in private["revealable"] and not one["revealed"]
        lines = printed.agenda(words, names, agenda)
        cards.append(
            Card(one["agenda"], agenda.name, lines, one["influence"], one["revealed"], reveal if may else None,
                 one["ask"] or "", one["answer"])
        )  # fmt: skip
    shown = [(names.player(one["by"]), names.of(one["id"])) for one in private["shown"]]
    return Hand(cards, private["influence"], private["needed"], private["may_claim"], shown)
