import pytest

from companion.games.shelter.board.vault import Spawned
from companion.games.shelter.events import GameOver, LastRound, ThreatRolled, TurnPassed
from companion.games.shelter.words import NO_CARD
from companion.refusal import Refusal
from companion.table.session.events import MoveRefused
from hardware.panel.lamps import BREATH, DARK, LONG, MOST_BEEPS, SHORT, Beeping, LampState, beeps, brightness, lights

from .conftest import snapshot, state


def test_whose_turn_it_is():
    assert lights(state(turn="red")) == DARK | {"red": LampState.ON, "eye": LampState.ON}
    assert lights(state(turn="red", phase="spawn"))["red"] is LampState.OFF


def test_whose_turn_it_is_in_the_wasteland():
    assert lights(state(phase="turn", turn="green"))["green"] is LampState.ON
    assert lights(state(phase="enemies", turn="green"))["green"] is LampState.OFF


def test_a_choice_outshines_the_turn_and_a_disagreement_both():
    pending = [{"by": "red"}, {"by": "blue"}]
    table = {"camera": "unsure", "disagreements": [{"id": 7, "by": "blue"}, {"id": 8, "by": None}]}
    assert lights(state(turn="red", pending=pending, table=table)) == DARK | {
        "red": LampState.BREATHE,
        "blue": LampState.BLINK,
        "eye": LampState.BLINK,
    }


def test_in_the_end_the_winners_shine():
    found = lights(state(phase="over", result={"winners": ["green", "red"]}))
    assert [lamp for lamp, light in found.items() if light is LampState.ON] == ["red", "green", "eye"]


@pytest.mark.parametrize(
    ("camera", "light"),
    [
        ("watching", LampState.ON),
        ("hand", LampState.BREATHE),
        ("unsure", LampState.BLINK),
        ("lost", LampState.HURRY),
        ("off", LampState.OFF),
    ],
)
def test_the_eye(camera, light):
    assert lights(state(table={"camera": camera, "disagreements": []}))["eye"] is light


def test_brightness():
    times = [step / 100 for step in range(1000)]
    for light in LampState:
        values = {brightness(light, at) for at in times}
        assert min(values) >= 0
        assert max(values) <= 1
        assert (len(values) > 1) is light.moves
    assert brightness(LampState.BREATHE, 0) == 0.0
    assert brightness(LampState.BREATHE, BREATH / 2) == 1.0


def test_beeps():
    rolled = ThreatRolled(Spawned(0, (3, 4), -1, NO_CARD, "seven"))
    assert beeps(snapshot(rolled, TurnPassed(0), rolled), frozenset()) == [SHORT] * 2
    assert beeps(snapshot(MoveRefused(Refusal("no_game", None, "No game is being played."))), frozenset()) == [LONG]
    assert beeps(snapshot(LastRound(0, "B5")), frozenset()) == [SHORT] * 3
    assert beeps(snapshot(GameOver((0,))), frozenset()) == [LONG] * 3
    assert beeps(snapshot(*[rolled] * 20), frozenset()) == [SHORT] * MOST_BEEPS


def test_a_disagreement_sounds_once():
    shown = snapshot(table={"camera": "watching", "disagreements": [{"id": 7, "by": "red"}]})
    assert beeps(shown, frozenset()) == [SHORT] * 2
    assert beeps(shown, frozenset({7})) == []


def test_beeps_follow_each_other():
    beeping = Beeping()
    assert beeping.next_change(1.0) is None
    beeping.add(1.0, [SHORT, SHORT])
    assert beeping.next_change(1.0) == 1.0 + SHORT
    beeping.add(1.0, [LONG])
    sounding = [beeping.sounds(1.0 + step / 100) for step in range(200)]
    starts = sum(now and not before for before, now in zip([False, *sounding], sounding, strict=False))
    assert starts == 3
    assert not beeping.sounds(3.0)
    assert beeping.next_change(3.0) is None
