"""A box of which nobody entered a card: cards are named as they come, and a replay knows them too."""

import json

import pytest

from companion.cards.wasteland import loader
from companion.games.timeline import Timeline
from companion.games.wasteland import moves
from companion.games.wasteland.box import WastelandBox
from companion.games.wasteland.game import WastelandTable, new_game
from companion.games.wasteland.state import private_of, state_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .laws import problems
from .play import random_walk, walked

FIRST = {0: "vault-dweller", 1: "ghoul"}
PIPE = {"id": "pipe-gun", "name": "Pipe Gun", "deck": "loot", "kind": "weapon", "letters": "A"}
ROACH = {"id": "roach", "name": "Roach", "type": "critter", "level": 1, "areas": ["legs"], "abilities": ["loot"]}


def the_skeleton():
    return WastelandBox(loader.load("skeleton.toml", loader.skeleton().encode()))


def a_game(players=2, seed=1, survivors=FIRST):
    table = WastelandTable(tuple(range(players)), "the-commonwealth", first=0)
    table.survivors = survivors
    return new_game(the_skeleton(), table, SeededLuck(seed))


def begun(**table):
    """A game at its first turn: letters are told, and blanks stand for the rest."""
    game = a_game(**table)
    while game.phase == 0:
        answer(game, asked(game)["options"][0])
    return game


def play(game, **move):
    return game.play(moves.read(move), SeededLuck(3))


def asked(game):
    return state_of(game)["pending"][0]


def answer(game, option):
    by = {"by": asked(game)["by"]} if asked(game)["by"] else {}
    play(game, do="choose", id=asked(game)["id"], option=option, **by)


def test_decks_have_the_size_of_the_box():
    game = begun()
    state = state_of(game)
    assert state["decks"]["loot"] == 34
    assert state["decks"]["assets"] == 21
    assert state["shop"] == ["unknown-asset"] * 4
    assert state["encounters"] == {"settlement": 8, "wasteland": 8}
    assert state["decks"]["agendas"] == 17
    assert len(state["perks"]) == 14
    assert state["quests"] == [14]
    assert {one["id"] for one in state["enemies"].values()} == {"unknown-shield"}


def test_a_drawn_card_is_named_and_known_from_then_on():
    game = begun()
    play(game, do="result", by="red", results=["draw loot 2"])
    assert asked(game)["options"] == ["unknown-loot"]
    play(game, do="learn", kind="card", record=PIPE)
    assert asked(game)["kind"] == "drawn"  # the second card
    assert asked(game)["options"] == ["unknown-loot"]
    answer(game, "unknown-loot")
    answer(game, "equip")
    red = state_of(game)["players"]["red"]
    assert red["weapon"]["id"] == "pipe-gun"
    assert [card["id"] for card in red["inventory"]] == ["unknown-loot"]
    assert state_of(game)["decks"]["loot"] == 32
    play(game, do="learn", by="red", kind="card", record={**PIPE, "id": "mask", "name": "Mask", "kind": "apparel"})
    assert [card["id"] for card in state_of(game)["players"]["red"]["inventory"]] == ["mask"]
    assert problems(game) == []


def test_a_token_is_entered_when_it_turns_up_and_fought_as_it_is_printed():
    game = begun()
    play(game, do="enemy", type="critter", at="crossroads-camp")
    assert asked(game)["about"]["pile"] == "critter"
    play(game, do="learn", kind="enemy", record=ROACH)
    enemy = next(one for one in state_of(game)["enemies"].values() if one["type"] == "critter")
    assert (enemy["id"], enemy["level"]) == ("roach", 1)
    assert state_of(game)["stacks"]["critter"] == 5


def test_a_faction_token_is_entered_in_the_middle_of_its_fight():
    game = begun()
    play(game, do="enemy", type="shield", at="crossroads-camp")
    number = next(int(one) for one, token in state_of(game)["enemies"].items() if token["space"] == "crossroads-camp")
    play(game, do="fight", by="red", enemy=number)
    synth = {"id": "synth", "name": "Synth", "type": "shield", "level": "X", "areas": ["head"], "abilities": []}
    play(game, do="learn", by="red", kind="enemy", record=synth)
    assert state_of(game)["contest"]["enemy"] == "synth"
    assert {one["id"] for one in state_of(game)["enemies"].values()} == {"synth"}
    assert problems(game) == []


def test_an_encounter_is_read_entered_by_its_option_and_played_by_it():
    game = begun()
    play(game, do="encounter", by="red", icon="wasteland", level=1)
    answer(game, "unknown-wasteland")
    assert asked(game)["kind"] == "encounter"
    card = {
        "id": "the-well",
        "name": "Studnia",
        "back": "wasteland",
        "open": True,
        "option": [{"results": ["caps 2", "trash"]}],
    }
    play(game, do="learn", by="red", kind="encounter", record=card)
    assert (asked(game)["kind"], asked(game)["options"]) == ("option", ["1", "read"])
    before = state_of(game)["players"]["red"]["caps"]
    answer(game, "1")
    assert state_of(game)["players"]["red"]["caps"] == before + 2
    assert state_of(game)["encounters"]["wasteland"] == 7


def test_a_library_card_knows_its_deck_by_its_number():
    game = begun()
    play(game, do="result", by="red", results=["add 47"])
    assert state_of(game)["pending"] == []
    assert state_of(game)["encounters"]["wasteland"] == 9
    play(game, do="encounter", by="red", icon="wasteland", level=1)
    assert "library-47" in asked(game)["options"]
    answer(game, "library-47")
    assert asked(game)["kind"] == "encounter"
    assert state_of(game)["encounter"]["card"] == "library-47"


def test_a_quest_is_entered_when_somebody_carries_it_out():
    game = begun()
    play(game, do="quest", by="red", quest=14, objective=1)
    assert asked(game)["kind"] == "quest-card"
    record = {"number": 14, "name": "Fourteen", "open": True, "objective": [{"results": ["power star 1", "xp 1"]}]}
    play(game, do="learn", by="red", kind="quest", record=record)
    assert state_of(game)["power"]["star"] == 1
    assert moves.WastelandMove("quest", 0, quest=14, objective=2) in game.legal_moves()  # the rest is still by hand


def test_real_agendas_activate_what_is_told_and_their_owners_say_what_they_count():
    game = begun()
    play(game, do="answer", by="red", agenda=1, count=3)
    assert private_of(game, 0)["influence"] == 3
    for by in ("red", "blue"):
        play(game, do="end", by=by)
    play(game, do="reveal")
    assert asked(game)["kind"] == "agenda-shown"
    play(game, do="learn", kind="agenda", record={"id": "payday", "name": "Payday", "activates": ["critter", "shield"]})
    assert state_of(game)["phase"] in ("enemies", "turn")
    while state_of(game)["phase"] == "enemies":
        answer(game, asked(game)["options"][0])
    state = state_of(game)
    assert state["decks"]["agendas"] + state["discards"]["agendas"] + 2 == 19
    for by in ("red", "blue"):
        play(game, do="end", by=by)
    play(game, do="reveal")
    assert asked(game)["options"] == ["payday", "unknown-agenda"]


def test_loyalty_to_a_faction_on_a_real_agenda():
    game = begun()
    play(game, do="loyalty", by="red", agenda=1)
    answer(game, "shield")
    assert state_of(game)["players"]["red"]["loyal"] == "shield"


def test_a_pack_without_blanks_learns_too_and_nothing_under_way_is_disturbed():
    game = walked(3, steps=0, players=2, scenario="low-tide", survivors={0: "the-netmaker", 1: "the-pilgrim"})
    by = state_of(game)["turn"]
    play(game, do="test", by=by, letters="S", difficulty=2)
    for kind, record in (("enemy", ROACH), ("card", PIPE), ("quest", {"number": 77, "name": "N", "open": True})):
        play(game, do="learn", kind=kind, record=record)
    assert state_of(game)["contest"]["kind"] == "test"
    assert asked(game)["kind"] == "test"
    assert problems(game) == []


def test_what_was_learned_is_in_the_record_and_undone_with_it():
    line = Timeline(begun())
    line.play(moves.read({"do": "result", "by": "red", "results": ["draw loot 1"]}), SeededLuck(1))
    line.play(moves.read({"do": "learn", "kind": "card", "record": PIPE}), SeededLuck(1))
    again = Timeline(begun())
    for move, outcome in line.moves():
        again.replay(moves.read(json.loads(json.dumps(move.as_json()))), outcome)
    assert state_of(again.game) == state_of(line.game)
    line.undo()
    assert asked(line.game)["options"] == ["unknown-loot"]


@pytest.mark.parametrize(
    ("record", "fault"),
    [({**PIPE, "kind": "cow"}, "kind"), ({**PIPE, "id": "unknown-gun"}, "blank"), ({"id": "x"}, "no name")],
)
def test_a_card_with_faults_is_refused_and_changes_nothing(record, fault):
    game = begun()
    before = state_of(game)
    with pytest.raises(Refusal) as refused:
        play(game, do="learn", kind="card", record=record)
    assert any(fault in one for one in refused.value.fields["faults"])
    assert state_of(game) == before


@pytest.mark.parametrize("seed", range(4))
def test_a_game_that_nobody_enters_anything_of_can_be_played(seed):
    game = begun(players=1 + seed % 4, seed=seed, survivors={})
    for _, _ in random_walk(game, seed, steps=160):
        assert problems(game) == []
