"""Dice that the camera read are one more answer to the roll, on the phone that rolls."""

import pytest

from companion.languages.catalogues import codes
from web.base.words import words_in
from web.games.shelter.cards import cards_of
from web.games.shelter.choices import choices, on_screen

PENDING = {"id": 4, "by": "red", "kind": "fight", "options": ["roll", "use:minigun"], "clause": "G1"}
TAKE = {"do": "choose", "option": "roll", "id": 4, "by": "red", "dice": [[3, 5]]}
THROWN = {"kind": "fight", "id": 4, "by": "red", "dice": [[3, 5]], "unsure": False, "moves": [TAKE]}
STEP = {"kind": "spawn", "id": None, "by": None, "levels": [1, 2, 3], "dice": [[3, 5], [6, 6]], "unsure": False}


def state(dice, pending=PENDING):
    table = {"camera": "watching"} if dice is None else {"camera": "watching", "dice": dice}
    asked = [] if pending is None else [pending]
    return {"pending": asked, "placed": {}, "players": {"red": {"name": "Red"}}, "table": table}


def asked(dice, seats=("red",), pending=PENDING, language="en"):
    return choices(words_in(language), state(dice, pending), cards_of(None), frozenset(seats))


def test_they_are_offered_first_with_the_move_that_takes_them_and_a_way_back():
    first, *others = asked(THROWN)[0].options
    assert "3 and 5" in first.label
    assert first.move == TAKE
    assert others[-1].move == {"do": "rethrow"}
    assert others[0].move["option"] == "roll"


def test_not_for_another_roll_nor_another_seat_nor_without_dice():
    for dice in (None, {**THROWN, "id": 5}):
        assert all("dice" not in option.move for option in asked(dice)[0].options)
    assert asked(THROWN, seats=("blue",)) == []
    assert asked(THROWN, seats=()) == []


def test_a_roll_that_is_made_again_names_the_item_that_allows_it():
    move = {**TAKE, "option": "use:fat-man"}
    reroll = {**PENDING, "kind": "reroll", "options": ["keep", "use:fat-man"]}
    first = asked({**THROWN, "kind": "reroll", "moves": [move]}, pending=reroll)[0].options[0]
    assert first.label.startswith("Fat Man")
    assert first.move == move


@pytest.mark.parametrize("language", codes())
def test_dice_that_cannot_be_read_are_said_and_nothing_is_offered(language):
    dice = {**THROWN, "dice": [], "moves": [], "unsure": True}
    choice = asked(dice, language=language)[0]
    assert choice.notes == [words_in(language).text("thrown_unsure")]
    assert [option.move["option"] for option in choice.options] == ["roll", "use:minigun"]
    assert on_screen(words_in(language), state(dice)) == choice.notes


def test_the_threat_step_shows_every_level_and_is_taken_as_one():
    part = {**STEP, "moves": [{"do": "spawn", "dice": STEP["dice"]}]}
    (choice,) = asked(part, pending=None)
    assert choice.notes == ["Level 1: 3 + 5 = 8", "Level 2: 6 + 6 = 12", "Now throw for level 3."]
    assert [option.move["do"] for option in choice.options] == ["spawn", "rethrow"]
    assert "level 2" in choice.options[1].label
    whole = {**part, "dice": [[3, 5], [6, 6], [1, 1]]}
    assert asked(whole, pending=None)[0].options[0].label != choice.options[0].label
    assert asked(part, seats=(), pending=None) == []
    assert on_screen(words_in("en"), state(part)) == choice.notes[:2]
    assert on_screen(words_in("en"), state(None)) == []


def test_before_the_first_level_is_read_a_doubt_is_said():
    (choice,) = asked({**STEP, "dice": [], "moves": [], "unsure": True}, pending=None)
    assert choice.options == []
    assert words_in("en").text("thrown_unsure") in choice.notes
