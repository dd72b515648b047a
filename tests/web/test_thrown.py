"""Dice that the camera read are one more answer to the roll, on the phone that rolls."""

from web.presenting.cards import cards_of
from web.presenting.options import choices
from web.presenting.words import words_in

PENDING = {"id": 4, "by": "red", "kind": "fight", "options": ["roll", "use:minigun"], "clause": "F1"}


def state(dice):
    table = {"camera": "watching"} if dice is None else {"camera": "watching", "dice": dice}
    return {"pending": [PENDING], "placed": {}, "players": {"red": {"name": "Red"}}, "table": table}


def first(dice, seats=("red",)):
    asked = choices(words_in("en"), state(dice), cards_of(None), frozenset(seats))
    return asked[0].options[0] if asked else None


def test_they_are_offered_first_with_the_move_that_takes_them():
    option = first({"id": 4, "by": "red", "dice": [3, 5]})
    assert "3 and 5" in option.label
    assert option.move == {"do": "choose", "option": "roll", "id": 4, "by": "red", "dice": [[3, 5]]}


def test_not_for_another_roll_nor_another_seat_nor_without_dice():
    assert first({"id": 5, "by": "red", "dice": [3, 5]}).move["option"] == "roll"
    assert "dice" not in first({"id": 5, "by": "red", "dice": [3, 5]}).move
    assert "dice" not in first(None).move
    assert first({"id": 4, "by": "red", "dice": [3, 5]}, seats=("blue",)) is None
