"""The pure parts of the table, without a session."""

import json
from types import SimpleNamespace

import pytest
from at_the_table import figure, reading_of

from companion.canonical import hash_of, opened, sealed, text_of
from companion.cards.loader import pack_text
from companion.games.mat import Difference, FigurePlacement, GamePosition
from companion.games.registry import game_of
from companion.games.shelter.laying import pieces
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from companion.table.record.entries import Damage, read_line, read_text, written
from companion.table.session.snapshots import BLOCK, FILE, Numbers
from companion.table.sight.difference import coached, differences
from companion.table.sight.reading import Reading, Steady
from companion.table.sight.reconcile import Memory, corrections, reconcile, settle_pose

RULES = game_of("shelter")
LUCK = SeededLuck("1")


def position(cards="companion", **start):
    setup = {"players": ["red", "blue"], "cards": cards} | ({"start": start} if start else {})
    return GamePosition(RULES, RULES.new(pack_text("standard"), setup, LUCK), LUCK)


def seen(here, *figures, **changes):
    raw = reading_of(here.state())
    return Reading.from_json({**raw, "dwellers": [*raw["dwellers"], *(figure(*one) for one in figures)], **changes})


# --- text -------------------------------------------------------------------------------------------------------------


def test_one_text_form_that_reads_back_equal():
    entry = written("a", 0, "0" * 64, "game", {"ż": [1, {"b": None}], "a": True})
    assert read_line(entry.line) == entry
    assert json.loads(entry.line)["hash"] == entry.hash


@pytest.mark.parametrize("line", ["", "{}", "null", '{"hash":"1"}', "x" * 200])
def test_what_is_no_line_is_not_read(line):
    assert read_line(line) is None


@pytest.mark.parametrize("raw", [[], {"game": "a"}, {"game": 1, "nth": 0, "before": "", "kind": "x"}])
def test_a_hash_alone_makes_no_entry(raw):
    text = text_of(raw)
    assert read_text(text, hash_of(text)) is None
    assert read_text("not json", hash_of("not json")) is None


def test_a_line_is_the_text_and_its_hash():
    text = text_of({"a": 1})
    assert opened(sealed(text, hash_of(text))) == (text, hash_of(text))


def test_damage_speaks():
    damage = Damage("record.sqlite3", "gap", "an entry is missing", "a", 3)
    assert str(damage) == "record.sqlite3: an entry is missing (game a, entry 3)"
    assert damage.as_json()["nth"] == 3


# --- numbers and time -------------------------------------------------------------------------------------------------


def test_numbers_never_come_back(tmp_path):
    numbers = Numbers(tmp_path)
    given = [numbers.next() for _ in range(BLOCK + 5)]
    assert given == list(range(1, BLOCK + 6))
    assert Numbers(tmp_path).next() > given[-1]
    (tmp_path / FILE).write_text("nonsense")
    assert Numbers(tmp_path).next() == 1


def test_a_full_disk_does_not_stop_the_numbers(tmp_path):
    assert Numbers(tmp_path / "nowhere").next() == 1


def test_a_table_rests_once():
    steady = Steady(1.0)
    first, second = Reading(), Reading(unsure=frozenset({"1:E"}))
    assert steady.feed(first, 0.0) is None
    assert steady.feed(first, 0.9) is None
    assert steady.feed(first, 1.0) is first
    assert steady.feed(first, 9.0) is None
    assert steady.feed(second, 9.5) is None
    assert steady.feed(first, 10.0) is None
    assert steady.feed(first, 11.0) is None, "it is as it was when it last rested"
    steady.forget()
    assert steady.feed(first, 12.0) is first


@pytest.mark.parametrize("reading", [Reading(hand=True), Reading(table="lost")])
def test_a_hand_never_rests(reading):
    steady = Steady(0.0)
    assert steady.feed(reading, 0.0) is None
    assert steady.feed(reading, 9.0) is None


# --- doubts that the rules settle ---


def in_doubt(here, spaces, *figures):
    return seen(here, *figures, unsure=[*spaces], unposed=dict(spaces))


def test_a_figure_whose_pose_nobody_can_tell_stands_where_it_may_only_stand():
    here = position()
    reading = settle_pose(in_doubt(here, {"1:R1a": "red"}), here)
    assert [(one.space, one.player, one.pose) for one in reading.dwellers] == [("1:R1a", "red", "standing")]
    assert not reading.unsure
    assert [move["space"] for move in reconcile(reading, here, Memory()).plays] == ["1:R1a"]


@pytest.mark.parametrize(
    "doubts",
    [
        {"1:R1a": "blue"},  # it is red's turn
        {"5:R3b": "red"},  # nothing lies there
        {"1:R1a": "red", "1:R1b": "red"},  # one comes at a time
    ],
)
def test_what_is_not_possible_or_not_the_only_way_stays_in_doubt(doubts):
    here = position()
    reading = in_doubt(here, doubts)
    assert settle_pose(reading, here) is reading


def test_an_injured_one_lies_where_it_may_only_lie():
    here = position(players={"red": {"available": ["plain", "injured"]}})
    reading = settle_pose(in_doubt(here, {"1:E": "red"}), here)
    assert [(one.space, one.pose) for one in reading.dwellers] == [("1:E", "lying")]


def test_a_pose_stays_in_doubt_where_both_are_possible():
    ways = [FigurePlacement("1:E", "red", (pose,)) for pose in ("standing", "lying")]
    there = SimpleNamespace(
        legal=lambda: range(2),
        lies=lambda: SimpleNamespace(spaces=frozenset()),
        mat=SimpleNamespace(placement=lambda move: ways[move]),
    )
    reading = in_doubt(position(), {"1:E": "red"})
    assert settle_pose(reading, there) is reading


def test_a_figure_that_is_recorded_holds_whatever_its_pose():
    here = position(placed={"1:R1a": {"by": "red", "dwellers": ["plain"]}})
    reading = Reading.from_json(
        {**reading_of(here.state()), "dwellers": [], "unsure": ["1:R1a"], "unposed": {"1:R1a": "red"}}
    )
    assert settle_pose(reading, here) is reading


# --- readings and differences -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [{"rooms": []}, {"dwellers": [{}]}, {"threats": {"1:E": "raider"}}, {"unsure": 7}])
def test_what_is_no_reading_is_refused(raw):
    with pytest.raises(Refusal):
        Reading.from_json(raw)


def test_a_table_as_recorded_shows_no_difference():
    here = position(threats={"1:R1a": "raider"}, placed={"1:R1b": {"by": "red", "dwellers": ["injured"]}})
    assert differences(seen(here), here.lies()) == []


def test_new_dwellers_may_stand_on_their_icons():
    here = position(placed={"1:R1b": {"by": "red", "dwellers": ["plain"]}}, players={"red": {"arriving_at": ["1:R1b"]}})
    assert differences(seen(here), here.lies()) == []
    assert differences(seen(here, ("1:R1b", "red")), here.lies()) == []
    (one,) = differences(seen(here, ("1:R1b", "red"), ("1:R1b", "red")), here.lies())
    assert (one.kind, one.count) == ("extra", 1)


def test_elevators_are_compared_where_their_colour_is_seen():
    here = position()
    wrong = seen(here, rooms={**reading_of(here.state())["rooms"], "2:E": {"card": "elevator-blue"}})
    (one,) = differences(wrong, here.lies())
    assert (one.place, one.seen, one.expected) == ("2:E", "elevator-blue", "elevator-red")
    with pytest.raises(Refusal):
        corrections(here, one, wrong)
    assert {"place": "2:E", "piece": "elevator-red"} in coached(wrong, here.lies(), [one])["wrong"]


def test_keys_do_not_depend_on_what_else_is_known():
    one = Difference("extra", "1:E", "red", None, "red")
    assert one.key == Difference("extra", "1:E", "red", None, "red", called="turn", clause="R2").key
    assert one.key != Difference("extra", "1:E", "red", None, "red", count=2).key


# --- reconciling ------------------------------------------------------------------------------------------------------


def test_a_verdict_changes_nothing():
    here = position()
    before = here.state()
    verdict = reconcile(seen(here, ("1:R1a", "red"), ("1:R2a", "blue")), here, Memory())
    assert [move["space"] for move in verdict.plays] == ["1:R1a", "1:R2a"]
    assert here.state() == before


def test_m3_a_figure_waits_while_its_player_has_an_income_to_answer():
    here = position(levels={"3": {"rooms": {"L1": "garden"}}}).after({"do": "place", "by": "red", "space": "3:L1a"})
    figures = seen(here, ("1:R1a", "blue"))
    verdict = reconcile(figures, here, Memory())
    assert (verdict.plays, verdict.disagreements) == ((), ())
    assert len(verdict.held) == 1
    answered = here.after({"do": "choose", "by": "blue", "option": "water"})
    assert [move["space"] for move in reconcile(figures, answered, Memory()).plays] == ["1:R1a"]


def test_at_most_four_moves_at_once():
    here = position(players={colour: {"available": ["plain"] * 4} for colour in ("red", "blue")})
    spaces = ["1:R1a", "1:R1b", "1:R2a", "1:R2b", "1:R3a", "1:R3b"]
    figures = [(space, ("red", "blue")[number % 2]) for number, space in enumerate(spaces)]
    verdict = reconcile(seen(here, *figures[:4]), here, Memory())
    assert len(verdict.plays) == 4
    verdict = reconcile(seen(here, *figures), here, Memory())
    assert verdict.plays == ()
    assert verdict.question is not None
    assert verdict.question.by == "red"


def test_a_table_of_another_game_is_not_explained():
    here = position(players={colour: {"available": ["plain"] * 5} for colour in ("red", "blue")})
    spaces = ["1:R1a", "1:R1b", "1:R2a", "1:R2b", "1:R3a", "1:R3b", "1:L2a", "1:L1b", "1:L1a"]
    verdict = reconcile(seen(here, *((space, "red") for space in spaces)), here, Memory())
    assert verdict.plays == ()
    assert len(verdict.disagreements) == 9
    eight = reconcile(seen(here, *((space, "red") for space in spaces[:8])), here, Memory())
    assert eight.disagreements == ()
    assert set(eight.question.options) < set(spaces), "of eight it asks which one was first"


@pytest.mark.parametrize("memory", [Memory(fresh=True), Memory()], ids=["laid", "played"])
def test_a_card_that_nobody_has_named_is_nothing_for_hands_to_do(memory):
    """What lies there cannot be the card that the camera names; only the open question concerns it."""
    here = position(cards="table").after({"do": "correct", "set": {"threats": {"1:R1a": "unknown"}}})
    reading = seen(here, threats={"1:R1a": {"card": "no-such-threat"}})
    assert [one.kind for one in differences(reading, here.lies())] == ["drawn"]
    verdict = reconcile(reading, here, memory)
    assert (verdict.plays, verdict.todo, verdict.disagreements) == ((), (), ())
    (drawn,) = differences(reading, here.lies())
    known = reconcile(reading, here, Memory(todo=frozenset({drawn.key})))
    assert known.todo == ()


def test_the_order_is_asked_where_it_matters():
    """Red may take the first player's token or the water first: with two figures down nobody can tell."""
    here = position(
        players={"red": {"available": ["plain"] * 2, "resources": {"water": 0}}, "blue": {"available": []}},
    )
    verdict = reconcile(seen(here, ("1:R1a", "red"), ("1:L3b", "red")), here, Memory())
    assert [move["space"] for move in verdict.plays][:1] == ["1:R1a"], "1:L3b costs the water that 1:R1a brings"
    both = reconcile(seen(here, ("1:R1a", "red"), ("1:R2a", "red")), here, Memory())
    assert both.question is None
    assert len(both.plays) == 2


def test_an_order_that_changes_the_outcome_is_a_question():
    here = position(
        players={
            "red": {"available": ["plain"] * 2, "resources": {"water": 6, "food": 1}},
            "blue": {"available": []},
        },
    )
    reading = seen(here, ("1:R1a", "red"), ("1:L3b", "red"))
    verdict = reconcile(reading, here, Memory())
    assert verdict.plays == ()
    assert verdict.question is not None
    assert verdict.question.options == ["1:L3b", "1:R1a"]
    assert len(verdict.held) == 2


def test_several_trained_dwellers_and_no_plain_one_are_a_question():
    here = position(players={"red": {"available": ["S", "P"]}})
    verdict = reconcile(seen(here, ("1:R2a", "red")), here, Memory())
    assert verdict.question is not None
    assert verdict.question.options == ["S", "P"]


def test_an_outfit_that_would_help_is_a_question():
    here = position(players={"red": {"items": [{"id": "armored-vault-suit"}]}})
    verdict = reconcile(seen(here, ("1:R1a", "red")), here, Memory())
    assert verdict.question is not None
    assert verdict.question.options == ["plain", "armored-vault-suit"]
    assert dict(verdict.question.ways)["armored-vault-suit"]["use"] == ["armored-vault-suit"]
    assert reconcile(seen(here, ("1:R2a", "red")), here, Memory()).question is None


def test_a_dweller_who_has_passed_may_not_be_placed():
    here = position(players={"red": {"passed": True}})
    (one,) = reconcile(seen(here, ("1:R1a", "red")), here, Memory()).disagreements
    assert (one.called, one.clause) == ("turn", "R4")


def test_before_the_threats_nobody_places():
    here = position(round=2, phase="spawn")
    (one,) = reconcile(seen(here, ("1:R1a", "red")), here, Memory()).disagreements
    assert (one.called, one.clause) == ("rule", "R1")


def test_a_recall_waits_for_places_that_cannot_be_read():
    here = position(phase="recall", placed={"1:R1a": {"by": "red", "dwellers": ["plain"]}})
    gone = seen(here, dwellers=[])
    assert reconcile(gone, here, Memory()).plays == ({"do": "recall"},)
    here = position(
        phase="recall",
        placed={space: {"by": "red", "dwellers": ["plain"]} for space in ("1:R1a", "1:R1b")},
    )
    verdict = reconcile(
        Reading.from_json({**reading_of(here.state()), "dwellers": [], "unsure": ["1:R1a"]}), here, Memory()
    )
    assert verdict.picking_up
    assert verdict.plays == ()


def test_the_table_is_right_about_every_kind_of_difference():
    here = position(
        threats={"1:R2a": "raider"},
        placed={"1:R1a": {"by": "red", "dwellers": ["plain"]}, "1:R1b": {"by": "blue", "dwellers": ["plain"]}},
        players={"red": {"available": ["plain"]}, "blue": {"available": ["plain"]}},
    )
    raw = reading_of(here.state())
    raw["dwellers"] = [figure("1:R1a", "red", "lying"), figure("1:R1b", "red")]
    raw["threats"] = {}
    raw["rooms"] = {**raw["rooms"], "2:R1": {"card": "garden"}}
    reading = Reading.from_json(raw)
    for _ in range(9):
        found = differences(reading, here.lies())
        if not found:
            break
        for move in corrections(here, found[0], reading):
            here = here.after(move)
    assert differences(reading, here.lies()) == []
    state = here.state()
    assert state["placed"]["1:R1a"]["dwellers"] == ["injured"]
    assert [player["total"] for player in state["players"].values()] == [2, 2]


def test_the_list_for_laying_a_game_again_names_every_piece():
    here = position(threats={"1:R1a": "raider"}, placed={"1:R1b": {"by": "red", "dwellers": ["plain"]}})
    laid = pieces(here.state())
    assert len(laid) == 3 + 6 + 1 + 6 + 1
    assert laid[0] == {"place": "1:E", "piece": "elevator"}


def test_a_figure_laid_down_differs_in_its_pose_and_breaks_no_rule_of_places():
    here = position(placed={"1:R1a": {"by": "red", "dwellers": ["plain"]}})
    verdict = reconcile(seen(here, dwellers=[figure("1:R1a", "red", "lying")]), here, Memory())
    (one,) = verdict.disagreements
    assert (one.kind, one.seen, one.expected, one.clause) == ("pose", "lying", "standing", None)


def test_a_figure_that_was_there_at_the_start_is_told_and_breaks_no_rule_on_a_free_space():
    here = position()
    reading = seen(here, ("1:R1a", "red"))
    (found,) = differences(reading, here.lies())
    verdict = reconcile(reading, here, Memory(compared=frozenset({found.key})))
    assert verdict.plays == ()
    assert [(one.place, one.clause) for one in verdict.disagreements] == [("1:R1a", None)]


def test_who_presses_a_button_is_moved_for_and_the_others_figures_wait():
    here = position()
    reading = seen(here, ("1:R1a", "red"), ("1:R1b", "blue"))
    verdict = reconcile(reading, here, Memory(), only="red")
    assert [move["space"] for move in verdict.plays] == ["1:R1a"]
    (waiting,) = verdict.held
    assert "1:R1b" in waiting


def building():
    """Red has to say which room is built, and at the table one lies there already."""
    here = position(
        tracks={"rooms": ["garden", "lounge", "armory"]},
        players={"red": {"resources": {"water": 6, "food": 6, "energy": 6}}},
    ).after({"do": "place", "by": "red", "space": "2:E"})
    rooms = {**reading_of(here.state())["rooms"], "2:L1": {"card": "lounge"}}
    return here, seen(here, rooms=rooms)


def test_a_room_that_is_laid_is_the_answer_of_what_to_build():
    here, reading = building()
    (move,) = reconcile(reading, here, Memory()).plays
    assert (move["do"], move["by"], move["option"]) == ("choose", "red", "lounge@left")


def test_a_room_that_lay_there_at_the_start_answers_nothing():
    here, reading = building()
    keys = frozenset(one.key for one in differences(reading, here.lies()))
    verdict = reconcile(reading, here, Memory(compared=keys))
    assert verdict.plays == ()
    assert "2:L1" in {one.place for one in verdict.disagreements}


def test_of_two_unnamed_cards_the_one_that_can_be_what_is_seen_is_named():
    unknown = {"1:R1a": "unknown", "1:R1b": "unknown"}
    here = position(cards="table").after({"do": "correct", "set": {"threats": unknown}})
    reading = seen(here, threats={"1:R1a": {"card": "no-such-threat"}, "1:R1b": {"card": "raider"}})
    (move,) = reconcile(reading, here, Memory()).plays
    assert move["option"] == "raider"
    assert here.after(move).state()["threats"] == {"1:R1a": "unknown", "1:R1b": "raider"}


def test_a_figure_does_not_make_the_card_below_it_wrong():
    here = position(threats={"1:R1a": "raider"})
    reading = seen(here, ("1:R1a", "red"))
    coach = coached(reading, here.lies(), differences(reading, here.lies()))
    assert {"place": "1:R1a", "piece": "raider"} in coach["lies"]
    assert coach["wrong"] == [{"place": "1:R1a", "piece": "red"}]
