"""Writes the record of a table that has been played at for years: many evenings, each a game that was really played.

A few games are played with the rules; the evenings are copies of them with names, times and seeds of their own.
"""

import random
from datetime import UTC, datetime, timedelta

from companion.canonical import NO_HASH
from companion.cards.loader import pack_text
from companion.seeded_chance import SeededLuck
from companion.table.record.commit import Opening, begin
from companion.table.record.entries import written
from companion.table.record.record import Record

PLAYED = 10
PLAYERS = ("red", "blue", "green")
NAMES = ("Ada", "Bolesław", "Żaneta", "Dora", "Emil", "Faye")
LAST_ROUND = 90
"""From this entry on it is the last round, so that an evening has some hundred entries."""
TONIGHT = "tonight"
BEGAN = datetime(2020, 1, 1, 18, tzinfo=UTC)


class Played:
    """A journal that only remembers."""

    damage, broken, copy_is_behind, current, finished = [], False, False, None, None

    def __init__(self):
        self.games = {}

    def begin(self, game, body):
        self.games[game] = [written(game, 0, NO_HASH, "game", body)]
        return self.games[game][0]

    def append(self, game, kind, body):
        last = self.games[game][-1]
        self.games[game].append(written(game, last.nth + 1, last.hash, kind, body))
        return self.games[game][-1]

    def entries(self, game):
        return self.games[game]


def played(seed, entries=None):
    """The entries of one game: to its end, or only so many."""
    choice, luck, journal = random.Random(seed), SeededLuck(f"{seed}"), Played()
    setup = {"players": list(PLAYERS), "names": {colour: NAMES[(seed + at) % 6] for at, colour in enumerate(PLAYERS)}}
    game = begin(journal, Opening("game", "shelter", pack_text("standard"), setup, f"{seed}"), luck)
    while len(journal.entries("game")) != entries and (legal := game.open_game.game.legal_moves()):
        if len(journal.entries("game")) == LAST_ROUND:
            game.play(game.open_game.rules.read({"do": "correct", "set": {"last_round": True}}), luck, "host")
        else:
            game.play(choice.choice(legal), luck, "host")
    return journal.entries("game")


def copied(entries, game, seed, day):
    """The same game on another evening."""
    last = None
    for entry in entries:
        at = (BEGAN + timedelta(days=day, minutes=entry.nth)).isoformat()
        body = {**entry.body, "at": at} | ({"seed": seed} if entry.nth == 0 else {})
        last = written(game, entry.nth, NO_HASH if last is None else last.hash, entry.kind, body)
        yield last


def write_years(folder, games, tonight=40, unfinished=()):
    """Write so many evenings, some of them not played to their end, and tonight's game; return how many entries."""
    whole = [played(seed) for seed in range(PLAYED)]
    count = 0
    with Record(folder) as record:
        for number in range(games):
            entries = whole[number % PLAYED]
            entries = entries[: len(entries) // 2] if number in unfinished else entries
            evening = list(copied(entries, f"evening-{number:03}", f"seed-{number}", number))
            record.take_all(evening)
            count += len(evening)
        evening = list(copied(played(PLAYED, tonight), TONIGHT, "seed", games))
        record.take_all(evening)
    return count + len(evening)
