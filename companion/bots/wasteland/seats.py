"""Who has to decide in the second game, what a seat may do, and a guess of what nobody but others can know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.wasteland.box import COLOUR_NUMBER, ENEMIES, NOBODY, TURN
from companion.games.wasteland.legal import may_claim
from companion.games.wasteland.moves import WastelandMove, choose

if TYPE_CHECKING:
    import random

    from companion.games.wasteland.game import WastelandGame
    from companion.games.wasteland.position import AskedChoice

REVEAL: Final = WastelandMove("reveal")
DRAWN: Final = frozenset({"drawn", "agenda-shown", "own-letter"})
"""What lies on the real table: people say it, whoever is asked."""
LEFT_ALONE: Final = frozenset({"unequip", "loyalty", "offer", "answer"})
"""Legal moves that no bot makes: they undo what it did, or need another's word."""


def seat_of(colour: str) -> int:
    """Return the number by which the rules know a seat."""
    return COLOUR_NUMBER[colour]


def choice_of(game: WastelandGame, seat: int) -> AskedChoice | None:
    """Return the open choice, if it is this seat's and no card of a real deck has to be named."""
    if not game.pending or game.pending[0].by != seat or game.pending[0].kind in DRAWN:
        return None
    return game.pending[0]


def may_decide(game: WastelandGame, seat: int) -> bool:
    if game.pending:
        return choice_of(game, seat) is not None
    return game.phase == TURN and game.turn == seat


def who_decides(game: WastelandGame) -> int:
    """Return the seat that has to decide; NOBODY where the enemies are about to act, or people name a card."""
    if game.pending:
        return NOBODY if game.pending[0].kind in DRAWN else game.pending[0].by
    return game.turn if game.phase == TURN else NOBODY


def move_of_the_table(game: WastelandGame) -> WastelandMove | None:
    """Return the move where nobody has to decide: the enemy phase begins."""
    return REVEAL if game.phase == ENEMIES and not game.pending else None


def moves_of(game: WastelandGame, seat: int) -> list[WastelandMove]:
    """Return the legal moves of a seat that has to decide; in its turn with a claim that would hold."""
    if game.pending:
        return [choose(seat, option) for option in options_of(game)]
    found = [move for move in game.legal_moves() if move.by == seat and move.do not in LEFT_ALONE]
    if may_claim(game, seat):
        found.append(WastelandMove("claim", seat))
    return found


def options_of(game: WastelandGame) -> list[str]:
    """Return the options of the open choice."""
    from companion.games.wasteland.legal import options  # noqa: PLC0415 - beside the moves above

    return options(game, game.pending[0])


def guessed(game: WastelandGame, seat: int, source: random.Random) -> WastelandGame:
    """Return a copy to play on, with all that the seat cannot see dealt anew: decks, hands, facedown tokens, tiles."""
    twin = game.copy()
    twin.table_cards = False
    for deck in (twin.loot.cards, twin.assets.cards, twin.uniques, *twin.decks_of.values(), *twin.tile_stacks.values()):
        source.shuffle(deck)
    _deal_hands(twin, seat, source)
    for kind, pile in twin.stacks.items():
        unseen = [n for n, one in twin.enemies.items() if not one.seen and twin.box.enemies[one.kind].type is kind]
        tokens = pile.cards + [twin.enemies[n].kind for n in unseen]
        source.shuffle(tokens)
        pile.cards, hidden = tokens[: len(pile.cards)], tokens[len(pile.cards) :]
        for number, token in zip(unseen, hidden, strict=True):
            twin.enemies[number] = twin.enemies[number]._replace(kind=token)
    return twin


def _deal_hands(twin: WastelandGame, seat: int, source: random.Random) -> None:
    """Deal the agendas that the seat has not seen: the deck, and what others hold facedown."""
    hidden = [
        (other, place)
        for other in ([] if twin.ways.shared else twin.seats)
        for place in range(len(twin.survivors[other].hand))
        if other != seat and place != twin.survivors[other].revealed
    ]
    cards = twin.agendas.cards + [twin.survivors[other].hand[place] for other, place in hidden]
    source.shuffle(cards)
    for other, place in hidden:
        twin.survivors[other].hand[place] = cards.pop()
    twin.agendas.cards = cards
