"""Games for tests: boxes, tables, random play, and everything that a game holds."""

import random
from dataclasses import replace
from enum import Enum
from functools import cache

import pytest

from companion.cards.loader import builtin
from companion.games.shelter import position
from companion.games.shelter.cards.box import Box
from companion.games.shelter.cards.hand import Hand
from companion.games.shelter.position import FIELDS
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.together.wasteland import agreed_from_json
from companion.games.shelter.words import COLOURS, NO_CARD, UNKNOWN
from companion.refusal import Refusal
from companion.seeded_chance import QuickLuck, SeededLuck

NARROW = "narrow"
PACKS = ("standard", "homemade", NARROW)


def narrow(pack):
    """The pack with one space in every room, on the left and on the right by turns (V2)."""
    halved = [
        replace(card, spaces=(card.spaces[0], None) if number % 2 else (None, card.spaces[1]))
        for number, card in enumerate((*pack.top_level, *pack.rooms))
    ]
    top = len(pack.top_level)
    return replace(pack, top_level=tuple(halved[:top]), rooms=tuple(halved[top:]))


@cache
def box(name="standard"):
    return Box(narrow(builtin("standard")) if name == NARROW else builtin(name))


def a_game(players=2, *, pack="standard", seed=1, rules=(), real_decks=False, luck=None, together="", house_calls=()):
    table = TableSetup(list(COLOURS[:players]))
    table.rules = position.read_house_rules(dict.fromkeys(rules, True))
    table.rules.even_seats &= players in box(pack).head_starts
    table.real_decks = real_decks
    table.together = agreed_from_json(together) if together else None
    table.house_calls = tuple(house_calls)
    return new_game(box(pack), table, luck or SeededLuck(seed))


def random_walk(game, seed, steps=100_000):
    """Random legal moves; yields the game before each with the moves that were listed, until it is over."""
    source = random.Random(seed)
    luck = QuickLuck(source)
    for _ in range(steps):
        if game.result is not None:
            return
        listed = game.legal_moves()
        yield game, listed
        if game.result is None:
            game.play(source.choice(listed), luck)


def everything(game):
    """All that a game holds, comparable; cards under a choice included, events left out."""
    return {
        name: _plain(getattr(game, name))
        for name in FIELDS
        if name not in ("events", "box", "vault", "priced", "prices")
    } | {
        "rooms": list(game.vault.rooms),
        "threats": dict(game.vault.threats),
        "known": game.vault.known,
        "fresh": game.vault.fresh,
        "faces": [None if face is None else id(face) for face in game.vault.faces],
    }


def _plain(value):
    if isinstance(value, Hand):
        return value.cards
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return [(key, _plain(one)) for key, one in value.items()]
    kind = type(value)
    names = (
        getattr(kind, "__slots__", None) or getattr(kind, "__mypyc_attrs__", None) or getattr(value, "__dict__", None)
    )
    if names is None or isinstance(value, type | Enum):
        return value
    return {
        name: id(getattr(value, name)) if name in ("face", "program") else _plain(getattr(value, name))
        for name in names
    }


def cards_of(game, pile):
    """Every card of a pile, wherever it lies, unknown ones left out (they are still counted in the deck)."""
    found = game.decks[pile] + game.discards[pile]
    if pile == 0:
        found = found + list(game.tracks[0]) + [card >> 1 for hand in game.hands for card in hand.cards]
    elif pile == 1:
        found = found + list(game.tracks[1]) + [kind for kind in game.vault.rooms[7:] if kind != NO_CARD]
    else:
        found = found + list(game.vault.threats.values())
    return sorted(card for card in found if card != UNKNOWN)


def problem(call, *given):
    """The code, the clause and the field of a refusal."""
    with pytest.raises(Refusal) as caught:
        call(*given)
    refusal = caught.value
    return refusal.code, refusal.clause, refusal.fields.get("field")
