"""Conditions on cards, as far as the companion can see whether they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.types import Asks
from companion.cards.wasteland.words import EncounterIcon
from companion.games.wasteland.box import NO_CARD, card_of, letters_of
from companion.games.wasteland.map import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.cards.wasteland.types import Condition, WastelandCard
    from companion.games.wasteland.position import WastelandPosition


def cards_at(game: WastelandPosition, held: Iterable[int]) -> list[WastelandCard]:
    return [game.box.cards[card_of(one)] for one in held if one != NO_CARD]


def armor_of(game: WastelandPosition, seat: int) -> int:
    """Return the armor value of what is equipped, and of the character card: any card may have one (W-ITEM-9)."""
    survivor = game.survivors[seat]
    return sum(card.armor for card in cards_at(game, [*survivor.slots, survivor.beside]))


def count_of(game: WastelandPosition, seat: int, kind: str) -> int:
    """Return how many cards of a kind the survivor has."""
    return sum(card.kind.value == kind for card in cards_at(game, game.survivors[seat].held()))


def holds(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    """Return whether a condition holds; what only the table can see is taken to hold (manual, lead)."""
    return CHECKS[condition.asks](game, seat, condition)


def _has_trait(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return condition.word in game.survivors[seat].traits


def _lacks_trait(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return condition.word not in game.survivors[seat].traits


def _has_letters(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return set(condition.word) <= set(letters_of(game.survivors[seat].letters))


def _counts_letters(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return condition.low <= len(letters_of(game.survivors[seat].letters)) <= condition.high


def _has_caps(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return condition.low <= game.survivors[seat].caps <= condition.high


def _has_armor(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return condition.low <= armor_of(game, seat) <= condition.high


def _has_perks(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return condition.low <= len(game.survivors[seat].perks) <= condition.high


def _has_kind(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return count_of(game, seat, condition.word) > 0


def _has_equipped(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return any(card.kind.value == condition.word for card in cards_at(game, game.survivors[seat].slots))


def _is_at(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    """Compare with a space; without a map, one that the scenario does not name is for the table to check."""
    if game.map is not None:
        return game.survivors[seat].at == condition.word
    return game.survivors[seat].at == condition.word or condition.word not in named_spaces(game)


def _is_at_token(game: WastelandPosition, seat: int, condition: Condition) -> bool:
    return tokens.count(game, condition.word, game.survivors[seat].at) > 0


def _counts_tokens(game: WastelandPosition, _seat: int, condition: Condition) -> bool:
    return condition.low <= tokens.count(game, condition.word) <= condition.high


def _is_with_survivor(game: WastelandPosition, seat: int, _condition: Condition) -> bool:
    """Solo a settlement stands for the other survivor; without a map the table checks it (W-SOLO-1)."""
    found = game.map
    if len(game.seats) == 1 and found is not None:
        space = found.spaces.get(game.survivors[seat].at)
        return space is not None and space.encounter is EncounterIcon.SETTLEMENT
    others = [game.survivors[other].at for other in game.alive() if other != seat]
    return len(game.seats) == 1 or game.survivors[seat].at in others


def _for_the_table(_game: WastelandPosition, _seat: int, _condition: Condition) -> bool:
    return True


CHECKS: Final[dict[Asks, Callable[[WastelandPosition, int, Condition], bool]]] = {
    Asks.TRAIT: _has_trait,
    Asks.NOT: _lacks_trait,
    Asks.LETTER: _has_letters,
    Asks.LETTERS: _counts_letters,
    Asks.CAPS: _has_caps,
    Asks.ARMOR: _has_armor,
    Asks.PERKS: _has_perks,
    Asks.HAS: _has_kind,
    Asks.COUNT: _has_kind,
    Asks.EQUIPPED: _has_equipped,
    Asks.SPACE: _is_at,
    Asks.TOKEN: _is_at_token,
    Asks.TOKENS: _counts_tokens,
    Asks.WITH_SURVIVOR: _is_with_survivor,
    Asks.LEAD: _for_the_table,
    Asks.MANUAL: _for_the_table,
}


def known_spaces(game: WastelandPosition) -> list[str]:
    """Return all spaces of the map; without one those that the scenario names, then those that somebody told."""
    found = game.map
    if found is not None:
        return list(found.place_of)
    named = named_spaces(game)
    told = [token.at for token in game.enemies.values()] + [game.survivors[seat].at for seat in game.alive()]
    return [space for space in dict.fromkeys([*named, *told]) if space]


def named_spaces(game: WastelandPosition) -> list[str]:
    return [*game.scenario.start_spaces, *game.scenario.spaces]
