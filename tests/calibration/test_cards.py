"""Enrolling a deck: card by card on the middle of the mat, or where they lie."""

import cv2
import numpy as np
import pytest

from calibration.guide import LiveStep
from calibration.measuring.card_names import CardNamer, same_card
from calibration.measuring.outline import find_outline
from calibration.profiles import EnrolledDeck
from calibration.steps.enrolment import CardStep
from calibration.steps.step import StepError
from tests.vision import tables

from . import scenes
from .rows import a_row

BARE = scenes.card_at(None)


@pytest.fixture
def step(file):
    """A step that knows six cards and has no picture of any."""
    file.change({"cards": {f"room-{n:02d}": {"art": []} for n in range(6)}})
    return CardStep(file)


def likeness(path, number):
    small = [
        cv2.resize(one, (44, 32), interpolation=cv2.INTER_AREA) for one in (cv2.imread(str(path)), tables.art(number))
    ]
    return np.corrcoef(*[one.astype(float).ravel() for one in small])[0, 1]


@pytest.mark.parametrize("turn", [0, 12, -35, 180, 90])
def test_a_card_with_a_sticker_is_taken_and_named_whichever_way_it_lies(step, codes, turn):
    assert codes(step.see(BARE)) == ["lay_a_card"]
    notes = step.see(scenes.card_at(tables.art(3), turn=turn, tag=13))
    assert codes(notes) == ["card_taken"]
    assert notes[0].fields == {"card": "room-03", "by": "sticker", "light": "day"}
    kept = step.deck.folder("room-03") / "day.jpg"
    picture = cv2.imread(str(kept))
    assert picture.shape == (63 * 4, 88 * 4, 3)
    without = picture.copy()
    without[:90, -100:] = 0
    flat = cv2.resize(tables.art(3), (88 * 4, 63 * 4), interpolation=cv2.INTER_AREA)
    flat[:90, -100:] = 0
    assert np.corrcoef(without.ravel().astype(float), flat.ravel().astype(float))[0, 1] > 0.93
    assert step.file.raw()["cards"]["room-03"]["art"] == ["cards/room-03"]


@pytest.mark.parametrize("lamp", [True, False])
@pytest.mark.parametrize("card", ["round-door", "welcome-hall"])
def test_a_pale_printed_card_on_the_pale_printed_mat_is_found_by_its_lines(tmp_path, codes, card, lamp):
    row = a_row([None] * 12, tmp_path, seed=3)
    row.table.clear()
    row.table.switch(lamp=lamp)
    step = CardStep(row.file)
    assert codes(step.see(row.table.picture())) == ["lay_a_card"]
    row.table.lay(card, "3:E")
    assert step.see(row.table.picture())[0].fields == {"card": card, "by": "sticker", "light": "day"}


def test_without_a_sticker_somebody_is_asked_and_the_answer_is_kept(step, codes):
    assert codes(step.see(scenes.card_at(tables.art(2)))) == ["which_card"]
    assert step.details()["waiting"]
    assert step.details()["fitting"] == [f"room-{n:02d}" for n in range(6)]
    with pytest.raises(StepError, match="there is no card 'garden'"):
        step.act("name", {"card": "garden"})
    step.act("name", {"card": "room-02"})
    assert codes(step.notes) == ["card_taken"]
    assert likeness(step.deck.folder("room-02") / "day.jpg", 2) > 0.9
    assert step.progress == (1, 6)
    assert step.details()["fitting"] == []


def test_a_card_that_still_lies_there_is_not_taken_twice(step, codes):
    step.see(scenes.card_at(tables.art(3), tag=13))
    assert codes(step.see(scenes.noisy(scenes.card_at(tables.art(3), tag=13), 5))) == ["next_card"]
    assert codes(step.see(scenes.card_at(tables.art(4), tag=14))) == ["card_taken"]
    assert step.progress == (2, 6)


def test_in_another_light_the_cards_name_themselves(step):
    for number in range(6):
        step.see(scenes.card_at(tables.art(number)))
        step.act("name", {"card": f"room-{number:02d}"})
    step.act("light", {"light": "lamp"})
    assert step.progress == (0, 6)
    for number in range(6):
        warm = np.clip(scenes.card_at(tables.art(number)) * np.array([0.6, 0.8, 0.95]), 0, 255).astype(np.uint8)
        notes = step.see(warm)
        assert (notes[0].code, notes[0].fields["card"]) == ("card_taken", f"room-{number:02d}"), number
    assert step.progress == (6, 6)
    assert step.deck.lights("room-00") == ["day", "lamp"]


def test_a_card_lying_head_down_is_kept_upright(file):
    step = CardStep(file)
    notes = step.see(scenes.card_at(tables.art(1), turn=180))
    assert (notes[0].code, notes[0].fields["card"]) == ("card_taken", "room-01")
    assert likeness(step.deck.folder("room-01") / "day.jpg", 1) > 0.9
    assert file.raw()["cards"]["room-01"]["art"] == ["art/1.png", "cards/room-01"]


def test_enrolling_can_be_left_and_taken_up_again(step):
    step.see(scenes.card_at(tables.art(3), tag=13))
    later = CardStep(step.file)
    assert later.progress == (1, 6)
    assert later.deck.missing(step.file.profile(), "day") == [f"room-{n:02d}" for n in (0, 1, 2, 4, 5)]


def test_a_single_card_is_taken_again(step, codes):
    step.see(scenes.card_at(tables.art(3), tag=13))
    step.act("again", {"card": "room-03"})
    assert step.progress == (0, 6)
    assert step.file.raw()["cards"]["room-03"]["art"] == []
    assert codes(step.see(scenes.card_at(tables.art(3), tag=13))) == ["card_taken"]


def test_a_file_called_after_its_card_needs_no_sticker(step):
    notes = step.see(scenes.card_at(tables.art(2)), "room-02.lamp.jpg")
    assert (notes[0].fields["card"], notes[0].fields["by"]) == ("room-02", "file")


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        (lambda: cv2.GaussianBlur(scenes.card_at(tables.art(3)), (0, 0), 3.5), {"card_blurred", "no_table"}),
        (lambda: np.full((900, 1200, 3), 120, dtype=np.uint8), {"no_table"}),
        (lambda: scenes.card_at(np.full((189, 264, 3), 255, dtype=np.uint8)), {"card_glares"}),
        (
            lambda: scenes.card_at(
                tables.art(3), on=lambda flat: cv2.circle(flat, (1480, 860), 260, (120, 150, 190), -1)
            ),
            {"lay_a_card"},
        ),
    ],
)
def test_what_is_no_good_picture_of_a_card_is_not_taken(step, codes, picture, code):
    assert set(codes(step.see(picture()))) <= code
    assert step.progress == (0, 6)


def glossy(card, *, left=0.12):
    """A card that mirrors a window: little of its own picture is left."""
    light = (card / 255.0) ** 2.2 * left + 0.76
    return np.clip(light ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)


def test_a_nearly_white_picture_of_a_glossy_card_is_not_taken(step, codes):
    step.see(BARE)
    assert codes(step.see(scenes.card_at(glossy(tables.art(3)), tag=13))) == ["card_blank"]
    assert codes(step.see(scenes.card_at(tables.art(3), tag=13))) == ["card_taken"]
    assert step.progress == (1, 6)


def test_nearly_white_cards_in_play_are_not_taken(step, codes, monkeypatch):
    drawn = tables.art
    monkeypatch.setattr(tables, "art", lambda number: glossy(drawn(number)) if number != 1 else drawn(number))
    places = {"2:R1": 3, "4:L2": 1, "1:L1": 0}
    step.see(tables.draw_table(places))
    notes = step.see(tables.draw_table(places))
    assert codes(notes) == ["cards_taken", "cards_blank"]
    assert notes[1].fields == {"count": 2, "some": "room-00, room-03"}
    assert step.progress == (1, 6)


def test_a_profile_without_cards_and_a_word_that_nobody_knows(fresh, step, codes):
    assert codes(CardStep(fresh).see(BARE)) == ["no_cards_known"]
    for action, fields in (
        ("dance", {}),
        ("light", {"light": "moon"}),
        ("name", {"card": "room-01"}),
        ("again", {"card": "x"}),
    ):
        with pytest.raises(StepError):
            step.act(action, fields)


def test_leaving_a_card_keeps_nothing_of_it(step):
    step.see(scenes.card_at(tables.art(2)))
    step.act("leave", {})
    assert not step.details()["waiting"]
    assert step.progress == (0, 6)


def test_cards_that_lie_in_play_are_taken_when_two_pictures_agree(step, codes):
    places = {"2:R1": 3, "4:L2": 1, "1:L1": 0}
    assert codes(step.see(tables.draw_table(places))) == ["cards_once"]
    covered = tables.draw_table(places)
    middle = scenes.pixel(tables.camera(), (92, 67, 0)).astype(int)
    cv2.circle(covered, tuple(int(v) for v in middle), 22, (30, 30, 190), -1)
    assert codes(step.see(covered)) == ["cards_taken", "cards_once"]
    assert [step.deck.lights(f"room-0{n}") for n in (0, 1, 3)] == [["day"], ["day"], []]
    assert codes(step.see(tables.draw_table({"3:R3": 3, "4:R2": 1, "5:L1": 0}))) == ["cards_taken"]
    assert likeness(step.deck.folder("room-03") / "day.jpg", 3) > 0.7
    assert codes(step.see(tables.draw_table(places))) == ["nothing_new"]


def test_an_outline_has_the_size_of_a_card_or_is_none():
    patch = np.full((280, 280, 3), 90, dtype=np.uint8)
    assert find_outline(patch, None, (0, 0), [(88, 63)]) is None
    cv2.rectangle(patch, (100, 100), (180, 212), (20, 60, 200), -1)
    assert find_outline(patch, None, (0, 0), [(88, 63)]) is None
    found = find_outline(patch, None, (10, 20), [(40, 56), (88, 63)])
    assert found is not None
    assert found.size == (40, 56)
    assert np.abs(found.corners.mean(axis=0) - (10, 12)).max() < 1
    assert found.corners[0][1] > found.corners[3][1]


def test_two_pictures_of_one_card_are_the_same_and_of_two_cards_not(file):
    one, two = (cv2.resize(tables.art(n), (352, 252)) for n in (1, 2))
    assert same_card(one, scenes.noisy(one))
    assert not same_card(one, two)
    assert CardNamer(file.profile()).by_picture(one, (88, 63)).card == "room-01"
    assert CardNamer(file.profile()).by_picture(one, (40, 56)) is None
    assert EnrolledDeck(file).lights("room-01") == []


def test_a_small_pale_card_on_the_empty_place_is_looked_at_by_itself(step):
    """A threat is a third of a room, and of pale paper only its lines and its picture differ."""
    live = LiveStep(step)
    bare = np.full((240, 320), 200, dtype=np.uint8)
    laid = bare.copy()
    laid[110:120, 155:165] = 150
    assert [live.due(bare, at / 10) for at in range(9)][-1]
    live.take(BARE)
    assert not any(live.due(bare, 1 + at / 10) for at in range(20)), "nothing new"
    assert [live.due(laid, 4 + at / 10) for at in range(9)][-1]
