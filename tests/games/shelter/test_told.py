"""What people are told in the scenarios: each refusal has its sentence, and each open choice names its clause."""

import json
from functools import cache
from pathlib import Path

import pytest

from companion.cards.loader import pack_text
from companion.games import scenario
from companion.games.shelter import adapter
from companion.games.shelter import moves as m
from companion.games.shelter.state import state_of
from companion.languages import catalogues
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .laws import untold
from .play import a_game, problem, random_walk

FOLDER = Path(__file__).parents[2] / "scenarios"
CLAUSES_OF = {
    "income": {"M1"},
    "resource": {"Q2"},
    "pay-resource": {"Q2"},
    "item": {"I1"},
    "build": {"B1"},
    "discount": {"I2"},
    "pay-item": {"I4"},
    "fight": {"G1"},
    "reroll": {"I2"},
    "exchange": {"Q4"},
    "ready": {"I3"},
    "heal": {"J3"},
    "letter": {"A1"},
    "drawn": {"I6", "B7", "T5"},
}


@pytest.fixture(scope="module")
def played():
    """The refusals of all scenarios, the choices that were open in them, and what was listed and could not be made."""
    refusals, choices, wrong, packs = [], set(), [], cache(pack_text)

    class Listening(scenario.ScenarioRun):
        def _make(self, raw):
            before = self._timeline.game.copy()
            try:
                super()._make(raw)
            except Refusal as refusal:
                refusals.append(refusal)
                raise
            game = self._timeline.game
            if raw["do"] not in ("correct", "undo", "redo"):
                wrong.extend(untold(before, game, self._timeline.game.events))
            choices.update((one["kind"], one["clause"]) for one in state_of(game)["pending"])
            wrong.extend(wrongly_listed(game))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(scenario, "ScenarioRun", Listening)
        for file in sorted(FOLDER.glob("*.json")):
            raw = json.loads(file.read_text(encoding="utf-8"))
            overlay = FOLDER / raw["overlay"] if "overlay" in raw else None
            box = adapter.box_of(packs(raw.get("pack", "standard"), overlay and str(overlay)))
            scenario.run(
                adapter.GAME, raw, lambda setup, chance, box=box: adapter.begin(box, setup, chance),
                SeededLuck(str(raw.get("seed", 1))),
            )  # fmt: skip
    return refusals, choices, wrong


def wrongly_listed(game):
    """The uses of items, passes, recalls and spawns that are listed and refused, or allowed and not listed."""
    listed = game.legal_moves()
    possible = [m.THE_RECALL, m.THE_SPAWN, *(m.PASSES[colour] for colour in game.seats)]
    for colour in game.seats:
        possible += [m.use(colour, name) for name in game.hands[colour].names()]
    for move in possible:
        try:
            game.copy().play(move, SeededLuck(1))
        except Refusal:
            if move in listed:
                yield f"listed and refused: {move}"
        else:
            if move not in listed:
                yield f"allowed and not listed: {move}"


def test_every_refusal_has_its_sentence(played):
    refusals, _, _ = played
    known = {key.removeprefix("refused_") for key in catalogues.catalogue("en", "pages") if key.startswith("refused_")}
    assert len({refusal.code for refusal in refusals}) > 20
    assert {refusal.code for refusal in refusals} - known == set()


def test_every_open_choice_names_the_clause_of_its_kind(played):
    _, choices, _ = played
    assert choices == {(kind, clause) for kind, clauses in CLAUSES_OF.items() for clause in clauses}


def test_what_can_be_done_besides_placing_is_listed_and_what_happens_is_told(played):
    _, _, wrong = played
    assert wrong == []


# --- why something is refused, exactly --------------------------------------------------------------------------------


def correct(change, *, game=None, by=None):
    move = {"do": "correct", "set": change} | ({} if by is None else {"by": by})
    (game or a_game(2)).play(adapter.GAME.read(move), SeededLuck(1))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"rounds": 2}, ("malformed", None, "rounds")),
        ({"round": "two"}, ("malformed", None, "round")),
        ({"round": 0}, ("impossible", None, "round")),
        ({"round": 1000}, ("impossible", None, "round")),
        ({"last_round": 1}, ("malformed", None, "last_round")),
        ({"first": "green"}, ("not_playing", "C1", "first")),
        ({"first": 3}, ("not_playing", "C1", "first")),
        ({"turn": "green"}, ("not_playing", "C1", "turn")),
        ({"phase": "setup"}, ("malformed", None, "phase")),
        ({"options": []}, ("malformed", None, "options")),
        ({"options": {"house_rules": []}}, ("malformed", None, "house_rules")),
        ({"options": {"house_rules": {"fun": True}}}, ("unknown_house_rule", None, "house_rules")),
        ({"pending": 3}, ("malformed", None, "pending")),
        ({"pending": [{"id": 9}]}, ("malformed", None, "pending")),
        ({"players": []}, ("malformed", None, "players")),
        ({"players": {"green": {}}}, ("not_playing", "C1", "players")),
        ({"players": {"red": []}}, ("malformed", None, "red")),
        ({"players": {"red": {"hats": 1}}}, ("malformed", None, "players.red")),
        ({"players": {"red": {"level": 3}}}, ("fixed", "S2", "level")),
        ({"players": {"red": {"name": 3}}}, ("malformed", None, "players.red.name")),
        ({"players": {"red": {"happiness": -1}}}, ("impossible", "H1", "players.red.happiness")),
        ({"players": {"red": {"happiness": 1000}}}, ("impossible", "H1", "players.red.happiness")),
        ({"players": {"red": {"resources": 1}}}, ("malformed", None, "resources")),
        ({"players": {"red": {"resources": {"gold": 1}}}}, ("malformed", None, "players.red.resources")),
        ({"players": {"red": {"resources": {"food": 7}}}}, ("impossible", "Q1", "players.red.resources.food")),
        ({"players": {"red": {"resources": {"food": -1}}}}, ("impossible", "Q5", "players.red.resources.food")),
        ({"players": {"red": {"resources": {"food": "1"}}}}, ("malformed", None, "players.red.resources.food")),
        ({"players": {"red": {"available": "plain"}}}, ("malformed", None, "players.red.available")),
        ({"players": {"red": {"available": ["tall"]}}}, ("malformed", None, "players.red.available")),
        ({"players": {"red": {"available": ["S", "S"]}}}, ("impossible", "A2", None)),
        ({"players": {"red": {"available": ["S", "injured+S"]}}}, ("impossible", "A2", None)),
        ({"players": {"red": {"available": ["plain"] * 8}}}, ("impossible", "N2", None)),
        ({"players": {"red": {"arriving": 8}}}, ("impossible", "N2", "players.red.arriving")),
        ({"players": {"red": {"arriving": -1}}}, ("impossible", "N2", "players.red.arriving")),
        ({"players": {"red": {"arriving": 6}}}, ("impossible", "N2", None)),
        ({"players": {"red": {"arriving_at": "1:L1a"}}}, ("malformed", None, "players.red.arriving_at")),
        ({"players": {"red": {"arriving_at": ["9:L1a"]}}}, ("no_such_space", "P1", "arriving_at")),
        ({"players": {"red": {"passed": 1}}}, ("malformed", None, "players.red.passed")),
        ({"players": {"red": {"items": "globe"}}}, ("malformed", None, "players.red.items")),
        ({"players": {"red": {"items": [3]}}}, ("malformed", None, "players.red.items")),
        ({"players": {"red": {"items": [{"id": "globe", "new": 1}]}}}, ("malformed", None, "players.red.items")),
        ({"players": {"red": {"items": ["crown"]}}}, ("unknown_card", "C2", "players.red.items")),
        ({"players": {"red": {"items": ["unknown"]}}}, ("unknown_card", "C2", "players.red.items")),
        (
            {"players": {"red": {"items": [{"id": "globe", "exhausted": 1}]}}},
            ("malformed", None, "players.red.items.exhausted"),
        ),
        ({"players": {"red": {"items": ["globe", "globe"]}}}, ("impossible", "C2", None)),
        ({"tracks": []}, ("malformed", None, "tracks")),
        ({"tracks": {"threats": []}}, ("malformed", None, "tracks")),
        ({"tracks": {"items": "globe"}}, ("malformed", None, "tracks.items")),
        ({"tracks": {"items": [3]}}, ("malformed", None, "tracks.items")),
        ({"tracks": {"rooms": ["lounge"] * 4}}, ("impossible", "S5", "tracks.rooms")),
        ({"tracks": {"rooms": ["palace"]}}, ("unknown_card", "C2", "tracks.rooms")),
        ({"threats": {"9:L1a": "raider"}}, ("no_such_space", "P1", "threats")),
        ({"threats": {"1:E": "raider"}}, ("impossible", "T3", None)),
        ({"threats": {"2:L1a": "raider"}}, ("impossible", "T3", None)),
        ({"threats": {"5:L1a": "raider"}}, ("impossible", "T3", None)),
        ({"threats": {"1:L1a": "dragon"}}, ("unknown_card", "C2", "threats.1:L1a")),
        ({"levels": {"9": {}}}, ("no_such_level", "V1", "levels")),
        ({"levels": {"2": []}}, ("malformed", None, "2")),
        ({"levels": {"2": {"owner": "blue"}}}, ("fixed", "S2", "levels.2")),
        ({"levels": {"1": {"owner": "blue"}}}, ("fixed", "S2", "levels.1")),
        ({"levels": {"2": {"colour": "red"}}}, ("fixed", "S2", "levels.2")),
        ({"levels": {"2": {"rooms": []}}}, ("malformed", None, "rooms")),
        ({"levels": {"2": {"rooms": {"E": "garden"}}}}, ("no_such_room", "V1", "levels.2")),
        ({"levels": {"2": {"rooms": {"R9": "garden"}}}}, ("no_such_room", "V1", "levels.2")),
        ({"levels": {"2": {"rooms": {"R1": "palace"}}}}, ("unknown_card", "C2", "levels.2.R1")),
        ({"levels": {"2": {"rooms": {"R2": "garden"}}}}, ("impossible", "B3", None)),
        ({"levels": {"2": {"rooms": {"R1": "diner"}}}}, ("impossible", "S1", "levels")),
        ({"levels": {"1": {"rooms": {"R1": "garden"}}}}, ("impossible", "S1", "levels.1")),
        ({"levels": {"1": {"rooms": {"R1": None}}}}, ("impossible", "S1", "levels.1")),
        ({"placed": []}, ("malformed", None, "placed")),
        ({"placed": {"9:L1a": None}}, ("no_such_space", "P1", "placed")),
        ({"placed": {"1:L1a": []}}, ("malformed", None, "1:L1a")),
        ({"placed": {"1:L1a": {}}}, ("malformed", None, "placed.1:L1a.by")),
        ({"placed": {"1:L1a": {"by": "green"}}}, ("not_playing", "C1", "placed.1:L1a.by")),
        ({"placed": {"1:L1a": {"by": "red", "dwellers": []}}}, ("malformed", None, "placed.1:L1a")),
        ({"placed": {"1:L1a": {"by": "red", "dwellers": ["S"]}}}, ("malformed", None, "placed.1:L1a")),
        ({"placed": {"1:L1a": {"by": "red", "dwellers": ["plain"] * 2}}}, ("wrong_number", "P6", None)),
        ({"placed": {"2:L1a": {"by": "red"}}}, ("no_such_space", "P1", None)),
    ],
)
def test_a_correction_that_cannot_be_names_its_clause_and_its_field(change, expected):
    assert problem(correct, change) == expected


def test_a_seat_corrects_its_own_board_alone():
    correct({"players": {"red": {"happiness": 2}}, "version": 3}, by="red")
    assert problem(lambda: correct({"players": {"blue": {}}}, by="red")) == ("not_yours", None, None)
    assert problem(lambda: correct({"round": 2}, by="red")) == ("not_yours", None, None)
    assert problem(lambda: correct({}, by="green")) == ("not_playing", "C1", None)


@pytest.mark.parametrize(
    "part",
    ["version", "seq", "game", "id", "order", "decks", "discards", "spawned", "table", "panel", "result", "private",
     "suggestion", "odds", "devices", "record"],
)  # fmt: skip
def test_what_follows_from_the_rest_may_be_sent_back_and_sets_nothing(part):
    game = a_game(2)
    before = state_of(game)
    correct({part: {"some": "thing"}}, game=game)
    assert state_of(game) == before


@pytest.mark.parametrize(("part", "value"), [("bot", "hard"), ("level", 2), ("if_ended_now", 9), ("total", 4)])
def test_what_follows_from_the_rest_of_a_board_sets_nothing(part, value):
    game = a_game(2)
    before = state_of(game)
    correct({"players": {"red": {part: value}}}, game=game)
    assert state_of(game) == before


# --- moves and setups -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "field", "expected"),
    [
        (3, "move", "an object"),
        ({"do": "dance"}, "do", "one of spawn, place, pass, choose, use, recall, correct"),
        ({"do": "spawn", "space": "1:E"}, "space", "a field of spawn"),
        ({"do": "recall", "option": "x"}, "option", "a field of recall"),
        ({"do": "pass", "by": "red", "item": "x"}, "item", "a field of pass"),
        ({"do": "pass"}, "by", "one of red, blue, green, yellow"),
        ({"do": "use", "item": "x"}, "by", "one of red, blue, green, yellow"),
        ({"do": "place", "space": "1:E"}, "by", "one of red, blue, green, yellow"),
        ({"do": "choose", "by": "pink", "option": "x"}, "by", "one of red, blue, green, yellow"),
        ({"do": "place", "by": "red"}, "space", "a place such as 2:R1a"),
        ({"do": "place", "by": "red", "space": "1:E", "dwellers": "S"}, "dwellers", "a list"),
        (
            {"do": "place", "by": "red", "space": "1:E", "dwellers": ["Z"]},
            "dwellers",
            "plain, injured, a letter, or injured and a letter as injured+S",
        ),
        ({"do": "place", "by": "red", "space": "1:E", "use": [3]}, "use", "a text"),
        ({"do": "place", "by": "red", "space": "1:E", "use": "x"}, "use", "a list"),
        ({"do": "choose"}, "option", "a text"),
        ({"do": "choose", "option": ""}, "option", "a text"),
        ({"do": "choose", "option": "x", "id": 0}, "id", "the number of an open choice"),
        ({"do": "choose", "option": "x", "id": True}, "id", "the number of an open choice"),
        ({"do": "choose", "option": "x", "id": "1"}, "id", "the number of an open choice"),
        ({"do": "use", "by": "red"}, "item", "a text"),
        ({"do": "correct"}, "set", "an object"),
        ({"do": "spawn", "dice": [[1, 7]]}, "dice", "two numbers from 1 to 6"),
        ({"do": "spawn", "dice": [[0, 6]]}, "dice", "two numbers from 1 to 6"),
        ({"do": "spawn", "dice": [[1, 2, 3]]}, "dice", "two numbers from 1 to 6"),
        ({"do": "spawn", "dice": [[True, 2]]}, "dice", "two numbers from 1 to 6"),
        ({"do": "spawn", "dice": 3}, "dice", "a list"),
        ({"do": "spawn", "drawn": [""]}, "drawn", "a text"),
        ({"do": "spawn", "drawn": "x"}, "drawn", "a list"),
    ],
)
def test_a_malformed_move_names_the_field_and_what_belongs_there(move, field, expected):
    with pytest.raises(Refusal) as caught:
        adapter.GAME.read(move)
    assert (caught.value.code, caught.value.clause, caught.value.fields["field"]) == ("malformed", None, field)
    assert caught.value.message.endswith(f"is not {expected}")


@pytest.mark.parametrize(
    "move",
    [
        {"do": "spawn"},
        {"do": "spawn", "by": "red", "dice": [[1, 6], [2, 2]], "drawn": ["raider"]},
        {"do": "recall", "by": "blue"},
        {"do": "pass", "by": "yellow"},
        {"do": "place", "by": "red", "space": "1:L3a"},
        {"do": "place", "by": "red", "space": "5:R3b", "dwellers": ["plain", "injured+L"], "use": ["lab-coat"]},
        {"do": "choose", "option": "water"},
        {"do": "choose", "by": "green", "option": "roll", "id": 1, "dice": [[3, 4]]},
        {"do": "use", "by": "red", "item": "husky"},
        {"do": "correct", "by": "red", "set": {"round": 2}},
    ],
)
def test_a_move_is_written_as_it_was_read(move):
    read = adapter.GAME.read(move)
    assert adapter.GAME.write(read) == move
    assert read == adapter.GAME.read(move)
    assert hash(read) == hash(adapter.GAME.read(move))
    assert read != adapter.GAME.read({"do": "pass", "by": "blue"})
    assert adapter.GAME.write(adapter.GAME.read({**move, "if_version": 3})) == move


# --- the state, as the contract has it --------------------------------------------------------------------------------


def test_the_state_at_the_start():
    state = state_of(a_game(2))
    assert {key: state[key] for key in ("game", "round", "phase", "turn", "first", "order", "last_round")} == {
        "game": "shelter", "round": 1, "phase": "place", "turn": "red", "first": "red", "order": ["red", "blue"],
        "last_round": False,
    }  # fmt: skip
    assert state["options"] == {"pack": "standard", "cards": "companion", "house_rules": {}}
    assert {key: state[key] for key in ("pending", "placed", "threats", "spawned", "result")} == {
        "pending": [], "placed": {}, "threats": {}, "spawned": [], "result": None,
    }  # fmt: skip
    assert state["players"]["blue"] == {
        "name": "Blue", "level": 3, "happiness": 0, "if_ended_now": 0,
        "resources": {"water": 0, "food": 0, "energy": 0}, "available": ["plain", "plain"],
        "arriving": 0, "arriving_at": [], "total": 2, "items": [], "passed": False,
    }  # fmt: skip
    assert {number: level["owner"] for number, level in state["levels"].items()} == {"1": None, "2": "red", "3": "blue"}
    assert set(state["levels"]["1"]["rooms"]) == {"L3", "L2", "L1", "R1", "R2", "R3"}
    assert state["levels"]["2"]["rooms"] == {}
    assert {track: len(row) for track, row in state["tracks"].items()} == {"items": 3, "rooms": 3}
    assert set(state["decks"]) == set(state["discards"]) == {"items", "rooms", "threats"}
    assert set(state["discards"].values()) == {0}


def test_threats_that_spawned_and_the_result_are_in_the_state():
    game = a_game(2)
    correct({"phase": "spawn", "round": 2, "players": {"red": {"happiness": 3, "arriving_at": ["1:L1a"]}}}, game=game)
    game.play(adapter.GAME.read({"do": "spawn", "dice": [[1, 1], [3, 4], [1, 2]], "drawn": ["raider"]}), SeededLuck(1))
    state = state_of(game)
    space = next(iter(state["threats"]))
    assert state["spawned"] == [
        {"level": 1, "dice": [1, 1], "column": 2, "space": space, "threat": "raider", "why_not": None},
        {"level": 2, "dice": [3, 4], "column": 7, "space": None, "threat": None, "why_not": "seven"},
        {"level": 3, "dice": [1, 2], "column": 3, "space": None, "threat": None, "why_not": "no_room"},
    ]
    assert (state["players"]["red"]["arriving"], state["players"]["red"]["arriving_at"]) == (1, ["1:L1a"])
    correct({"phase": "over"}, game=game)
    result = state_of(game)["result"]
    assert (result["winners"], result["decided_by"]) == (["red"], "happiness")
    assert result["scores"]["red"] == {"happiness": 3, "threats": 0, "items": 0}
    assert state_of(game)["turn"] is None


def test_every_kind_of_choice_comes_up_in_play():
    kinds = set()
    for seed in range(3):
        for game, _ in random_walk(a_game(3, seed=seed), seed, 150):
            kinds |= {(choice.kind, choice.clause) for choice in game.pending}
    assert len(kinds) > 5
    assert all(clause in CLAUSES_OF[kind] for kind, clause in kinds)
