"""A data folder that an earlier version has written: today's opens it, replays it, and goes on with it.

`tests/old_version/home.tar.xz` was written by the version of 2026-11-19 04:08 through its session, and beside it
stands what that version itself said of every game: its state, and its exports to the letter. It is never made anew.
"""

import json
import tarfile
from pathlib import Path

import pytest
from at_the_table import Table

from companion.cards.loader import pack_text
from companion.refusal import Refusal
from companion.table.record.export import as_journal, exported
from companion.table.record.open_game import replay
from companion.table.record.verify import inspect, of_journal
from companion.table.session.intents import AskLegal, ChooseGame, Tap, Thaw
from companion.vision.profile import load_profile
from web.base.access import Access

ARCHIVE = Path(__file__).parent.parent / "old_version" / "home.tar.xz"
GAMES = ("game-1", "game-2", "game-3")
WAIT = 30


def as_today(plays, state):
    """What that version said of a game, and what versions since then say besides: bots sit in the wasteland too."""
    if plays == "wasteland":
        for player in state["players"].values():
            player["bot"] = None
    return state


@pytest.fixture
def home(tmp_path):
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "home"


@pytest.fixture
def expected(home):
    return json.loads((home.parent / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture
def table(home):
    made = Table(home)
    yield made
    made.close()


def test_it_holds_every_kind_of_entry(home):
    found = inspect(home)
    assert (found.damage, found.behind) == ([], [])
    kinds = {"game", "move", "undo", "redo", "cards", "frozen", "ignored", "bot", "resumed", "aside"}
    assert {entry.kind for entry in found.order} == kinds
    assert {found.games[game][0].body["plays"] for game in GAMES} == {"shelter", "wasteland"}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_replayed_as_it_was(home, expected, game):
    replayed, wanted = replay(inspect(home).games[game]), expected["games"][game]
    assert replayed.trouble is None
    open_game = replayed.open_game
    assert json.loads(json.dumps(open_game.state())) == as_today(open_game.rules.name, wanted["state"])
    assert (open_game.aside, sorted(open_game.ignored)) == (wanted["aside"], wanted["ignored"])
    assert (open_game.bots, open_game.frozen) == (wanted["bots"], wanted["frozen"])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["json", "csv", "html"])
def test_every_export_is_the_same_to_the_letter(home, expected, game, kind):
    entries, wanted = inspect(home).games[game], expected["games"][game]["exports"][kind]
    if kind == "json":
        said = json.loads(wanted)
        said["state"] = as_today(entries[0].body["plays"], said["state"])
        wanted = json.dumps(said, indent=1, ensure_ascii=False) + "\n"
    assert exported(kind, entries) == wanted


@pytest.mark.parametrize("game", GAMES)
def test_an_exported_journal_reads_back(home, tmp_path, game):
    entries = inspect(home).games[game]
    (tmp_path / "out").write_text(as_journal(entries), encoding="utf-8")
    assert of_journal(tmp_path / "out").order == entries


def test_the_session_takes_it_up(table, expected):
    state, wanted = table.state, expected["table"]
    assert state["record"] == {"state": "ok", "damage": [], "trouble": None}
    assert {key: state[key] for key in ("phase", "version", "id", "odds")} == {
        key: wanted[key] for key in ("phase", "version", "id", "odds")
    }
    assert {key: state["table"][key] for key in ("way", "rest", "voice", "language")} == {
        key: wanted[key] for key in ("way", "rest", "voice", "language")
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_game_goes_on(table, game):
    table.ask(ChooseGame(game))
    if table.state["phase"] == "frozen":
        table.ask(Thaw())
    version = table.state["version"]
    eyes = frozenset(table.state["players"])
    offer = table.session.question(AskLegal(eyes=eyes)).result(WAIT)[0]
    table.ask(Tap(offer.move))
    table.tap("undo")
    table.tap("redo")
    assert table.state["version"] == version + 3
    state = table.state
    table.again()
    assert {**table.state, "seq": 0} == {**state, "seq": 0, "devices": {}}
    table.tap("undo", to=0)
    with pytest.raises(Refusal):
        table.tap("undo", to=10_000)


def test_the_seats_are_still_taken(home, expected):
    access = Access(home)
    assert access.speaker({"seats": {"red": expected["secret"]}}).seats == {"red"}
    assert access.is_free("blue")


def test_the_profile_and_the_owners_pack_still_open(home):
    assert load_profile(home / "profile.json").cards
    assert pack_text(str(home / "packs" / "ours"), None).pack().items
    assert pack_text("standard", str(home / "overlay.toml")).pack().items
