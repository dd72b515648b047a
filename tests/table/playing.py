"""Plays scripted games at a table of its own and says each move on stdout once it is acknowledged: somebody to kill.

usage: playing.py FOLDER SEED GAME [BYTES]    (BYTES: how much more the files may grow, after which the disk is full)
"""

import random
import resource
import sys
from pathlib import Path

from companion.refusal import Refusal
from companion.table.record.record import Record
from companion.table.session.intents import AskLegal, StartGame, Tap
from companion.table.session.session import Session

WAIT = 60
EVERYBODY = frozenset({"red", "blue", "green", "yellow"})


def say(record, what="did"):
    entry = record.entries(record.current)[-1]
    sys.stdout.write(f"{what} {entry.game} {entry.nth} {entry.hash}\n")
    sys.stdout.flush()


def next_move(session, choice):
    """Something that may be done now."""
    moves = [offer.move for offer in session.question(AskLegal(eyes=EVERYBODY)).result(WAIT)]
    if not moves or choice.random() < 0.1:
        return {"do": choice.choice(["undo", "redo"])}
    return choice.choice(moves)


def play(session, record, choice, game):
    """One intent, acknowledged; refusals of undo and redo are part of the game."""
    if record.current is None or session.snapshots.latest.state["phase"] == "over" or choice.random() < 0.02:
        players = choice.sample(["red", "blue", "green", "yellow"], choice.randint(2, 4))
        intent = StartGame({"players": players}, plays=game, seed=str(choice.random()))
    else:
        intent = Tap(next_move(session, choice))
    try:
        session.ask(intent).result(WAIT)
    except Refusal as refusal:
        if refusal.code == "not_recorded":
            raise
        return
    say(record)


def until_killed(session, record, choice, game):
    while True:
        play(session, record, choice, game)


def until_full(session, record, choice, game, more):
    """Play on a disk that fills up; nothing that was not recorded may show; with room again, play goes on."""
    play(session, record, choice, game)
    size = max(file.stat().st_size for file in record.folder.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + more, resource.RLIM_INFINITY))
    refused = 0
    while refused < 5:
        before = session.snapshots.latest
        try:
            play(session, record, choice, game)
        except Refusal:
            refused += 1
            assert session.snapshots.latest.version == before.version
            assert session.snapshots.latest.state["devices"]["journal"]["state"] == "failing"
    say(record, "full")
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    for _ in range(10):
        play(session, record, choice, game)
    sys.stdout.write("done\n")


def main():
    folder, seed, game, *more = sys.argv[1:]
    record = Record(Path(folder))
    session = Session(record)
    session.start()
    choice = random.Random(seed)
    if more:
        until_full(session, record, choice, game, int(more[0]))
        session.stop()
        record.close()
    else:
        until_killed(session, record, choice, game)


if __name__ == "__main__":
    main()
