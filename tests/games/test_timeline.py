"""Undo, redo and what the record needs: the line of a game."""

import pytest

from companion.games.timeline import Outcome, Replaying, Timeline
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .scenarios import make
from .shelter.play import a_game, everything


def timeline_in_spawn():
    timeline = Timeline(a_game(2, seed=4))
    make(timeline, {"do": "correct", "set": {"round": 2, "phase": "spawn"}}, SeededLuck(4))
    return timeline


def dice_of(timeline):
    return [spawned.dice for spawned in timeline.game.spawned]


def test_dice_that_were_told_fall_the_same_after_an_undo():
    timeline = timeline_in_spawn()
    make(timeline, {"do": "spawn", "dice": [[1, 1], [2, 2]]}, SeededLuck(4))
    told = dice_of(timeline)
    assert told[:2] == [(1, 1), (2, 2)]
    timeline.undo()
    make(timeline, {"do": "spawn"}, SeededLuck(99))
    assert dice_of(timeline) == told


def test_dice_told_after_an_undo_are_the_ones_that_count():
    timeline = timeline_in_spawn()
    make(timeline, {"do": "spawn"}, SeededLuck(4))
    timeline.undo()
    make(timeline, {"do": "spawn", "dice": [[6, 6], [6, 6], [6, 6]]}, SeededLuck(4))
    assert dice_of(timeline) == [(6, 6)] * 3


def test_versions_count_undos_and_redos_too():
    timeline = Timeline(a_game())
    make(timeline, {"do": "place", "by": "red", "space": "1:R1a"}, SeededLuck(1))
    make(timeline, {"do": "undo"}, SeededLuck(1))
    make(timeline, {"do": "redo"}, SeededLuck(1))
    assert timeline.version == 3
    assert [move.as_json()["do"] for move, _ in timeline.moves()] == ["place"]


def test_any_version_can_be_gone_back_to_also_an_undone_one():
    timeline = Timeline(a_game())
    make(timeline, {"do": "place", "by": "red", "space": "1:R1a"}, SeededLuck(1))
    there = everything(timeline.game)
    make(timeline, {"do": "undo"}, SeededLuck(1))
    make(timeline, {"do": "pass", "by": "red"}, SeededLuck(1))
    make(timeline, {"do": "undo", "to": 1}, SeededLuck(1))
    assert everything(timeline.game) == there


@pytest.mark.parametrize("raw", [{"do": "undo"}, {"do": "redo"}, {"do": "undo", "to": 1}, {"do": "undo", "to": -1}])
def test_nothing_to_go_to_is_a_refusal(raw):
    timeline = Timeline(a_game())
    before = everything(timeline.game)
    with pytest.raises(Refusal):
        make(timeline, raw, SeededLuck(1))
    assert everything(timeline.game) == before


def test_a_move_after_an_undo_forgets_what_could_be_redone():
    timeline = Timeline(a_game())
    make(timeline, {"do": "pass", "by": "red"}, SeededLuck(1))
    make(timeline, {"do": "undo"}, SeededLuck(1))
    make(timeline, {"do": "place", "by": "red", "space": "1:R1a"}, SeededLuck(1))
    with pytest.raises(Refusal):
        make(timeline, {"do": "redo"}, SeededLuck(1))


def test_an_outcome_reads_back_equal():
    outcome = Outcome.from_json({"dice": [[3, 4]], "shuffled": [[2, 1]]})
    assert outcome.as_json() == {"dice": [[3, 4]], "shuffled": [[2, 1]]}
    assert Outcome().as_json() == {}


def test_a_record_that_is_short_says_so():
    replaying = Replaying(Outcome.from_json({"shuffled": [[1, 2]]}))
    with pytest.raises(Refusal):
        replaying.roll(0)
    with pytest.raises(Refusal):
        replaying.shuffle(0, [1, 3])
    assert replaying.told_card() is None
