"""Laws that hold in every position of every game."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.refusal import Refusal
from companion.games.shelter import moves as m
from companion.games.shelter.choices import options as options_of
from companion.games.shelter.house_rules import NAMES as HOUSE_RULES
from companion.games.shelter.moves import Move
from companion.games.shelter.places import SPACES
from companion.games.shelter.rewards import dwellers_of
from companion.games.shelter.state import state_of
from companion.games.shelter.words import COLOURS, DWELLERS, PILES
from companion.games.timeline import Timeline
from companion.luck import QuickLuck, SeededLuck

from .play import PACKS, a_game, cards_of, everything, random_walk

tables = st.fixed_dictionaries(
    {
        "players": st.integers(2, 4),
        "pack": st.sampled_from(PACKS),
        "rules": st.sets(st.sampled_from(HOUSE_RULES)),
        "seed": st.integers(0, 10**9),
        "real_decks": st.booleans(),
    }
)
some = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))


def problems(game):
    """What must never be: too few, too many, or somewhere twice."""
    found = [f"cubes {game.cubes}"] if not all(0 <= amount <= 6 for amount in game.cubes) else []
    found += [f"happiness {game.happiness}"] if min(game.happiness) < 0 else []
    for colour in game.seats:
        if not 2 <= dwellers_of(game, colour) <= 7 or min(game.plain[colour], game.hurt[colour]) < 0:
            found.append(f"dwellers of {COLOURS[colour]}")
        if game.trained[colour] & game.trained[colour] >> 8 & 0xFF:
            found.append(f"a letter twice: {COLOURS[colour]}")
    for pile, name in enumerate(PILES):
        if cards_of(game, pile) != sorted(game.box.decks[pile]):
            found.append(f"{name} are not conserved")
        if not 0 <= game.unknown[pile] <= len(game.decks[pile]):
            found.append(f"unknown {name}")
    taken = sum(1 << space for space in game.placed)
    return found + ([] if taken == game.taken else ["taken spaces"])


@some
@given(tables)
def test_conserved_and_within_limits(table):
    before = {}
    for game, _ in random_walk(a_game(**table), table["seed"]):
        assert not problems(game)
        for colour in game.seats:
            assert dwellers_of(game, colour) >= before.get(colour, 2)
            before[colour] = dwellers_of(game, colour)
    assert game.result is not None
    assert game.round <= 60


@some
@given(tables)
def test_every_listed_move_plays(table):
    for number, (game, listed) in enumerate(random_walk(a_game(**table), table["seed"], 120)):
        assert len(listed) == len({str(move) for move in listed}), "a move is listed twice"
        if number % 5 == 0:
            for move in listed:
                twin = game.copy()
                twin.play(move, SeededLuck(1))
                assert not problems(twin)


def universe(game, source):
    """Moves of all kinds, most of them not legal now."""
    names = [card for pile in game.box.names for card in pile]
    for _ in range(40):
        colour = source.randrange(4)
        kind = source.randrange(6)
        if kind <= 1:
            dwellers = tuple(source.randrange(len(DWELLERS)) for _ in range(source.choice((1, 1, 2))))
            item = (source.choice(game.box.names[0]),) if source.random() < 0.2 else ()
            yield m.place(colour, source.randrange(SPACES), tuple(sorted(dwellers)), item)
        elif kind == 2:
            yield m.use(colour, source.choice(names))
        elif kind == 3:
            yield m.choose(colour, source.choice(["water", "none", "roll", "done", "S", "decline", *names]), 0)
        else:
            yield Move(source.choice((m.SPAWN, m.PASS, m.RECALL)), colour if source.random() < 0.9 else -1)


def key(move):
    """Moves that mean the same: the order of two dwellers does not matter."""
    raw = move.as_json()
    raw["dwellers"] = sorted(raw.get("dwellers", []))
    if raw["do"] in ("spawn", "recall"):
        raw.pop("by", None)
    return str(sorted(raw.items()))


def said_by_anybody(game):
    """A card drawn at the real table may be named by any seat that has no choice of its own."""
    askers = {choice.by for choice in game.pending}
    options = next((options_of(game, choice) for choice in game.pending if choice.by < 0), [])
    return {key(m.choose(colour, option)) for colour in range(4) if colour not in askers for option in options}


@some
@given(tables)
def test_every_other_move_is_refused_with_a_clause_and_changes_nothing(table):
    source = random.Random(table["seed"])
    for number, (game, listed) in enumerate(random_walk(a_game(**table), table["seed"], 150)):
        if number % 10:
            continue
        legal = {key(move) for move in listed} | said_by_anybody(game)
        before = everything(game)
        for move in universe(game, source):
            if key(move) in legal or (move.do == m.PASS and move.by < 0):
                continue
            with pytest.raises(Refusal) as caught:
                game.play(move, SeededLuck(1))
            assert caught.value.clause, move
            assert caught.value.code
            assert everything(game) == before, move


@some
@given(tables)
def test_replay_of_the_record_gives_the_identical_state(table):
    timeline = Timeline(a_game(**table))
    source = random.Random(table["seed"])
    luck = QuickLuck(source)
    for _ in range(200):
        if timeline.game.result is not None:
            break
        timeline.play(source.choice(timeline.game.legal_moves()), luck)
    again = Timeline(a_game(**table))
    for move, outcome in timeline.moves():
        again.replay(m.read(move.as_json()), outcome)
    assert everything(again.game) == everything(timeline.game)
    assert state_of(again.game) == state_of(timeline.game)


@some
@given(tables, st.lists(st.integers(0, 60), max_size=4))
def test_undo_then_redo_is_the_identity(table, targets):
    timeline = Timeline(a_game(**table))
    source = random.Random(table["seed"])
    luck = SeededLuck(3)
    for _ in range(60):
        if timeline.game.result is None:
            timeline.play(source.choice(timeline.game.legal_moves()), luck)
    for target in targets:
        before = everything(timeline.game)
        timeline.undo(min(target, timeline.version))
        timeline.redo()
        assert everything(timeline.game) == before
    timeline.undo()
    timeline.undo()
    timeline.redo()
    timeline.redo()


@some
@given(tables)
def test_a_copy_shares_nothing_that_changes(table):
    game = a_game(**table)
    for number, (one, _) in enumerate(random_walk(game, table["seed"], 90)):
        if number % 15 == 0:
            before = everything(one)
            twin = one.copy()
            assert everything(twin) == before
            for _ in random_walk(twin, number, 25):
                pass
            assert everything(one) == before


def test_the_same_seed_gives_the_same_game():
    def game_of(seed):
        return [state_of(game) for game, _ in random_walk(a_game(4, seed=seed), seed, 80)]

    assert game_of(5) == game_of(5)
    assert game_of(5) != game_of(6)
