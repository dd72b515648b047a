"""A session with its pages, as a test speaks to them."""

import itertools
import threading

from waitress import wasyncore

from companion.table.record import Record
from companion.table.session import Session
from web import locks
from web.app import create_app
from web.serving import bound, server_of

locks.COST = 2  # a hash that no test waits for

PIN, TOKEN = "246810", "a-token-for-tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
SETUP = {"players": ["red", "blue", "green"], "levels": ["red", "blue", "green"], "first": "red"}


class House:
    """A session with its pages, as tests speak to them."""

    def __init__(self, folder, **options):
        self.folder = folder
        self.now = 1000.0
        self.record = Record(folder)
        numbers = itertools.count(len(self.record.games) + 1)
        self.session = Session(self.record, new_id=lambda: f"game-{next(numbers)}")
        self.session.start()
        self.app = create_app(
            self.session, folder, pin=PIN, token=TOKEN, hosts={"table.local"}, clock=lambda: self.now, **options
        )
        self.access = self.app.extensions["companion"].access
        self.server = None

    def client(self):
        return self.app.test_client()

    def start(self, **setup):
        answer = self.client().post("/api/host/games", json={"setup": {**SETUP, **setup}}, headers=BEARER)
        assert answer.status_code == 200, answer.json

    def seated(self, *colours):
        client = self.client()
        for colour in colours:
            answer = client.post(f"/api/seats/{colour}/claim", json={"code": self.access.code(colour)})
            assert answer.status_code == 200, answer.json
        return client

    def tap(self, client=None, **move):
        headers = BEARER if client is None else {}
        return (client or self.client()).post("/api/moves", json=move, headers=headers)

    @property
    def state(self):
        return self.session.snapshots.latest.state

    def serve(self):
        self.listening = bound(0, "127.0.0.1")
        self.server = server_of(self.app, self.listening)
        self.running = threading.Thread(target=self.server.run, daemon=True)
        self.running.start()
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}"

    def close(self):
        self.session.stop()
        if self.server is not None:
            self.server.task_dispatcher.shutdown(timeout=10)
            # The sockets are closed by the thread that waits on them, not under its feet.
            self.server.trigger.pull_trigger(lambda: wasyncore.close_all(self.server._map, ignore_all=True))
            self.running.join(10)
            self.listening.close()
        self.record.close()
