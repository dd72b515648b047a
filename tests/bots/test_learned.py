"""The learned value: chances of everybody, learned again from the same seed, and not used where it does not fit."""

import json
import random
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from companion.app.doctor import machine_checks
from companion.bots.policy.budget import Budget
from companion.bots.policy.characters import make
from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import moves_of, step
from companion.bots.study import siblings
from companion.bots.study.fitting import Fitting
from companion.bots.study.self_play import Examples, SelfPlay, gathered, gathered_families
from companion.bots.study.siblings import Families
from companion.bots.worth import learned
from companion.bots.worth.features import FEATURES, Observer
from companion.bots.worth.learned import FILE, LearnedValue, UnusableValueError, network_of, read, rules_version
from companion.cards.loader import builtin
from companion.cli import main
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.words import COLOURS
from companion.seeded_chance import QuickLuck

BOX = Box(builtin("standard"))
LARGEST = 200_000


def positions(players, seed):
    """Every position of one game of greedy players."""
    source = random.Random(seed)
    luck, greedy = QuickLuck(source), Greedy(BOX, source)
    game = new_game(BOX, TableSetup(COLOURS[:players]), luck)
    while game.result is None:
        yield game
        step(game, dict.fromkeys(game.seats, greedy), luck)
    yield game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_has_a_chance_in_every_position(players):
    greedy = Greedy(BOX, random.Random(1))
    value, observer = LearnedValue(greedy, read()), Observer(greedy)
    for game in positions(players, 4):
        chances = value.chances(game)
        assert sum(chances) == pytest.approx(1, abs=1e-5)
        assert [seat for seat, chance in enumerate(chances) if chance] == sorted(
            game.seats if game.result is None else game.result.winners
        )
        if game.result is None:
            rows = observer.look(game)
            assert {len(row) for row in rows} == {len(FEATURES)}
            assert np.isfinite(rows).all()


def test_it_knows_who_will_win_late_in_a_game():
    right, looked = 0, 0
    for seed in range(12):
        played = list(positions(2, f"late/{seed}"))
        winners = played[-1].result.winners
        late = next(game for game in played if game.round >= played[-1].round - 1)
        chances = LearnedValue(Greedy(BOX, random.Random(1)), read()).chances(late)
        right += max(late.seats, key=chances.__getitem__) in winners
        looked += 1
    assert right > 0.65 * looked


def test_the_file_is_small_and_of_these_rules():
    assert FILE.stat().st_size <= LARGEST
    raw = json.loads(FILE.read_text(encoding="utf-8"))
    assert raw["rules"] == rules_version()
    assert raw["learned_by"].startswith("companion train ")
    assert network_of() is not None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"rules": 1}, "was learned by version 1 of the rules; these are version"),
        ({"game": "chess"}, "no learned value of shelter"),
        ({"format": 9}, "no learned value of shelter"),
        ({"features": ["happiness"]}, "other features"),
        ({"bias": [0.0]}, "do not fit each other"),
        ({"hidden": [[0.0]], "bias": [0.0], "out": [0.0], "straight": [0.0]}, "not a number for every feature"),
        ({"out": "many"}, "cannot be read"),
    ],
)
def test_one_that_does_not_fit_is_noticed_and_not_used(tmp_path, monkeypatch, change, why):
    file = tmp_path / "learned.json"
    file.write_text(json.dumps({**json.loads(FILE.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    with pytest.raises(UnusableValueError, match=why):
        read(file)
    monkeypatch.setattr(learned, "read", lambda: read(file))
    network_of.cache_clear()
    try:
        assert network_of() is None
        search = make("valued", BOX, random.Random(1), Budget(walks=6))
        game = new_game(BOX, TableSetup(COLOURS[:2]), QuickLuck(random.Random(1)))
        assert search.choose(game, game.turn) in moves_of(game, game.turn), "it plays on without it"
    finally:
        monkeypatch.undo()
        network_of.cache_clear()


def test_the_doctor_tells_of_a_value_that_is_not_used(monkeypatch):
    assert machine_checks.bots() is None
    monkeypatch.setattr(learned, "rules_version", lambda: 99)
    check = machine_checks.bots()
    assert check.code == "bots_value_unused"
    assert "these are version 99" in check.fields["why"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1'])
def test_a_damaged_file_is_no_value(tmp_path, text):
    file = tmp_path / "learned.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableValueError):
        read(file)
    with pytest.raises(UnusableValueError):
        read(Path(tmp_path / "none.json"))


def test_self_play_is_the_same_from_the_same_seed():
    first, second = (list(SelfPlay(BOX, 3, 7).games(3)) for _ in range(2))
    assert first == second
    learned_from, held_back = gathered(iter(first))
    assert len(held_back) < len(learned_from)


def test_families_are_the_same_from_the_same_seed():
    first, second = (list(islice(Families(BOX, 3, 7, read()).families(), 3)) for _ in range(2))
    assert first == second
    for family in first:
        assert 2 <= len(family.seen) <= 6
        assert len(family.chances) == len(family.seen)
        assert family.mover in range(3)
        for chances in family.chances:
            assert sum(chances) == pytest.approx(1, abs=1e-5)
    assert any(len({tuple(chances) for chances in family.chances}) > 1 for family in first), "moves matter"
    learned_from, held_back = gathered_families(first)
    assert len(held_back) == len(first[0].seen)
    assert len(learned_from) == len(first[1].seen) + len(first[2].seen)


def test_fitting_finds_what_decides():
    """Whoever has more of the first feature wins: it is learned from games, and holds for those held back."""
    source = np.random.default_rng(1)
    sets = []
    for _ in range(2):
        examples = Examples()
        for _ in range(3000):
            rows = source.normal(0, 1, (2, len(FEATURES)))
            examples.add_game([rows.tolist()], [float(rows[0, 0] > rows[1, 0]), float(rows[0, 0] <= rows[1, 0])])
        sets.append(examples)
    curve = list(Fitting(8, 1).passes(sets[:1], sets[1:], 12))
    assert curve[-1]["held_back"] < 0.5 < curve[0]["held_back"], "to know nothing is 0.69"
    assert [at["epoch"] for at in curve] == list(range(1, 13))
    assert {at["siblings"] for at in curve} == {0.0}, "there are none"


def test_fitting_tells_siblings_apart_whatever_decides_between_families():
    """Families differ by what no feature shows, siblings a little by the second one."""
    source = np.random.default_rng(2)
    sets = []
    for _ in range(2):
        examples = Examples()
        for _ in range(1000):
            rows, luck = source.normal(0, 1, (4, 2, len(FEATURES))), source.uniform(0.2, 0.8)
            chances = np.clip(luck + 0.05 * (rows[:, 1, 1] - rows[:, 0, 1]), 0, 1)
            examples.add(rows.tolist(), np.stack([1 - chances, chances], 1).tolist(), 1)
        sets.append(examples)
    curve = list(Fitting(8, 1).passes(sets[:1], sets[1:], 12))
    assert curve[-1]["siblings"] > 0.95 > curve[0]["siblings"]


def test_the_command_writes_what_can_be_read(tmp_path, monkeypatch):
    monkeypatch.setattr(siblings, "PLAYOUTS", 1)
    outs = [tmp_path / "one.json", tmp_path / "other.json"]
    for out in outs:
        command = ["train", "--games", "20", "--families", "4", "--epochs", "1", "--hidden", "4", "--out", str(out)]
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 0, result.output
        assert "correlation of siblings" in result.output
    assert outs[0].read_bytes() == outs[1].read_bytes()
    assert len(read(outs[0]).bias) == 4
