"""Open choices that end without an answer: because somebody else moved, or a person corrected the record."""

from companion.seeded_chance import SeededLuck
from tests.games.scenarios import run

from .play import box

BASE = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red", "seed": 7}
RICH = {"water": 6, "food": 6, "energy": 6}


def play(start, moves, then, *events):
    start = {"round": 1, "phase": "place", **start}
    return run(
        {**BASE, "start": start, "moves": moves, "then": then, "then_events": list(events)}, box(), SeededLuck(7)
    )


def place(colour, space, *dwellers):
    return {"do": "place", "by": colour, "space": space, "dwellers": list(dwellers or ("plain",))}


def correct(**change):
    return {"do": "correct", "set": change}


def test_a_heal_that_nobody_needs_any_more_is_lost():
    start = {
        "players": {"red": {"available": ["injured", "injured+S"], "items": [{"id": "stimpak"}], "resources": RICH}},
        "levels": {"2": {"rooms": {"L1": "lounge"}}},
    }
    moves = [
        {"do": "use", "by": "red", "item": "stimpak"},
        place("red", "1:E", "injured"),
        {"do": "pass", "by": "blue"},
        place("red", "2:L1b", "injured+S"),
    ]
    then = {
        "pending": [],
        "phase": "recall",
        "placed": {"1:E": {"dwellers": ["plain"]}, "2:L1b": {"dwellers": ["plain"]}},
    }
    assert play(start, moves, then, {"event": "choice_lost", "by": "red", "what": ["heal"]}) == []


def test_correcting_the_cubes_answers_what_was_still_owed():
    start = {"players": {"red": {"resources": RICH}}, "levels": {"2": {"rooms": {"L1": "classroom"}}}}
    moves = [place("red", "2:L1b"), correct(players={"red": {"resources": {"water": 2}}})]
    then = {"pending": [], "turn": "blue", "players": {"red": {"happiness": 1, "resources": {"water": 2, "food": 6}}}}
    assert play(start, moves, then, {"event": "choice_dropped", "by": "red", "what": ["pay-resource"]}) == []


def test_correcting_who_is_available_answers_the_letter_and_the_round_ends():
    start = {"players": {"red": {"available": ["plain"]}}}
    moves = [place("red", "1:L1b"), {"do": "pass", "by": "blue"}, {"do": "recall"}]
    assert play(start, moves, {"phase": "recall", "pending": [{"kind": "letter"}]}) == []
    moves.append(correct(players={"red": {"available": ["C", "plain"]}}))
    then = {"phase": "spawn", "round": 2, "pending": [], "players": {"red": {"available": ["C", "plain"]}}}
    assert play(start, moves, then, {"event": "choice_dropped", "by": "red", "what": ["letter"]}) == []


def test_correcting_the_track_drops_the_room_that_was_being_chosen():
    start = {"players": {"red": {"resources": RICH}}}
    moves = [place("red", "2:E"), correct(tracks={"rooms": ["garden", "lounge", "armory"]})]
    then = {"pending": [], "turn": "blue", "levels": {"2": {"rooms": {}}}, "players": {"red": {"resources": RICH}}}
    assert play(start, moves, then, {"event": "choice_dropped", "by": "red", "what": ["build"]}) == []


def test_a_room_that_cannot_be_paid_any_more_is_not_built():
    start = {"players": {"red": {"resources": RICH}}}
    moves = [place("red", "2:E"), correct(players={"red": {"resources": {"water": 0, "food": 0, "energy": 0}}})]
    then = {"pending": [], "turn": "blue", "levels": {"2": {"rooms": {}}}, "players": {"red": {"happiness": 2}}}
    assert play(start, moves, then) == []


def test_taking_the_dweller_off_its_space_ends_the_placement():
    start = {"players": {"red": {"resources": RICH}}}
    moves = [place("red", "2:E"), correct(placed={"2:E": None}, players={"red": {"available": ["plain", "plain"]}})]
    then = {"pending": [], "turn": "blue", "placed": {}, "players": {"red": {"happiness": 0, "total": 2}}}
    assert play(start, moves, then) == []


def test_setting_the_turn_ends_the_placement():
    start = {"players": {"red": {"resources": RICH}}}
    moves = [place("red", "2:E"), correct(turn="red"), place("red", "1:R1a")]
    assert play(start, moves, {"turn": "blue", "players": {"red": {"available": []}}}) == []


def test_emptying_pending_drops_everything_that_is_open():
    start = {"levels": {"2": {"rooms": {"L1": "garden"}}}}
    moves = [{"do": "pass", "by": "red"}, place("blue", "2:L1a"), correct(pending=[])]
    assert play(start, moves, {"pending": [], "players": {"red": {"resources": {"water": 0}}}}) == []


def test_setting_the_phase_leaves_nothing_open():
    start = {"players": {"red": {"resources": RICH}}}
    moves = [place("red", "2:E"), correct(phase="recall"), {"do": "recall"}]
    assert (
        play(start, moves, {"phase": "spawn", "pending": [], "players": {"red": {"available": ["plain", "plain"]}}})
        == []
    )


def test_an_exchange_that_leaves_a_price_unpayable_is_refused():
    start = {
        "players": {
            "red": {
                "resources": {"water": 6, "food": 0, "energy": 4},
                "items": [{"id": "german-shepherd"}, {"id": "collie"}],
            }
        },
        "tracks": {"rooms": ["weight-room", "water-purification-room", "armory"]},
    }
    use = {"do": "use", "by": "red", "item": "collie"}
    assert play(start, [place("red", "2:E"), use], {"players": {"red": {"resources": {"water": 5, "energy": 6}}}}) == []
    start["players"]["red"]["resources"] = {"water": 2, "food": 0, "energy": 2}
    start["tracks"]["rooms"] = ["armory", "garden", "lounge"]
    # Two water and two energy pay for the armory only, on either side; a water less and nothing could be paid.
    assert play(start, [place("red", "2:E"), {**use, "refused": "P2"}], {"pending": [{"kind": "build"}]}) == []
