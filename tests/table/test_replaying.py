import json

import pytest

from benchmarks.tabling import write_long_record
from companion.cards import loader
from companion.cards.loader import pack_text
from companion.cards.pack import PackFaults
from companion.games.registry import game_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from companion.table.record.commit import Opening, begin
from companion.table.record.export import exported
from companion.table.record.open_game import replay
from companion.table.record.record import Record
from companion.table.record.verify import inspect
from companion.table.session.intents import Decide, EditCards, Speaker, StartGame
from tests.years import Played


def entries_of(table):
    return inspect(table.folder).games["game-1"]


def add(table, kind, body):
    """Write an entry as an older companion might have left it."""
    table.close()
    with Record(table.folder) as record:
        record.append("game-1", kind, body)
    table.open()


CRASHING = [
    ("move", {"move": {"do": "place", "by": "red", "space": "1:L3a"}}),
    ("move", {"move": {"do": "dance"}}),
    ("move", {}),
    ("move", {"move": {"do": "pass", "by": "blue"}, "chance": {"dice": [[1, 2]]}}),
    ("undo", {"to": 77}),
    ("no such kind", {}),
    ("cards", {"pack": {"hash": "other", "files": {}}}),
]


@pytest.mark.parametrize(("kind", "body"), CRASHING)
def test_an_entry_that_crashes_is_said_and_set_aside_on_demand(table, kind, body):
    table.start()
    table.tap("place", by="red", space="1:R1a")
    before = table.state
    add(table, kind, body)
    assert table.state["record"]["state"] == "trouble"
    assert table.state["record"]["trouble"]["nth"] == 2
    assert table.state["placed"] == before["placed"]
    with pytest.raises(Refusal) as refused:
        table.tap("pass", by="blue")
    assert refused.value.code == "set_aside_first"
    table.ask(Decide("set-aside"))
    assert table.state["record"]["state"] == "ok"
    assert (table.state["placed"], table.state["version"]) == (before["placed"], 3)
    table.tap("pass", by="blue")
    state = table.state
    table.again()
    assert table.state["placed"] == state["placed"]
    assert table.state["version"] == 4
    assert table.state["players"]["blue"]["passed"]
    table.tap("undo", to=2)
    assert not table.state["players"]["blue"]["passed"]
    assert replay(entries_of(table)).trouble is None


def test_the_host_decides_and_only_where_there_is_something_to_decide(table):
    table.start()
    for option, code in (
        ("set-aside", "nothing_to_set_aside"),
        ("keep-last-good", "nothing_damaged"),
        ("x", "no_such_option"),
    ):
        with pytest.raises(Refusal) as refused:
            table.ask(Decide(option))
        assert refused.value.code == code
    with pytest.raises(Refusal):
        table.ask(Decide("set-aside", speaker=Speaker(frozenset({"red"}))))


def test_a_first_entry_that_cannot_be_replayed_leaves_no_game(table):
    table.close()
    with Record(table.folder) as record:
        record.begin("game-1", {"plays": "chess", "setup": {}, "pack": {}})
    table.open()
    assert table.state["phase"] == "none"
    assert "no game 'chess'" in table.state["record"]["trouble"]["why"]
    table.start()
    assert table.state["record"]["state"] == "ok"


def overlay(tmp_path, text):
    file = tmp_path / "overlay.toml"
    file.write_text(text)
    return file


def test_a_card_edited_later_is_an_entry(table, tmp_path):
    table.start()
    table.ask(EditCards("standard", overlay(tmp_path, '[cards.water-treatment]\nleft = "free -> 3W"\n')))
    table.tap("place", by="red", space="1:R1a")
    assert table.state["players"]["red"]["resources"]["water"] == 3
    table.again()
    assert table.state["players"]["red"]["resources"]["water"] == 3
    table.tap("undo", to=0)
    table.tap("place", by="red", space="1:R1a")
    assert table.state["players"]["red"]["resources"]["water"] == 1
    assert [entry.kind for entry in entries_of(table)] == ["game", "cards", "move", "undo", "move"]


def test_a_game_keeps_the_cards_that_it_began_with(table, tmp_path):
    table.start()
    with pytest.raises(Refusal):
        table.ask(EditCards("standard", overlay(tmp_path, "[cards.raider]\ncopies = 9\n")))
    with pytest.raises(Refusal) as refused:
        table.ask(EditCards("standard", overlay(tmp_path, "[cards.raider]\ncopies = 'nine'\n")))
    assert "raider" in refused.value.message
    assert table.state["version"] == 0


def test_a_pack_is_kept_as_its_very_files(tmp_path):
    text = loader.pack_text("standard", overlay(tmp_path, '[cards.water-treatment]\nleft = "free -> 3W"\n'))
    again = loader.from_json(json.loads(json.dumps(text.as_json())))
    assert again == text
    assert again.pack() == text.pack()
    assert text.hash != loader.pack_text("standard").hash
    with pytest.raises(Refusal, match="not the one"):
        loader.from_json({**text.as_json(), "hash": "0"})
    with pytest.raises(Refusal, match="no pack"):
        loader.pack_text("no-such-pack")
    with pytest.raises(PackFaults):
        loader.pack_text(str(tmp_path))


def test_games_are_known_by_name():
    assert game_of("shelter").name == "shelter"
    with pytest.raises(Refusal):
        game_of(None)


@pytest.mark.parametrize(
    "setup",
    [
        {"players": ["red"]},
        {"players": ["red", "blue"], "levels": ["red"]},
        {"players": ["red", "blue"], "cards": "both"},
        {"players": ["red", "blue"], "decks": {"dogs": []}},
        {"players": ["red", "blue"], "decks": {"items": "all"}},
        {"players": ["red", "blue"], "colour": "red"},
        {"players": ["red", "blue"], "house_rules": {"none": True}},
        {"players": 7},
    ],
)
def test_a_game_that_cannot_begin_is_refused_and_not_recorded(table, setup):
    with pytest.raises(Refusal):
        table.ask(StartGame(setup))
    assert table.record.games == {}


def test_stacked_decks_and_discards(table):
    table.start(decks={"items": {"only": ["shotgun", "husky"]}, "rooms": ["garden"]}, discards={"threats": ["fire"]})
    assert table.state["tracks"]["items"] == ["shotgun", "husky"]
    assert table.state["tracks"]["rooms"][0] == "garden"
    assert table.state["discards"]["threats"] == 1
    table.again()
    assert table.state["tracks"]["items"] == ["shotgun", "husky"]


def begun_by(version, moves, **setup):
    """A game whose first entry says that rules of another version began it."""
    journal, luck = Played(), SeededLuck("1")
    recorded = begin(
        journal, Opening("game", "shelter", pack_text("standard"), {"players": ["red", "blue"], **setup}, "1"), luck
    )
    first = journal.entries("game")[0]
    journal.begin("game", {**first.body, "rules": version})
    for move in moves:
        journal.append("game", "move", {"move": move})
    assert first.body["rules"] == recorded.open_game.rules.version == 2
    return replay(journal.entries("game"))


RELAXED = [
    {"do": "place", "by": "red", "space": "3:L1a"},
    {"do": "place", "by": "blue", "space": "1:R1a"},
    {"do": "place", "by": "red", "space": "1:R1b"},
    {"do": "pass", "by": "blue"},
    {"do": "recall"},
]
"""Blue's income is still open when blue places and passes, and lapses at the recall."""
LEVEL = {"start": {"levels": {"3": {"rooms": {"L1": "garden"}}}}}


def test_m3_a_game_of_the_first_rules_is_replayed_as_it_was_played():
    old = begun_by(1, RELAXED, **LEVEL)
    assert old.trouble is None
    state = old.open_game.rules_state()
    assert (state["round"], state["options"]["house_rules"]) == (2, {})
    assert state["players"]["blue"]["resources"] == {"water": 1, "food": 0, "energy": 0}
    new = begun_by(2, RELAXED, **LEVEL)
    assert (new.trouble.nth, new.open_game.version) == (2, 1)


@pytest.mark.parametrize(("rules", "refused"), [({"income_late": False}, True), ({"happiness_limited": True}, False)])
def test_m3_a_game_of_the_first_rules_changes_its_income_by_name_alone(rules, refused):
    change = {"do": "correct", "set": {"options": {"house_rules": rules}}}
    found = begun_by(1, [change, *RELAXED], **LEVEL)
    assert (found.trouble is not None) == refused
    assert found.open_game.rules_state()["options"]["house_rules"] == {name: True for name, on in rules.items() if on}


def test_an_export_says_which_house_rules_were_agreed_on():
    journal = Played()
    setup = {"players": ["red", "blue"], "house_rules": {"income_late": True, "items_after_threats": True}}
    begin(journal, Opening("game", "shelter", pack_text("standard"), setup, "1"), SeededLuck("1"))
    assert "<p>House rules: income_late, items_after_threats.</p>" in exported("html", journal.entries("game"))
    told = json.loads(exported("json", journal.entries("game")))["state"]["options"]["house_rules"]
    assert told == setup["house_rules"]


def test_m3_an_income_that_is_always_taken_still_holds_up_the_recall_of_a_game_of_the_first_rules():
    found = begun_by(1, RELAXED, house_rules={"income_automatic": True}, **LEVEL)
    assert found.trouble.nth == len(RELAXED)
    assert found.open_game.rules_state()["phase"] == "recall"


def test_a_long_random_record_with_undos_is_replayed_as_it_was(tmp_path):
    """A move replayed takes its own dice, also where some of its rolls had fallen before and were undone."""
    write_long_record(tmp_path, 800)
    replayed = replay(inspect(tmp_path).games["long"])
    assert replayed.trouble is None
    assert replayed.open_game.version == 800
