"""Measure every page on phones: its smallest glyph and target, for nobody, a seat and the host, in both games."""

from __future__ import annotations

import http.client
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.seating import CHROMIUM, FLAGS, PHONES, measured
from companion.table.record.record import Record
from companion.table.session.intents import StartGame, Tap
from companion.table.session.session import Session
from tests.serving import Serving
from web.base.app import create_app

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flask import Flask
    from playwright.sync_api import BrowserContext, Page

    from benchmarks.seating import SeatFigures

PIN, TOKEN = "135790", "of-the-benchmark"
FOR_SCREENS: Final = ("/table",)
"""Nobody holds a big screen in their hand: it is measured as it is, and held to nothing here."""
SAMPLES: Final = {
    "card": "garden",
    "colour": "red",
    "kind": "agendas",
    "name": "a",
    "number": 1,
    "pack": "standard",
    "place": "1:R1a",
    "correct.form key": "red",
    "history.export kind": "html",
    "host.new_game game": "wasteland",
    "rules.one key": "living-room",
    "wasteland.card_routes-form place": "0",
    "wasteland.learn_routes-form kind": "card",
}
"""What stands in the places of an address, for one page alone where that is named before."""
NOWHERE: Final = "/nowhere"
MORE: Final = (NOWHERE, "/seat/yellow", "/seat/red?view=list", "/seat/red/at/items", "/seat/red/at/rooms")
STARTS: Final = ("", "?step=vault&plays_red=on&plays_blue=on&plays_green=on", "?step=cards&plays_red=on&plays_blue=on")
ALL_OPEN: Final = "for (const one of document.querySelectorAll('details')) one.open = true"
MOVES: Final = 120
SEED: Final = 4


def addresses(app: Flask, game: str, token: str) -> list[str]:
    """Return an address of every page that the application shows now, whatever it is about."""
    client, found = app.test_client(), []
    samples: dict[str, object] = {**SAMPLES, "game": game}
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule.startswith(("/api/", "/static/", "/demo/")):
            continue
        values = {name: samples.get(f"{rule.endpoint} {name}", samples.get(name)) for name in rule.arguments}
        if None in values.values():
            raise LookupError(f"what stands in {rule.rule}?")
        built = rule.build(values, append_unknown=False)
        with client.get(path := built[1] if built else "", headers={"Authorization": f"Bearer {token}"}) as answer:
            is_file = "Content-Disposition" in answer.headers
            if answer.mimetype == "text/html" and answer.status_code == http.client.OK and not is_file:
                found.append(path)
    return [*found, *MORE, *(f"/start{more}" for more in STARTS[1:])]


def walk(page: Page, base: str, paths: Iterable[str]) -> Iterator[tuple[str, str, SeatFigures]]:
    """Yield what is measured on each page with all of it open, on each phone."""
    for path in paths:
        page.goto(base + path)
        page.evaluate(ALL_OPEN)
        for width, height in PHONES:
            page.set_viewport_size({"width": width, "height": height})
            yield path, f"{width}x{height}", measured(page)


def play(session: Session, game: str, setup: dict[str, object]) -> str:
    """Play a game into its middle; return its id."""
    source = random.Random(SEED)
    session.ask(StartGame(setup, plays=game, seed="1")).result()
    for _ in range(MOVES):
        latest = session.snapshots.latest
        if latest is None or latest.position is None:
            raise AssertionError("a game that was begun has a position")
        rules, position = latest.position.rules, latest.position
        moves = [rules.write(move) for move in rules.legal(position.game, position.state()["players"])]
        if not moves:
            break
        session.ask(Tap(source.choice(moves))).result()
    latest = session.snapshots.latest
    return str(latest.state["id"]) if latest else ""


GAMES: Final[dict[str, dict[str, object]]] = {
    "shelter": {"players": ["red", "blue", "green"], "levels": ["red", "blue", "green"], "first": "red"},
    "wasteland": {
        "players": ["red", "blue"],
        "first": "red",
        "scenario": "the-salt-road",
        "survivors": {"red": "the-netmaker", "blue": "the-pilgrim"},
    },
}


def measure() -> dict[tuple[str, str, str], list[SeatFigures]]:
    """Return what was measured by game, page and phone, once for each reader; nothing where there is no browser."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - what is measured without it needs none
    except ImportError:
        return {}
    if not CHROMIUM.exists():
        return {}
    found: dict[tuple[str, str, str], list[SeatFigures]] = {}
    with tempfile.TemporaryDirectory() as folder, Record(Path(folder)) as record, sync_playwright() as playwright:
        session = Session(record)
        session.start()
        app = create_app(session, Path(folder), pin=PIN, token=TOKEN, pace=0)
        serving = Serving(app)
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        try:
            for game, setup in GAMES.items():
                number = play(session, game, setup)
                paths = addresses(app, number, TOKEN)
                for reader in ("nobody", "seat", "host"):
                    context = browser.new_context(locale="en")
                    let_in(context, serving.base, reader, app)
                    for path, phone, figures in walk(context.new_page(), serving.base, paths):
                        found.setdefault((game, path.replace(number, "<game>"), phone), []).append(figures)
                    context.close()
        finally:
            browser.close()
            serving.close()
            session.stop()
    return found


def let_in(context: BrowserContext, base: str, reader: str, app: Flask) -> None:
    """Make a browser the host's, a seat's, or nobody's."""
    access = app.extensions["companion"].access
    if reader == "host":
        context.request.post(f"{base}/api/host/login", form={"pin": PIN})
    elif reader == "seat":
        access.release("red")
        context.request.post(f"{base}/api/seats/red/claim", form={"code": access.code("red")})


def rows() -> list[tuple[str, str, str]]:
    """Return the rows of docs/measured.md: each page on both phones, the least of all readers, and what falls short."""
    found = measure()
    rows: list[tuple[str, str, str]] = []
    if not found:
        return [("every page: no Chromium and Playwright here", "", "not measured")]
    for game, path in dict.fromkeys((game, path) for game, path, _ in found):
        sizes: list[str] = []
        short: set[str] = set()
        for width, height in PHONES:
            every = found[game, path, f"{width}x{height}"]
            sizes.append(f"{min(one.glyph for one in every):.1f}, {min(one.target for one in every):.1f}")
            short |= {what for one in every for what in one.short}
        goal = "" if path in FOR_SCREENS else "11, 44"
        missed = f"; {len(short)} short, such as `{min(short)[:60].replace('|', ' ')}`" if short and goal else ""
        page = "a page that is not there" if path == NOWHERE else f"`{path}`"
        what = f"{game}, {page}: smallest glyph, target at 390x844; at 320x568 (px)"
        rows.append((what, goal, f"{'; '.join(sizes)}{missed}"))
    return rows
