"""A table with bots, as a test speaks to it: it waits for what it looks for, and never looks twice for nothing."""

from companion.bots.policy.budget import Budget
from companion.table.bots.bot_thread import BotThread
from companion.table.session.intents import ChangeSettings, SeatBot

LONG = 120


class Bots:
    """The bots of a table, started beside its session; where no camera looks they play at once."""

    def __init__(self, table, walks=4, **more):
        self.table = table
        table.ask(ChangeSettings(bots_wait=False))
        self.thread = BotThread(table.session, budget=Budget(walks=walks), **more)
        self.thread.start()

    def seat(self, colour, character, **more):
        return self.table.ask(SeatBot(colour, character, **more))

    def until(self, happens, timeout=LONG):
        """The first state from now on in which something is the case."""
        snapshots, seq = self.table.session.snapshots, -1
        while True:
            found = snapshots.newer_than(seq, timeout)
            assert found is not None, (snapshots.latest.state, self.thread._thinking)
            if happens(found.state):
                return found.state
            seq = found.seq

    def close(self):
        self.thread.close()


def events(table, kind):
    """Every event of a kind that readers still remember."""
    remembered = table.session.snapshots.all_newer_than(0, 0)
    return [event for snapshot in remembered for event in snapshot.events if isinstance(event, kind)]
