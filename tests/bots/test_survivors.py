"""The second game's bots: legal moves alone, nothing known that they cannot see, and a reason for each move."""

import random

import pytest
from click.testing import CliRunner

from companion.bots.wasteland import seats
from companion.bots.wasteland.helper import packed, unpacked
from companion.bots.wasteland.policy import Glancing, GreedySurvivor, make, play_on
from companion.bots.wasteland.reasons import WHYS, why
from companion.cards.wasteland.loader import builtin
from companion.cli import main
from companion.games.wasteland.box import NOBODY, WastelandBox
from companion.games.wasteland.game import WastelandTable, new_game
from companion.games.wasteland.state import private_of, state_of
from companion.languages import catalogues
from companion.seeded_chance import SeededLuck

BOX = WastelandBox(builtin("homemade"))


def begun(seed, players=2, scenario="the-drowned-lights"):
    return new_game(BOX, WastelandTable(tuple(range(players)), scenario), SeededLuck(seed))


def some_way(seed, decisions, **table):
    game, source = begun(seed, **table), random.Random(seed)
    glance = Glancing(source)
    play_on(game, {}, SeededLuck(seed), most=decisions, otherwise=glance)
    return game


@pytest.mark.parametrize("scenario", ["the-drowned-lights", "the-sunken-bell", "lamps-of-low-tide", "the-salt-road"])
@pytest.mark.parametrize("players", [1, 4])
def test_whole_games_are_played_legally(scenario, players):
    """A move that is not legal is refused, and would end the test."""
    game = begun(players, players, scenario)
    policies = {seat: Glancing(random.Random(seat)) for seat in game.seats}
    play_on(game, policies, SeededLuck(3), last=12)
    assert game.result is not None or game.round > 12


def test_every_move_is_one_of_the_legal_ones_and_has_a_reason_in_words():
    game, source, luck = begun(4), random.Random(4), SeededLuck(4)
    policy, told = GreedySurvivor(source, 1), set()
    for _ in range(60):
        seat = seats.who_decides(game)
        if game.result is not None:
            break
        if seat == NOBODY:
            game.play(seats.move_of_the_table(game), luck)
            continue
        move = policy.choose(game, seat)
        assert move in seats.moves_of(game, seat)
        reason = why(game, seat, move)
        told.add(reason["why"])
        game.play(move, luck)
    assert told <= set(WHYS)
    for language in ("en", "pl", "ru", "de"):
        assert set(WHYS) <= set(catalogues.texts(language, "reasons"))


@pytest.mark.parametrize("seed", range(6))
def test_a_guess_keeps_what_the_seat_can_see_and_nothing_else(seed):
    game = some_way(seed, 20)
    assert game.result is None
    seat = 0
    twin = seats.guessed(game, seat, random.Random(1))
    assert state_of(twin) == {**state_of(game), "options": state_of(twin)["options"]}
    assert private_of(twin, seat) == private_of(game, seat)
    everything = sorted(game.agendas.cards + [card for one in game.survivors for card in one.hand])
    assert sorted(twin.agendas.cards + [card for one in twin.survivors for card in one.hand]) == everything
    orders = {tuple(seats.guessed(game, seat, random.Random(nth)).agendas.cards) for nth in range(8)}
    assert len(orders) > 1


def test_a_choice_does_not_change_the_game():
    game = some_way(3, 40)
    seat = seats.who_decides(game)
    before = state_of(game)
    make("fair", random.Random(1)).choose(game, seat)
    assert state_of(game) == before


def test_a_position_travels_to_the_process_that_thinks():
    game = some_way(3, 40)
    twin = unpacked(packed(game), BOX)
    assert state_of(twin) == state_of(game)
    assert [private_of(twin, seat) for seat in (0, 1)] == [private_of(game, seat) for seat in (0, 1)]


def simulated(*more):
    return CliRunner().invoke(main, ["simulate", "--game", "wasteland", "--games", "2", "--players", "2", *more])


def test_games_are_simulated_and_the_same_seed_plays_the_same():
    again = [simulated("--match", "easy:random", "--scenario", "the-sunken-bell").output for _ in range(2)]
    assert again[0] == again[1]
    assert again[0].startswith("2 games of 2 players, easy:random, the-sunken-bell")
    together = simulated("--mode", "together", "--difficulty", "easy", "--policy", "easy", "--scenario", "low-tide")
    assert "together easy" in together.output


@pytest.mark.parametrize(
    "wrong", [("--scenario", "nowhere"), ("--walks", "3"), ("--study",), ("--game", "pig"), ("--match", "easy:easy")]
)
def test_what_cannot_be_simulated_is_told(wrong):
    result = simulated(*wrong)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
