"""A survivor board: both pegs on one track, letters with the XP peg, equipment, inventory, perks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import in_words
from companion.cards.wasteland.blanks import MANUAL, is_blank
from companion.cards.wasteland.words import LETTERS
from web.games.wasteland import learning

if TYPE_CHECKING:
    from companion.games.wasteland.box import WastelandBox
    from companion.games.wasteland.moves import WastelandMoveJson
    from companion.games.wasteland.state_types import HeldCard, SurvivorState, WastelandPrivate, WastelandState
    from web.base.words import Words
    from web.games.wasteland.names import Names


SLOTS: Final = ("weapon", "apparel", "companion")


@dataclass(frozen=True, slots=True)
class Hole:
    number: int
    hp: bool
    rads: bool
    left: bool
    """Whether it lies between the two pegs: that much HP remains."""


@dataclass(frozen=True, slots=True)
class LetterView:
    letter: str
    name: str
    owned: bool
    peg: bool


@dataclass(frozen=True, slots=True)
class HeldView:
    """A card that somebody has."""

    id: str
    name: str
    text: str
    exhausted: bool
    slot: str = ""
    learn: str = ""
    """Where it is entered, if nobody has."""


@dataclass(frozen=True, slots=True)
class SurvivorBoard:
    """Everything of one survivor that everybody may see."""

    colour: str
    name: str
    survivor: str
    track: list[Hole]
    hp: int
    hp_max: int
    rads: int
    remaining: int
    letters: list[LetterView]
    at_start: bool
    caps: int
    agendas: int
    influence: str
    """What everybody can tell of it, of what is needed."""
    loyal: str
    revealed: str
    traits: list[str]
    equipment: list[HeldView | None]
    inventory: list[HeldView]
    beside: HeldView | None
    perks: list[tuple[str, str, str]]
    space: str
    eliminated: bool
    on_turn: bool
    first: bool
    mine: bool


def board(words: Words, names: Names, state: WastelandState, colour: str, mine: frozenset[str]) -> SurvivorBoard:
    player = state["players"][colour]
    return SurvivorBoard(
        colour=colour,
        name=names.player(colour),
        survivor=names.of(player["survivor"]),
        track=track(player),
        hp=player["hp"],
        hp_max=player["hp_max"],
        rads=player["rads"],
        remaining=max(0, player["remaining"]),
        letters=[
            LetterView(one, words.text(f"wletter_{one}"), one in player["letters"], player["xp"] == one)
            for one in LETTERS
        ],
        at_start=player["xp"] == "start",
        caps=player["caps"],
        agendas=player["agendas"],
        influence=words.text("winfluence_least", n=player["influence"], of=state["needed"])
        if "needed" in state
        else "",
        loyal=names.faction(player["loyal"]) if player["loyal"] else "",
        revealed=names.of(player["revealed"]),
        traits=[
            words.text("wlocked", what=in_words.trait(words, one))
            if one in player.get("locked", ())
            else in_words.trait(words, one)
            for one in player["traits"]
        ],
        equipment=[held(words, names, player[slot], slot) for slot in SLOTS],
        inventory=[one for one in (held(words, names, card) for card in player["inventory"]) if one],
        beside=held(words, names, player["character_card"]),
        perks=[(perk, names.of(perk), perk_text(words, names, perk)) for perk in player["perks"]],
        space=names.space(player["space"]) if player["space"] else "",
        eliminated=player["eliminated"],
        on_turn=state["turn"] == colour,
        first=state["first"] == colour,
        mine=colour in mine,
    )


def boards(words: Words, names: Names, state: WastelandState, mine: frozenset[str]) -> list[SurvivorBoard]:
    return [board(words, names, state, colour, mine) for colour in state["order"]]


def track(player: SurvivorState) -> list[Hole]:
    """Return the holes from 0 to the maximum; rads push up from the left."""
    hp, rads = player["hp"], player["rads"]
    last = max(player["hp_max"], rads)
    return [Hole(number, number == hp, number == rads, rads < number <= hp) for number in range(last + 1)]


def held(words: Words, names: Names, card: HeldCard | None, slot: str = "") -> HeldView | None:
    if card is None:
        return None
    text = "" if is_blank(card["id"]) else text_of(words, names, card["id"])
    return HeldView(card["id"], names.of(card["id"]), text, card["exhausted"], slot, learning.of_item(card["id"]))


def text_of(words: Words, names: Names, card: str) -> str:
    """Return what is printed on an item or a companion."""
    box: WastelandBox = names.box
    return in_words.card(words, names, box.cards[box.card_number[card]]) if card in box.card_number else ""


def perk_text(words: Words, names: Names, perk: str) -> str:
    box = names.box
    return in_words.perk(words, names, box.perks[box.perk_number[perk]]) if perk in box.perk_number else ""


@dataclass(frozen=True, slots=True)
class AgendaView:
    place: int
    name: str
    lines: list[str]
    influence: int
    revealed: bool
    reveal: WastelandMoveJson | None
    question: str
    answer: int


@dataclass(frozen=True, slots=True)
class HandView:
    """The secrets of one seat."""

    cards: list[AgendaView]
    influence: int
    needed: int
    may_claim: bool
    shown: list[tuple[str, str]]
    """Agendas that a partner shows: whose, and which."""


def hand(words: Words, names: Names, state: WastelandState, colour: str, private: WastelandPrivate) -> HandView:
    """Return what `private` says, in words."""
    box = names.box
    window = state["turn"] == colour and state["actions"]["start_of_turn"] and not state["pending"]
    cards = []
    for one in private["hand"]:
        agenda = box.agendas[box.agenda_number[one["id"]]]
        reveal: WastelandMoveJson = {"do": "loyalty", "by": colour, "agenda": one["agenda"]}
        may = window and one["agenda"] in private["revealable"] and not one["revealed"]
        question = words.text("wblank_agenda") if one["ask"] == MANUAL else one["ask"] or ""
        lines = [] if is_blank(agenda.id) else in_words.agenda(words, names, agenda)
        cards.append(
            AgendaView(one["agenda"], names.of(agenda.id), lines, one["influence"], one["revealed"],
                 reveal if may else None, question, one["answer"])
        )  # fmt: skip
    shown = [(names.player(one["by"]), names.of(one["id"])) for one in private["shown"]]
    return HandView(cards, private["influence"], private["needed"], private["may_claim"], shown)
