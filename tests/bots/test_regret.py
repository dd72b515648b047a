"""Regret: kept positions are found again, playouts go on where they ended, and a loss is measured by other playouts."""

import json
import sys

import pytest

from benchmarks import regretting
from benchmarks.regretting import FILE, POSITIONS, Valuer, chance, loss, measure, positions
from companion.bots.policy.budget import Budget
from companion.games.shelter.state import state_of


def tried(space, playouts, even, odd):
    return {"move": {"do": "place", "space": space}, "playouts": playouts, "won": [even, odd]}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    def play(*arguments):
        monkeypatch.setattr(sys, "argv", ["regretting", "--file", str(tmp_path / "few.jsonl"), *arguments])
        regretting.main()
        return positions(tmp_path / "few.jsonl")

    return play


def test_a_kept_position_is_found_again():
    valuer = Valuer()
    found = valuer.found(3)
    first, second = (valuer.position(found) for _ in range(2))
    assert state_of(first) == state_of(second)
    legal = [move.as_json() for move in first.legal_moves()]
    assert all(one["move"] in legal for one in found["tried"])
    assert len(first.seats) == found["players"]


def test_playouts_go_on_where_they_ended(kept, tmp_path):
    rough = kept("--positions", "2", "--playouts", "4")
    assert [{one["playouts"] for one in position["tried"]} for position in rough] == [{4}, {4}]
    fine = kept("--positions", "2", "--playouts", "6")
    other = tmp_path / "few.jsonl"
    other.unlink()
    assert kept("--positions", "2", "--playouts", "6") == fine, "in two sittings or in one"
    assert all(0 <= chance(one) <= 1 for position in fine for one in position["tried"])


def test_only_the_best_two_are_played_on_to_the_end_and_all_to_a_part(kept, monkeypatch):
    monkeypatch.setattr(regretting, "FIRST", 2)
    counts = [
        sorted(one["playouts"] for one in position["tried"])
        for position in kept("--positions", "2", "--playouts", "16")
    ]
    assert {len(found) for found in counts} & {4, 5, 6}, "there are others"
    for found in counts:
        assert found[-2:] == [16, 16]
        assert all(4 <= count < 16 for count in found[:-2])


def test_a_bot_is_measured_in_every_position(kept, tmp_path):
    kept("--positions", "3", "--playouts", "4")
    found = measure("valued", Budget(walks=4), tmp_path / "few.jsonl")
    assert found["positions"] == 3
    assert found["fewest"] == 4
    assert found["worst_tenth"] >= found["mean"]


def test_the_best_is_found_by_one_half_and_measured_by_the_other():
    lucky, steady = tried("1:L1a", 200, 80, 40), tried("1:L1b", 200, 65, 65)
    assert loss(steady, [lucky, steady]) == pytest.approx((0.4 - 0.65) / 2)
    assert loss(lucky, [lucky, steady]) == pytest.approx((0.65 - 0.8) / 2)
    clear = tried("1:R1a", 200, 90, 90)
    assert loss(steady, [clear, steady]) == pytest.approx(0.25)
    assert loss(clear, [clear, steady]) == 0


def test_the_kept_positions_are_of_all_numbers_of_players():
    kept = positions(FILE)
    assert len(kept) == POSITIONS
    assert {one["players"] for one in kept} == {2, 3, 4}
    assert all(len(one["tried"]) > 1 for one in kept)
    assert json.dumps(kept)
