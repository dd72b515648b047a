"""A session and its record, as a test speaks to them."""

import itertools
from pathlib import Path

from companion.table.record.record import Record
from companion.table.session.intents import Speaker, StartGame, TableSeen, Tap
from companion.table.session.session import Session
from companion.table.sight.reading import Reading

WAIT = 30
RED = Speaker(frozenset({"red"}), name="red")
BLUE = Speaker(frozenset({"blue"}), name="blue")
SETUP = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red"}


class Table:
    """A session and its record, with what a test says to it."""

    def __init__(self, folder: Path, **parts):
        self.folder = folder
        self.parts = parts
        self.open()

    def open(self):
        self.record = Record(self.folder)
        numbers = itertools.count(len(self.record.games) + 1)
        self.session = Session(self.record, new_id=lambda: f"game-{next(numbers)}", **self.parts)
        self.session.start()

    def close(self):
        self.session.stop()
        self.record.close()

    def again(self):
        """As after the plug was pulled and put back."""
        self.close()
        self.open()

    def ask(self, intent):
        return self.session.ask(intent).result(WAIT)

    def start(self, **setup):
        return self.ask(StartGame({**SETUP, **setup}, seed="1"))

    def tap(self, do, speaker=None, **move):
        intent = Tap({"do": do, **move}) if speaker is None else Tap({"do": do, **move}, speaker)
        return self.ask(intent)

    def all_answered(self):
        """Take the first option of every choice until none is open."""
        while self.state["pending"]:
            choice = self.state["pending"][0]
            self.tap("choose", by=choice["by"], id=choice["id"], option=choice["options"][0])

    @property
    def state(self):
        return self.session.snapshots.latest.state


def reading_of(state, **changes):
    """What the camera sees when the table is as the record says."""
    raw = {
        "table": "found",
        "rooms": {
            f"{number}:{column}": {"card": card}
            for number, level in state["levels"].items()
            for column, card in level["rooms"].items()
        },
        "threats": {space: {"card": card} for space, card in state["threats"].items() if card != "unknown"},
        "tracks": {
            name: [None if card == "unknown" else card for card in row] for name, row in state["tracks"].items()
        },
        "dwellers": [
            figure(space, standing["by"], "lying" if dweller == "injured" else "standing")
            for space, standing in state["placed"].items()
            for dweller in standing["dwellers"]
        ],
        "unsure": [],
    }
    return {**raw, **changes}


def figure(space, player, pose="standing"):
    return {"space": space, "player": player, "pose": pose, "confidence": 0.99}


class Eye:
    """A table on which figures and cards are put, moved and taken, and a camera that looks at it."""

    def __init__(self, table):
        self.table = table
        self.now = 0.0
        self.lay()

    def lay(self):
        """Lay everything as the record says."""
        self.raw = reading_of(self.table.state)

    def put(self, *figures):
        self.raw["dwellers"] = [*self.raw["dwellers"], *(figure(*one) for one in figures)]

    def take(self, *spaces):
        self.raw["dwellers"] = [one for one in self.raw["dwellers"] if one["space"] not in spaces]

    def look(self, rest=10.0, asked=False, **changes):
        """Look twice, so that the table has rested."""
        reading = Reading.from_json({**self.raw, **changes})
        self.table.ask(TableSeen(reading, self.now, asked))
        self.now += rest
        answer = self.table.ask(TableSeen(reading, self.now, asked))
        self.now += rest
        return answer

    def follow(self):
        """Do on the table what the record says, and look."""
        self.lay()
        return self.look()

    @property
    def disagreements(self):
        return self.table.state["table"]["disagreements"]


def placed(table):
    """Whose dweller the record has on each space."""
    return {space: one["by"] for space, one in table.state["placed"].items()}
