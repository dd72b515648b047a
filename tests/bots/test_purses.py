"""Purses: made when first needed, and no more of them kept than a small machine can hold."""

import itertools

from companion.bots.worth import purse
from companion.bots.worth.purse import Purses
from companion.bots.worth.weights import DEFAULT
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box

BOX = Box(builtin("standard"))


def test_an_evening_of_thinking_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(purse, "MOST_KNOWN", 10)
    purses, tracks = Purses(BOX, DEFAULT), list(itertools.combinations(range(6, 12), 3))
    tables = {track: purses.get(track, plan=True, late=False).table for track in tracks}
    assert len(purses._known) <= 10
    last = purses.get(tracks[-1], plan=True, late=False)
    assert last is purses.get(tracks[-1][::-1], plan=True, late=False)
    assert purses.get(tracks[0], plan=True, late=False).table == tables[tracks[0]]
