"""What an owner's corrections may say beyond a field of a card: an elevator of one colour, and cards of their own."""

import pytest

from companion.cards.corrections import corrections_of
from companion.cards.loader import builtin, pack_text
from companion.cards.notation import print_space
from companion.cards.pack import PackFaults
from companion.games.shelter.adapter import GAME
from companion.games.shelter.cards.box import Box
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from tests.games.scenarios import run

ELEVATORS = 'elevator-red = "free -> 2W"\nelevator-yellow = "1F -> dweller"\n'
CARDS = """
[[room]]
id = "duck-pond"
copies = 2
build = "1F"
left = "free -> 1H"

[[threat]]
id = "goose"
copies = 1
space = "fight:5 -> 2H"

[[item]]
id = "whistle"
copies = 1
kind = "pet"
effect = "roll_bonus"
use = "exhaust"
when = "before-roll"
bonus = 1

[cards.duck-pond]
right = "free -> 1F"

[names.en]
duck-pond = "Duck pond"
"""


@pytest.fixture
def overlay(tmp_path):
    def write(text):
        path = tmp_path / "overlay.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_elevators_may_differ_by_colour(overlay):
    pack = builtin("standard", overlay(ELEVATORS))
    shown = [print_space(pack.elevator_of(colour)) for colour in (None, "red", "blue", "yellow")]
    common = print_space(builtin("standard").elevator)
    assert shown == ["free -> heal (injured only)", "free -> 2W", common, "1F -> dweller"]


def test_p4_an_elevator_of_its_own_is_its_owners_alone(overlay):
    raw = {
        "players": ["red", "blue", "yellow"],
        "start": {"round": 1, "phase": "place", "players": {"yellow": {"resources": {"food": 1}}}},
        "moves": [
            {"do": "place", "by": "red", "space": "3:E", "refused": "P4"},
            {"do": "place", "by": "red", "space": "2:E"},
            {"do": "place", "by": "blue", "space": "3:E", "refused": "P2"},
            {"do": "pass", "by": "blue"},
            {"do": "place", "by": "yellow", "space": "4:E"},
        ],
        "then": {
            "turn": "red",
            "players": {"red": {"resources": {"water": 2}}, "yellow": {"resources": {"food": 0}, "total": 3}},
        },
    }
    assert run(raw, Box(builtin("standard", overlay(ELEVATORS))), SeededLuck(1)) == []


def test_c4_a_correction_adds_cards(overlay):
    pack = builtin("standard", overlay(CARDS))
    assert {"duck-pond", "goose", "whistle"} <= {card.id for card in pack.cards}
    assert pack.names["en"]["duck-pond"] == "Duck pond"
    assert [print_space(space) for space in pack.rooms[-1].spaces] == ["free -> 1H", "free -> 1F"]
    assert any("26 cards, 24 in the box" in warning for warning in pack.warnings)
    box = Box(pack)
    raw = {
        "players": ["red", "blue"],
        "decks": {"rooms": ["duck-pond"], "threats": ["goose"], "items": ["whistle"]},
        "start": {"round": 1, "phase": "place", "players": {"red": {"resources": {"food": 1}}}},
        "moves": [
            {"do": "place", "by": "red", "space": "2:E"},
            {"do": "choose", "by": "red", "option": "duck-pond@left"},
            {"do": "place", "by": "blue", "space": "2:L1a"},
        ],
        "then": {"players": {"blue": {"happiness": 1}}, "levels": {"2": {"rooms": {"L1": "duck-pond"}}}},
    }
    assert run(raw, box, SeededLuck(1)) == []


def test_a_pack_with_added_cards_is_kept_in_the_record_as_it_is(overlay):
    path = overlay(ELEVATORS + CARDS)
    kept, read = pack_text("standard", path).pack(), builtin("standard", path)
    assert (kept.cards, kept.elevators, kept.names) == (read.cards, read.elevators, read.names)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ('[[room]]\nid = "garden"\ncopies = 1\nbuild = "1F"\nleft = "free -> 1H"', 2, "an id taken"),
        ('[[room]]\nid = "pond"\ncopies = 1', 1, "no build"),
        ('room = "pond"', 1, 'room = "pond"'),
        ('[[top]]\nid = "pond"', 1, "top"),
        ('elevator-pink = "free -> 1W"', 1, "elevator-pink"),
        ('elevator-red = "free -> gold"', 1, "gold"),
    ],
)
def test_what_cannot_be_added_is_told_with_its_line(overlay, text, line, found):
    with pytest.raises(PackFaults) as caught:
        builtin("standard", overlay(text))
    assert any(fault.line == line and found in fault.found for fault in caught.value.faults), str(caught.value)


def test_the_page_keeps_what_was_added(overlay):
    path = overlay(ELEVATORS + CARDS)
    before = builtin("standard", path)
    corrections = corrections_of("standard", path)
    overlay(corrections.text())
    assert builtin("standard", path) == before
    corrections.set_card("duck-pond", {**corrections.sheet("duck-pond").fields, "copies": 1})
    corrections.set_head("elevator-red", "")
    corrections.add_like("goose", "goose-2")
    overlay(corrections.text())
    after = builtin("standard", path)
    assert [card.copies for card in after.rooms if card.id == "duck-pond"] == [1]
    assert set(after.elevators) == {"yellow"}
    assert [card.space for card in after.threats if card.id.startswith("goose")] == [before.threats[-1].space] * 2


def test_a_running_game_keeps_its_number_of_cards(overlay):
    game = GAME.new(pack_text("standard"), {"players": ["red", "blue"]}, SeededLuck("1"))
    with pytest.raises(Refusal) as refused:
        GAME.with_cards(game, pack_text("standard", overlay(CARDS)))
    assert refused.value.code == "other_cards"
    changed = GAME.with_cards(game, pack_text("standard", overlay(ELEVATORS)))
    assert changed.vault.faces[19] is changed.box.elevators[0]
