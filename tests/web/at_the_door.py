"""A session with its pages, as a test speaks to them."""

import itertools
import re
from dataclasses import replace
from hashlib import sha256

from jinja2 import BytecodeCache
from werkzeug.routing import Rule

from companion.table.record.record import Record
from companion.table.session.intents import StartGame, TableSeen
from companion.table.session.session import Session
from companion.table.sight.reading import Reading
from tests.serving import Serving
from web.base import access
from web.base.app import create_app

access.COST = 2  # a hash that no test waits for

PIN, TOKEN = "246810", "a-token-for-tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
SETUP = {"players": ["red", "blue", "green"], "levels": ["red", "blue", "green"], "first": "red"}


def tight(page):
    """Return a page as if no template had a line break: nothing beside a tag, one space between attributes."""
    return re.sub(r"\s*(<[^>]*>)\s*", lambda tag: " ".join(tag[1].split()), page)


def weight_of(client, path):
    """A page and everything that its HTML names."""
    page = client.get(path)
    loaded = set(re.findall(r'(?:href|src)="(/static/[^"?]*)\?v=[0-9a-f]{8}"', page.text))
    assert {"/static/table.css", "/static/table.js"} <= loaded
    return len(page.data) + sum(len(client.get(one).data) for one in loaded)


class Compiled(BytecodeCache):
    """The templates of all apps of a run, compiled once; each app would compile them again."""

    def __init__(self):
        self.kept = {}

    def load_bytecode(self, bucket):
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket):
        self.kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()


def compiled_once(compile_builder, kept={}):  # noqa: B006 - remembered
    """Compile how an address is written once for the apps of a run: all of them have the same addresses."""

    def builder(rule, append_unknown=True):
        key = (rule.rule, rule.endpoint, append_unknown)
        if key not in kept:
            kept[key] = compile_builder(rule, append_unknown)
        return kept[key]

    return builder


Rule._compile_builder = compiled_once(Rule._compile_builder)


class SeededSession(Session):
    """Its games follow from their numbers, whoever begins them: a test plays the same game every time."""

    def __init__(self, record):
        numbers = itertools.count(len(record.games) + 1)
        super().__init__(record, new_id=lambda: f"game-{next(numbers)}")

    def ask(self, intent):
        if isinstance(intent, StartGame) and intent.seed is None:
            intent = replace(intent, seed=f"game-{2 * len(self._state.journal.games) + 2}")
        return super().ask(intent)


def promising(record):
    """A session whose games are promised, with the same secrets every time."""
    numbers = itertools.count(len(record.games) + 1)
    return Session(
        record,
        new_id=lambda: f"game-{next(numbers)}",
        new_secret=lambda: sha256(b"secret %d" % next(numbers)).hexdigest(),
    )


class House:
    """A session with its pages, as tests speak to them."""

    def __init__(self, folder, *, pace=0.0, promised=False, **options):
        """`pace` is that of the scenes that all pages show together: most tests look at the page behind them.

        `promised`: chance is promised as at a table.
        """
        self.folder = folder
        self.now = 1000.0
        self.record = Record(folder)
        self.session = promising(self.record) if promised else SeededSession(self.record)
        self.session.start()
        self.app = create_app(
            self.session,
            folder,
            pin=PIN,
            token=TOKEN,
            hosts={"table.local"},
            clock=lambda: self.now,
            pace=pace,
            **options,
        )
        self.app.jinja_env.bytecode_cache = COMPILED
        self.access = self.app.extensions["companion"].access
        self.serving = None

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

    def passing_hands(self, times=20):
        """Hands that come and go over a watched table."""
        for _ in range(times):
            for hand in (True, False):
                reading = Reading.from_json({"table": "found", "hand": hand})
                self.session.ask(TableSeen(reading, 0.0)).result(20)

    def tap(self, client=None, **move):
        headers = BEARER if client is None else {}
        return (client or self.client()).post("/api/moves", json=move, headers=headers)

    @property
    def state(self):
        return self.session.snapshots.latest.state

    def serve(self, **options):
        self.serving = Serving(self.app, **options)
        return self.serving.base

    def close(self):
        self.session.stop()
        if self.serving is not None:
            self.serving.close()
        self.record.close()
