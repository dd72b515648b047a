"""Corrections of a board: pegs, letters, traits, Caps and space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.cards.wasteland.words import LETTERS, Trait
from companion.games.naming import renamed
from companion.games.wasteland.corrections import fields
from companion.games.wasteland.survivor import hp
from companion.games.wasteland.words import COLOURS, LETTER_NUMBER, OTHER_SIDE, START_HOLE, owns
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.position import Position

DERIVED: Final = frozenset({"survivor", "remaining", "agendas", "loyal", "character_card", "eliminated"})
CARDS: Final = frozenset({"hand", "revealed", "weapon", "apparel", "companion", "inventory", "perks"})
PEGS: Final = frozenset({"name", "hp", "hp_max", "rads", "xp", "letters", "traits", "caps", "space"})


def pegs(game: Position, seat: int, board: dict[str, Any]) -> None:
    """Everything on a board but the cards."""
    survivor = game.survivors[seat]
    for key in board:
        if key not in PEGS | CARDS | DERIVED:
            raise fields.malformed(COLOURS[seat], key, "a part of a board")
    if "name" in board:
        game.names = renamed(game.names, COLOURS[seat], board["name"])
    if "hp_max" in board:
        survivor.hp_max = fields.whole(board["hp_max"], "hp_max", 1, 30, "W-HP-1")
    if "hp" in board:
        survivor.hp = fields.whole(board["hp"], "hp", 0, survivor.hp_max, "W-HP-1")
    if "rads" in board:
        survivor.rads = fields.whole(board["rads"], "rads", 0, hp.rads_max(game, seat), "W-HP-1")
    if "caps" in board:
        survivor.caps = fields.whole(board["caps"], "caps", 0, 9999, "W-CAPS-1")
    if "space" in board:
        survivor.at = fields.text(board["space"], "space")
    _letters_and_traits(game, seat, board)


def _letters_and_traits(game: Position, seat: int, board: dict[str, Any]) -> None:
    survivor = game.survivors[seat]
    if "letters" in board:
        _letters(game, seat, board["letters"])
    if "xp" in board:
        survivor.hole = _hole(survivor.letters, board["xp"])
    if "traits" in board:
        survivor.traits = _traits(board["traits"])


def _letters(game: Position, seat: int, raw: Any) -> None:
    """Tokens come from the supply and go back to it (W-LEVEL-2)."""
    survivor = game.survivors[seat]
    wanted = fields.letters(raw, "letters")
    for number, letter in enumerate(LETTERS):
        change = (letter in wanted) - owns(survivor.letters, letter)
        if change > game.supply[number]:
            raise Refusal("impossible", "W-XP-1", f"No token {letter} is left in the supply.", letter=letter)
        game.supply[number] -= change
    survivor.letters = sum(1 << LETTER_NUMBER[letter] for letter in wanted)


def _hole(letters: int, raw: Any) -> int:
    """The peg stands at the start or under a letter, even under one that was lost (A-19)."""
    if raw == "start":
        return START_HOLE
    if not isinstance(raw, str) or raw not in LETTER_NUMBER or not owns(letters, raw):
        raise fields.malformed("xp", raw, "start or an owned letter")
    return LETTER_NUMBER[raw]


def _traits(raw: Any) -> frozenset[Trait]:
    """At most one side of each token (W-TRAIT-2)."""
    found = set()
    for name in fields.texts(raw, "traits"):
        if name not in list(Trait):
            raise fields.malformed("traits", name, "one of " + ", ".join(Trait))
        found.add(Trait(name))
    if any(OTHER_SIDE[trait] in found for trait in found):
        raise Refusal("impossible", "W-TRAIT-2", "A token shows one side.", field="traits")
    return frozenset(found)


def refuse_if_impossible(game: Position, seat: int) -> None:
    """A killed survivor, too many agendas or a full bag cannot be (W-HP-3, W-AGENDA-2, W-ITEM-4)."""
    survivor, settings = game.survivors[seat], game.box.settings
    survivor.hp = min(survivor.hp, survivor.hp_max)
    if survivor.hp <= survivor.rads:
        raise Refusal("impossible", "W-HP-3", "HP is above rads, or the survivor is killed.", by=COLOURS[seat])
    if len(survivor.hand) > settings.agenda_limit:
        raise Refusal("impossible", "W-AGENDA-2", "That is above the limit of agendas.", by=COLOURS[seat])
    if len(survivor.inventory) > settings.inventory_limit:
        raise Refusal("impossible", "W-ITEM-4", "That is above the limit of the inventory.", by=COLOURS[seat])
