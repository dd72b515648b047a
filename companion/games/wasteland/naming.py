"""What cards, tokens, spaces and factions are called in a language, for whoever reads or speaks of a game."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.blanks import is_blank
from companion.cards.wasteland.in_words import CATALOGUE
from companion.cards.wasteland.words import Faction
from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.wasteland.box import WastelandBox
    from companion.games.wasteland.position import WastelandPosition

QUEST: Final = "quest:"
"""Before the number of a quest, which has no id."""


@lru_cache(maxsize=16)
def printed_names(box: WastelandBox, language: str) -> Mapping[str, str]:
    """Return the names of a box's cards, tokens, survivors and tiles by their ids; an owner's stay as typed."""
    told = catalogues.card_texts(language, CATALOGUE)
    piles = (box.agendas, box.enemies, box.cards, box.perks, box.encounters, box.characters)
    names = {one.id: told.get(one.name, one.name) for pile in piles for one in pile}
    return names | {tile.id: tile.names.get(language) or tile.name for tile in box.tiles}


@lru_cache(maxsize=16)
def space_names(box: WastelandBox, language: str) -> Mapping[str, str]:
    """Return what the spaces of a box's tiles are called: by their own name, or by the tile and a number."""
    tiles = printed_names(box, language)
    return {
        space.id: space.names.get(language) or space.name or f"{tiles[tile.id]} {number}"
        for tile in box.tiles
        for number, space in enumerate(tile.spaces, 1)
    }


def named(game: WastelandPosition, thing: str, language: str) -> str | None:
    """Return what anything of a game is called; None for a card that nobody has entered."""
    if is_blank(thing):
        return None
    if thing in list(Faction):
        return faction(game, thing, language)
    box = game.box
    if thing.startswith(QUEST):
        return quest(box, int(thing.removeprefix(QUEST)), language)
    found = printed_names(box, language).get(thing) or space_names(box, language).get(thing)
    return found or thing.replace("-", " ")


def faction(game: WastelandPosition, mark: str, language: str) -> str | None:
    """Return what the scenario calls the faction of a mark; None where it does not say."""
    name = dict(zip(Faction, game.scenario.factions, strict=True)).get(Faction(mark), "")
    return catalogues.card_texts(language, CATALOGUE).get(name, name) or None


def quest(box: WastelandBox, number: int, language: str) -> str:
    """Return a quest's number, and its name where somebody has entered it."""
    card = box.quests.get(number)
    told = catalogues.card_texts(language, CATALOGUE)
    return str(number) if card is None or not card.name else f"{number}, {told.get(card.name, card.name)}"
