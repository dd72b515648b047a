"""Path-traced rounds through eye, watcher, steadier and session: the right moves, and nothing that is not there."""

import pytest

from tests.recordings import told
from tests.recordings.projector import Projector, scenes

WHITE = 0.9  # of a space


@pytest.fixture
def projector(tmp_path):
    made = []

    def make(name, setup):
        made.append(Projector(tmp_path / name, name))
        made[-1].start(setup)
        return made[-1]

    yield make
    for one in made:
        one.end()


@pytest.fixture
def evening(projector):
    return projector("evening", told.EVENING_SETUP)


@pytest.fixture
def mirrored(projector):
    return projector("mirrored", told.EVENING_SETUP)


@pytest.fixture
def afternoon(projector):
    return projector("afternoon", told.AFTERNOON_SETUP)


def nothing_wrong(played):
    """No figure that nobody put down, no card that does not lie there, and at rest nothing overlooked."""
    found = played.verdicts
    assert found.readings
    assert (found.phantoms, found.wrong, found.missed, found.lost) == ([], [], [], 0)


def disagreements(played):
    """Which disagreements were open when the table had rested, scene by scene."""
    found = {name: state["table"]["disagreements"] for name, state in played.states.items()}
    return {name: [(one["place"], one["kind"], one["clause"]) for one in ones] for name, ones in found.items() if ones}


def asked(played, scene):
    """What was asked at a scene's end, but for what is asked of nobody."""
    return [(one["by"], one["kind"]) for one in played.states[scene]["pending"] if one["by"]]


def test_an_evening_is_played_as_it_was_played(evening):
    evening.play(scenes("evening"), told.EVENING_TAPS)
    nothing_wrong(evening)
    assert evening.moves == told.EVENING_MOVES
    assert disagreements(evening) == {"yellow too early": [("1:L1a", "turn", "R2")]}
    assert ("green", "placement") in asked(evening, "green trained")
    assert "1:R1a" not in evening.states["green trained"]["placed"]  # asked, not guessed
    assert evening.state["threats"] == {"3:R1a": "dust-bunny", "4:R1a": "wild-goose"}


def test_an_evening_with_a_lamp_mirrored_among_the_cards_is_played_as_it_was_played(mirrored):
    mirrored.play(scenes("mirrored"), told.EVENING_TAPS)
    nothing_wrong(mirrored)
    assert mirrored.moves == told.EVENING_MOVES
    assert disagreements(mirrored) == {"yellow too early": [("1:L1a", "turn", "R2")]}
    glares = mirrored.looks[-1][1].reading.glares
    assert {"4:E", "5:L1b", "5:E", "5:R1a"} <= {space for space, share in glares.items() if share > WHITE}


def test_an_afternoon_without_stickers_is_played_as_it_was_played(afternoon):
    afternoon.play(scenes("afternoon"), told.AFTERNOON_TAPS)
    nothing_wrong(afternoon)
    assert afternoon.moves == told.AFTERNOON_MOVES
    assert disagreements(afternoon) == {}
    assert afternoon.state["threats"] == {"2:R1a": "prickly-hedgehog", "3:R2b": "tunnel-toad"}
