"""What the table asks of the game: buttons, rolls, lists for laying again, scores, and the mat with its figures."""

import pytest

from companion.cards.loader import pack_text
from companion.games.api import Button
from companion.games.mat import Difference, FigurePlacement, GamePosition, Waits
from companion.games.shelter.adapter import GAME
from companion.games.shelter.events import NAMES
from companion.games.shelter.laying import boards, pieces
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

LUCK = SeededLuck("1")
MAT = GAME.mat
TRAINED = {"players": {"red": {"available": ["S", "plain"]}}}


def position(cards="companion", **start):
    setup = {"players": ["red", "blue"], "cards": cards} | ({"start": start} if start else {})
    return GamePosition(GAME, GAME.new(pack_text("standard"), setup, LUCK), LUCK)


def after(here, *moves):
    for move in moves:
        here = here.after(move)
    return here


def fighting(**board):
    """Red stands on a threat that is fought."""
    here = position(threats={"1:R1a": "raider"}, players={"red": {"resources": RICH, **board}})
    return here.after({"do": "place", "by": "red", "space": "1:R1a"})


RICH = {"water": 6, "food": 6, "energy": 6}


# --- buttons and rolls ------------------------------------------------------------------------------------------------


def test_buttons_are_moves():
    placing, spawning = position().state(), position(phase="spawn").state()
    assert GAME.pressed(spawning, Button.THREATS, held=False) == {"do": "spawn"}
    assert GAME.pressed(placing, Button.RECALL, held=False) is None
    assert GAME.pressed(position(phase="recall").state(), Button.RECALL, held=False) == {"do": "recall"}
    assert GAME.pressed(placing, Button.GREEN, held=True) == {"do": "pass", "by": "green"}
    assert GAME.pressed(placing, Button.GREEN, held=False) is None
    with pytest.raises(Refusal):
        GAME.pressed(placing, Button.UNDO, held=False)


def test_the_roll_button_rolls_the_fight_that_waits():
    here = fighting()
    (choice,) = here.state()["pending"]
    move = {"do": "choose", "by": "red", "id": choice["id"], "option": "roll"}
    assert GAME.pressed(here.state(), Button.ROLL, held=False) == move
    with pytest.raises(Refusal) as refused:
        GAME.pressed(position().state(), Button.ROLL, held=False)
    assert (refused.value.code, refused.value.clause) == ("nothing_to_roll", "G1")


def test_dice_on_the_table_are_for_the_roll_that_is_asked():
    assert GAME.roll(position().state()) is None
    spawn = GAME.roll(position(phase="spawn", round=2).state())
    assert (spawn.kind, spawn.moves, spawn.levels, spawn.round) == ("spawn", ({"do": "spawn"},), (1, 2, 3), 2)
    here = fighting()
    (choice,) = here.state()["pending"]
    move = {"do": "choose", "by": "red", "id": choice["id"], "option": "roll"}
    fight = GAME.roll(here.state())
    assert (fight.kind, fight.moves, fight.by, fight.id) == ("fight", (move,), "red", choice["id"])


def test_a_weapon_before_the_roll_is_no_throw():
    weapon = next(kind.name for kind in position().game.box.items if kind.roll_bonus)
    here = fighting(items=[{"id": weapon}])
    (choice,) = here.state()["pending"]
    assert choice["options"] == ["roll", f"use:{weapon}"]
    assert [move["option"] for move in GAME.roll(here.state()).moves] == ["roll"]


def test_a_roll_that_may_be_made_again_is_asked_with_the_item_that_allows_it():
    again = next(kind.name for kind in position().game.box.items if kind.rerolls)
    here = fighting(items=[{"id": again}])
    (choice,) = here.state()["pending"]
    here = here.after({"do": "choose", "by": "red", "id": choice["id"], "option": "roll"})
    (choice,) = here.state()["pending"]
    assert choice["options"] == ["keep", f"use:{again}"]
    roll = GAME.roll(here.state())
    move = {"do": "choose", "by": "red", "id": choice["id"], "option": f"use:{again}"}
    assert (roll.kind, roll.moves, roll.by, roll.id) == ("reroll", (move,), "red", choice["id"])


# --- what is told of a game -------------------------------------------------------------------------------------------


def test_what_the_game_is():
    assert (GAME.name, GAME.title, GAME.seats) == ("shelter", "Fallout Shelter: The Board Game", (2, 4))
    assert (GAME.has_bots, bool(GAME.sheets), GAME.home_pack, GAME.measure) == (True, True, "standard", "happiness")
    assert GAME.anybody == {"spawn", "recall"}
    assert GAME.home_pack in GAME.packs()


def test_what_other_programs_are_announced():
    told = GAME.announced
    assert set(told.phases) == {"none", "setup", "spawn", "place", "recall", "frozen", "over"}
    assert set(told.events) == set(NAMES.values())
    (sensor,) = told.sensors
    assert tuple(sensor) == ("happiness", "happiness", "mdi:emoticon-happy-outline")
    (button,) = told.buttons
    assert tuple(button) == ("threats", "Threats", "mdi:dice-multiple", {"do": "spawn"}, "spawn")
    assert sensor.field in position().state()["players"]["red"]
    assert button.phase in told.phases


def test_the_standing_and_the_summary_of_a_player():
    state = position(players={"red": {"happiness": 4, "resources": {"water": 1, "food": 2, "energy": 3}}}).state()
    assert GAME.standing(state) == {"red": 4, "blue": 0}
    assert GAME.summary(state["players"]["red"]) == "4 happiness, 1 water 2 food 3 energy, 2 dwellers"


def test_e3_scores_are_what_breaks_a_tie():
    assert GAME.scores(position().state()) is None
    board = {"happiness": 4, "resources": {"water": 1, "food": 2, "energy": 3}, "items": [{"id": "globe"}]}
    state = position(phase="over", players={"red": board}).state()
    assert GAME.scores(state)["red"] == {
        "happiness": state["result"]["scores"]["red"]["happiness"], "cubes": 6, "dwellers": 2, "items": 1,
    }  # fmt: skip
    assert GAME.scores(state)["blue"] == {"happiness": 0, "cubes": 0, "dwellers": 2, "items": 0}


def test_a_position_is_laid_again_from_the_mat_and_the_boards():
    here = position(
        threats={"1:R1a": "raider"},
        placed={"2:E": {"by": "red", "dwellers": ["injured"]}},
        players={"red": {"available": ["S"], "happiness": 3}},
    )
    state = here.state()
    relay = GAME.relay(state)
    assert relay == {"pieces": pieces(state), "boards": boards(state)}
    assert {"place": "1:E", "piece": "elevator"} in relay["pieces"]
    assert {"place": "2:E", "piece": "elevator-red"} in relay["pieces"]
    assert {"place": "1:R1a", "piece": "raider"} in relay["pieces"]
    assert {"place": "items:0", "piece": state["tracks"]["items"][0]} in relay["pieces"]
    assert relay["pieces"][-1] == {"place": "2:E", "piece": "red injured"}
    assert relay["boards"]["red"] == {
        "happiness": 3, "resources": {"water": 0, "food": 0, "energy": 0}, "available": ["S"], "items": [],
    }  # fmt: skip


# --- what lies where --------------------------------------------------------------------------------------------------


def test_whose_card_and_whose_figure_lies_where():
    here = position(
        threats={"1:R1a": "raider"},
        placed={"2:E": {"by": "blue", "dwellers": ["injured"]}, "1:R1b": {"by": "red", "dwellers": ["plain"]}},
    )
    lies = here.lies()
    found = {(one.place, one.what): (one.kind.value, one.by, one.pose) for one in lies.pieces}
    assert found["2:E", "elevator-red"] == ("card", "red", "")
    assert found["1:R1a", "raider"] == ("card", None, "")
    assert found["2:E", "injured"] == ("figure", "blue", "lying")
    assert found["1:R1b", "plain"] == ("figure", "red", "standing")
    assert lies.spaces == {"2:E", "1:R1b"}
    assert lies.owners == {"1": None, "2": "red", "3": "blue"}


def test_n1_new_dwellers_may_stand_on_their_icons_until_the_recall():
    here = position(players={"red": {"arriving_at": ["1:R1a", "1:R1a"]}, "blue": {"arriving_at": ["1:R1a"]}})
    assert {space: dict(who) for space, who in here.lies().guests.items()} == {"1:R1a": {"red": 2, "blue": 1}}


def test_differences_are_named_in_the_order_of_the_mat():
    lies = position().lies()
    places = ["rooms:1", "items:2", "items:0", "1:R1b", "1:L1a", "2:E", "1:R1", "3:L2"]
    assert sorted(places, key=lies.rank) == ["1:R1", "3:L2", "2:E", "1:L1a", "1:R1b", "items:0", "items:2", "rooms:1"]


@pytest.mark.parametrize(
    ("place", "seen", "unread"), [("items:0", None, True), ("items:0", "globe", False), ("2:R1", None, False)]
)
def test_a_gap_of_a_track_is_not_read(place, seen, unread):
    assert position().lies().is_unread(place, seen) is unread


@pytest.mark.parametrize(
    ("place", "seen", "compared"),
    [
        ("2:R1", None, True),
        ("2:E", "elevator-blue", True),
        ("2:E", "elevator", False),
        ("2:E", None, False),
        ("1:E", "elevator-red", False),
    ],
)
def test_elevators_are_compared_where_their_colours_are_seen(place, seen, compared):
    assert position().lies().is_compared(place, seen) is compared


def test_cards_that_nobody_has_named_are_asked_by_their_places():
    here = position("table")
    asked = {choice["id"] for choice in here.state()["pending"]}
    found = MAT.unknown_cards(here.game)
    assert set(found) == {f"{track}:{place}" for track in ("items", "rooms") for place in range(3)}
    assert set(found.values()) == asked
    assert not [piece for piece in pieces(here.state()) if piece["piece"] == "unknown"]


def test_a_threat_that_nobody_has_named_is_asked_by_its_space():
    here = position("table", threats={"1:R1a": "unknown"})
    assert "1:R1a" in MAT.unknown_cards(here.game)


# --- which placement a figure stands for ------------------------------------------------------------------------------


def test_figures_are_awaited_and_the_recall_is_due():
    here = position()
    assert MAT.awaits_figures(here.legal())
    assert not MAT.awaits_figures([{"do": "choose"}, {"do": "use"}])
    assert (MAT.before_recall(here.state()), MAT.recall_is_due(here.state())) == ({"do": "pass", "by": "red"}, False)
    over = after(here, {"do": "pass", "by": "red"}, {"do": "pass", "by": "blue"})
    assert (MAT.before_recall(over.state()), MAT.recall_is_due(over.state())) == (None, True)
    assert MAT.recall == {"do": "recall"}
    assert (MAT.taken_clause, MAT.placing_clause, MAT.recall_clause) == ("P1", "P1", "R3")
    assert MAT.lays_card({"kind": "build"})
    assert not MAT.lays_card({"kind": "item"})


def test_a_placement_is_a_space_a_colour_and_poses():
    move = {"do": "place", "by": "red", "space": "1:R1a"}
    assert MAT.placement(move) == FigurePlacement("1:R1a", "red", ("standing",))
    assert MAT.placement({**move, "dwellers": ["S"]}) == FigurePlacement("1:R1a", "red", ("standing",))
    two = {**move, "dwellers": ["plain", "injured+S"]}
    assert MAT.placement(two) == FigurePlacement("1:R1a", "red", ("lying", "standing"))
    assert MAT.placement({"do": "pass", "by": "red"}) is None


def test_plain_dwellers_who_use_nothing_are_likely_first():
    move = {"do": "place", "by": "red", "space": "1:R1a"}
    dressed = {**move, "dwellers": ["plain"], "use": ["lab-coat"]}
    trained, plain = {**move, "dwellers": ["S"]}, {**move, "dwellers": ["plain"]}
    assert MAT.likely([dressed, trained, plain]) == (plain, trained, dressed)
    assert [MAT.option(way) for way in (dressed, trained, plain)] == ["lab-coat", "S", "plain"]
    assert MAT.option({**move, "dwellers": ["plain", "S", "P"]}) == "S+P"
    assert MAT.option({**move, "dwellers": ["injured"]}) == "plain"


def test_a4_a_trained_dweller_is_asked_for_where_it_doubles():
    here = position(players={"red": {"available": ["plain", *"SPECIA"], "resources": RICH}})
    move = {"do": "place", "by": "red", "space": "1:R1a"}  # the Water Treatment: letter P
    plain, doubling, other = ({**move, "dwellers": [one]} for one in ("plain", "P", "S"))
    assert MAT.doubles(here, doubling)
    assert not MAT.doubles(here, plain)
    assert not MAT.doubles(here, other)
    assert not MAT.doubles(here, {"do": "pass", "by": "red", "dwellers": ["P"]})
    assert MAT.needs_word(here, [plain, doubling])
    assert not MAT.needs_word(here, [plain, other])
    assert not MAT.needs_word(here, [doubling])
    assert MAT.needs_word(here, [other, doubling])


def test_i2_an_outfit_is_listed_whatever_other_outfit_lies_before_it():
    outfits = [kind.name for kind in position().game.box.items if kind.trains]

    def listed(name, *items):
        board = {"resources": RICH, "items": [{"id": one} for one in items]}
        here = position(players={"red": board}, threats={"1:L1b": "raider"})
        return [move for move in here.legal() if move.get("use") == [name]]

    alone = {name: listed(name, name) for name in outfits}
    assert not all(alone.values())
    assert any(alone.values())
    for name in outfits:
        for other in outfits:
            if other != name:
                assert listed(name, other, name) == alone[name]


def test_what_is_tried_for_a_figure_that_fits_no_rule():
    standing = FigurePlacement("1:R1a", "red", ("standing",))
    move = {"do": "place", "by": "red", "space": "1:R1a"}
    assert MAT.attempts(standing) == (move, {**move, "dwellers": ["plain"]})
    lying = FigurePlacement("1:R1a", "red", ("lying", "standing"))
    assert MAT.attempts(lying) == ({**move, "dwellers": ["injured", "plain"]},)


@pytest.mark.parametrize(
    ("code", "waits", "called"),
    [
        ("already_placed", Waits.SIGHT, "rule"),
        ("two_dwellers", Waits.SIGHT, "rule"),
        ("card_unknown", Waits.SIGHT, "rule"),
        ("not_your_turn", Waits.CHOICE, "turn"),
        ("has_passed", Waits.NOTHING, "turn"),
        ("injured", Waits.NOTHING, "pose"),
        ("not_injured", Waits.NOTHING, "pose"),
        ("space_taken", Waits.NOTHING, "extra"),
        ("cannot_pay", Waits.NOTHING, "rule"),
    ],
)
def test_what_a_refusal_means_for_a_figure(code, waits, called):
    refusal = Refusal(code, None, code)
    assert (MAT.waits(refusal), MAT.called(refusal)) == (waits, called)


# --- corrections that follow the table --------------------------------------------------------------------------------


def correction(here, kind, place, *poses, expected=None, seen=None, by=None):
    found = Difference(kind=kind, place=place, expected=expected, seen=seen, by=by)
    return MAT.correction(here, found, poses)


def change(moves):
    (move,) = moves
    assert move["do"] == "correct"
    return move["set"]


def test_cards_are_corrected_where_they_lie():
    here = position(threats={"1:R1a": "raider"})
    rooms, items = (here.state()["tracks"][name] for name in ("rooms", "items"))
    assert change(correction(here, "card", "2:R1", seen="garden")) == {"levels": {"2": {"rooms": {"R1": "garden"}}}}
    assert change(correction(here, "card", "1:R1a")) == {"threats": {"1:R1a": None}}
    assert change(correction(here, "card", "1:R2b", seen="raider")) == {"threats": {"1:R2b": "raider"}}
    assert change(correction(here, "drawn", "rooms:1", seen="garden")) == {
        "tracks": {"rooms": [rooms[0], "garden", rooms[2]]}
    }
    assert change(correction(here, "card", "items:0")) == {"tracks": {"items": items[1:]}}
    with pytest.raises(Refusal) as refused:
        correction(here, "card", "2:E", seen="elevator-blue")
    assert (refused.value.code, refused.value.clause) == ("fixed", "S2")


def test_a_figure_that_is_laid_down_is_injured():
    here = position(placed={"1:R1a": {"by": "red", "dwellers": ["plain"]}}, **TRAINED)
    assert change(correction(here, "pose", "1:R1a", "lying", expected="standing", seen="lying", by="red")) == {
        "placed": {"1:R1a": {"by": "red", "dwellers": ["injured"]}},
        "players": {"red": {"available": ["S", "plain"]}},
    }


def test_a_figure_that_is_gone_is_available_again():
    here = position(placed={"1:R1a": {"by": "red", "dwellers": ["plain"]}}, players={"red": {"available": ["S"]}})
    assert change(correction(here, "missing", "1:R1a", expected="red", by="red")) == {
        "placed": {"1:R1a": None},
        "players": {"red": {"available": ["S", "plain"]}},
    }


def test_a_figure_of_another_colour_takes_the_place():
    here = position(placed={"1:R1a": {"by": "red", "dwellers": ["plain"]}})
    found = change(correction(here, "colour", "1:R1a", "standing", expected="red", seen="blue", by="blue"))
    assert found == {
        "placed": {"1:R1a": {"by": "blue", "dwellers": ["plain"]}},
        "players": {"red": {"available": ["plain"] * 3}, "blue": {"available": ["plain"]}},
    }
    with pytest.raises(Refusal) as refused:
        correction(here, "colour", "1:R1a", "standing", expected="red", seen="green", by="green")
    assert (refused.value.code, refused.value.clause) == ("not_playing", "C1")


def test_a_wrong_turn_that_is_right_after_all_is_a_placement():
    here = position()
    moves = correction(here, "extra", "1:R1a", "standing", seen="blue", by="blue")
    assert moves[0] == {"do": "correct", "set": {"turn": "blue"}}
    assert (moves[1]["do"], moves[1]["by"], moves[1]["space"]) == ("place", "blue", "1:R1a")
    (move,) = correction(here, "extra", "1:R1a", "standing", seen="red", by="red")
    assert move["do"] == "place"


def test_a_figure_where_no_rule_lets_it_stand_is_set_there_and_the_turn_is_the_next_players():
    here = position()
    found = change(correction(here, "extra", "3:E", "standing", seen="red", by="red"))
    assert found == {
        "placed": {"3:E": {"by": "red", "dwellers": ["plain"]}},
        "players": {"red": {"available": ["plain"]}},
        "turn": "blue",
    }
    passed = position(players={"blue": {"passed": True}})
    assert change(correction(passed, "extra", "3:E", "standing", seen="red", by="red"))["turn"] == "red"
    last = position(players={"blue": {"passed": True}, "red": {"available": ["plain"]}})
    assert change(correction(last, "extra", "3:E", "standing", seen="red", by="red"))["turn"] == "red"
    assert "turn" not in change(correction(here, "extra", "2:E", "standing", seen="blue", by="blue"))


def test_whoever_is_set_somewhere_is_the_plainest_of_that_pose():
    here = position(players={"red": {"available": ["S", "injured+P", "plain", "injured"]}})
    standing = change(correction(here, "extra", "3:E", "standing", seen="red", by="red"))
    assert standing["players"]["red"]["available"].count("plain") == 0
    assert standing["players"]["red"]["available"].count("S") == 1
    lying = change(correction(here, "extra", "3:E", "lying", seen="red", by="red"))
    assert sorted(lying["players"]["red"]["available"]) == ["S", "injured+P", "plain"]
