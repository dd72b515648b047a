"""The map in play: distances, ways, what is asked, and what is left to the table."""

import json
from itertools import pairwise
from random import Random

import pytest

from companion.cards.wasteland.words import EnemyType
from companion.games.wasteland import moves
from companion.games.wasteland.flow.conditions import armor_of
from companion.games.wasteland.map import targets
from companion.games.wasteland.map.plan import FACEDOWN
from companion.games.wasteland.state import state_of
from companion.games.wasteland.story.agendas import level_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .laws import problems
from .play import a_game, everything, random_walk
from .taps import rounds

TWO = {0: "the-netmaker", 1: "the-pilgrim"}
MAPS = ["the-drowned-lights", "the-sunken-bell"]


def on_a_map(scenario="the-sunken-bell", **table):
    return a_game(scenario=scenario, survivors=dict(TWO) if table.get("players", 2) == 2 else None, **table)


def say(game, **move):
    return game.play(moves.read(move), SeededLuck(5))


@pytest.mark.parametrize("scenario", MAPS)
def test_touching_is_mutual_and_everything_is_reached(scenario):
    found = on_a_map(scenario).map
    for one, beside in found.neighbours.items():
        assert one not in beside
        assert all(one in found.neighbours[other] for other in beside)
        assert set(found.distances(one)) == set(found.place_of)
        assert all(found.distances(one)[other] == found.distances(other)[one] for other in found.place_of)


@pytest.mark.parametrize("scenario", MAPS)
def test_ways_are_cheapest_and_go_from_neighbour_to_neighbour(scenario):
    found = on_a_map(scenario).map
    for start in found.spaces:
        ways = found.ways(start, 6)
        assert start not in ways
        for goal, way in ways.items():
            spaces = (start, *way.spaces)
            assert spaces[-1] == goal
            assert all(there in found.neighbours[here] for here, there in pairwise(spaces))
            assert way.points == sum(map(found.cost, way.spaces)) <= 6
            assert not any(space.startswith(FACEDOWN) for space in way.spaces)
            for beside in found.neighbours[goal]:
                if beside in ways and beside in found.spaces:
                    assert way.points <= ways[beside].points + found.cost(goal)


def test_no_way_goes_on_behind_what_attacks():
    found = on_a_map().map
    ways = found.ways("camp-well", 9, {"church-quay"})
    assert ways["church-quay"].spaces == ("church-quay",)
    assert all("church-quay" not in way.spaces[:-1] for way in ways.values())


@pytest.mark.parametrize("seed", range(4))
def test_a_walk_costs_what_it_says(seed):
    game = on_a_map("the-drowned-lights", seed=seed)
    walks = [move for move in game.legal_moves() if move.do == "walk"]
    assert walks
    for move in walks:
        twin = game.copy()
        events = twin.play(move, SeededLuck(1))
        moved = [event.at for event in events if event.event == "moved"]
        assert moved[-1] == move.args["to"]
        if not twin.pending and twin.turn == game.turn:
            cost = sum(map(game.map.cost, moved))
            assert twin.points + 2 * twin.actions == 4 - cost


def test_what_the_space_does_not_offer_is_not_listed():
    game = on_a_map()
    game.enemies.clear()
    assert {move.do for move in game.legal_moves()} >= {"walk", "move", "camp", "end"}
    assert not {"encounter", "explore", "step"} & {move.do for move in game.legal_moves()}
    game.survivors[game.turn].at = "drowned-yard"
    [meet] = [move for move in game.legal_moves() if move.do == "encounter"]
    assert meet.args == {"icon": "wasteland"}
    [explore] = [move for move in game.legal_moves() if move.do == "explore"]
    assert explore.args == {"place": 1}


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ({"do": "step", "to": "church-quay", "terrain": ["difficult"]}, "terrain"),
        ({"do": "explore", "enemies": ["critter at nave"]}, "enemies"),
        ({"do": "explore", "placed": {"1": "nave"}}, "placed"),
        ({"do": "explore", "place": 6}, "place"),
        ({"do": "encounter", "icon": "wasteland", "level": 3}, "level"),
    ],
)
def test_what_the_map_knows_is_not_told(move, field):
    game = on_a_map()
    game.enemies.clear()
    game.survivors[game.turn].at, game.points = "drowned-yard", 2
    before = everything(game)
    with pytest.raises(Refusal) as refused:
        say(game, by=("red", "blue")[game.turn], **move)
    assert (refused.value.code, refused.value.fields["field"]) == ("malformed", field)
    assert everything(game) == before


def test_without_a_map_nobody_walks():
    game = a_game(survivors=dict(TWO))
    assert "map" not in state_of(game)
    by = ("red", "blue")[game.turn]
    for move, code in (({"do": "walk", "to": "market"}, "no_map"), ({"do": "explore", "place": 1}, "malformed")):
        with pytest.raises(Refusal) as refused:
            say(game, by=by, **move)
        assert refused.value.code == code


def test_facedown_tiles_are_nobodys_to_know():
    one, other = (on_a_map("the-drowned-lights", seed=seed) for seed in (1, 2))
    assert one.tile_stacks != other.tile_stacks
    tiles = [json.dumps(state_of(game)["map"]) for game in (one, other)]
    assert tiles[0] == tiles[1]
    assert [place["back"] for place in state_of(one)["map"]].count("deadly") == 2


def test_a_space_that_a_correction_names_is_on_the_map():
    game = on_a_map()
    for change in ({"players": {"red": {"space": "facedown-1"}}}, {"enemies": {"1": {"space": "elsewhere"}}}):
        with pytest.raises(Refusal) as refused:
            say(game, do="correct", set=change)
        assert refused.value.code == "not_on_the_map"
    say(game, do="correct", set={"enemies": {"1": {"space": "facedown-1"}}, "map": state_of(game)["map"]})
    assert game.enemies[1].at == "facedown-1"


def tiles_of(game, **changed):
    """The places of the state, some with another tile."""
    return [
        {**one, "tile": changed.get(f"at{place}", one["tile"])} for place, one in enumerate(state_of(game)["map"], 1)
    ]


def test_a_correction_turns_another_tile():
    game = on_a_map()
    say(game, do="correct", set={"enemies": {"1": {"space": "facedown-7"}}})
    say(game, do="correct", set={"map": tiles_of(game, at7="crab-hollow"), "players": {"red": {"space": "hollow-rim"}}})
    assert (game.map.place_of["crab-nest"], game.enemies[1].at) == (7, "hollow-rim")
    assert not problems(game)
    refused = {"reef-tile": "impossible", "kelp-flats": "impossible", "old-mill": "malformed"}
    for tile, code in refused.items():
        with pytest.raises(Refusal) as told:
            say(game, do="correct", set={"map": tiles_of(game, at7=tile)})
        assert told.value.code == code
    with pytest.raises(Refusal):
        say(game, do="correct", set={"map": tiles_of(game, at6="crab-hollow")})
    with pytest.raises(Refusal):
        say(game, do="correct", set={"map": tiles_of(game, at5="kelp-flats")})
    say(game, do="correct", set={"players": {"red": {"space": "camp-fire"}}})
    say(game, do="correct", set={"map": tiles_of(game, at7="kelp-flats", at6="crab-hollow")})
    assert (game.map.place_of["crab-nest"], game.map.place_of["kelp-camp"]) == (6, 7)
    say(game, do="correct", set={"map": tiles_of(game, at7=None)})
    assert (game.enemies[1].at, 7 in game.laid) == ("facedown-7", False)
    assert not problems(game)


def test_the_table_tells_which_tile_was_turned():
    game = on_a_map(table_cards=True)
    while game.pending:
        choice = game.pending[0]
        say(game, do="choose", option=state_of(game)["pending"][0]["options"][0], id=choice.id)
    game.survivors[game.turn].at = "camp-gate"
    say(game, do="explore", by=("red", "blue")[game.turn])
    [asked] = state_of(game)["pending"]
    assert (asked["kind"], asked["about"]) == ("drawn", {"pile": "dangerous-tiles", "whose": "red"})
    say(game, do="choose", option="pump-hall", id=asked["id"])
    assert game.map.place_of["pumps"] == 7
    assert not problems(game)


@pytest.mark.parametrize("seed", range(6))
def test_an_enemy_phase_asks_only_what_the_rules_ask(seed):
    """By hand, every enemy is asked about; on a map a question is a choice among things that differ."""
    game = on_a_map("the-drowned-lights", seed=seed, players=seed % 4 + 1)
    asked = set()
    for _ in random_walk(game, seed, rounds=25, steps=900):
        for choice in game.pending:
            asked.add(choice.kind)
            if choice.kind == "moved-to":
                number, *ways = choice.data
                assert len(ways) > 1
                goals = [game.survivors[seat].at for seat in targets.nearest(game, number, game.map)]
                assert all(game.map.touch(game.enemies[number].at, way) for way in ways)
                assert any(set(ways) == set(game.map.toward(game.enemies[number].at, goal)) for goal in goals)
    assert not asked & {"nearest", "adjacent", "level"}


def decides(game, number):
    """Whom an enemy attacks, or where it may go."""
    reach = targets.in_reach(game, number)
    if reach:
        return "attacks", targets.weakest(game, reach)
    goal = targets.weakest(game, targets.nearest(game, number, game.map))
    return "goes", game.map.toward(game.enemies[number].at, game.survivors[goal].at)


def after_a_fight(game, number, seat):
    """Every position that a fight of this enemy may leave, as far as others look at it."""
    enemy = game.box.enemies[game.enemies[number].kind]
    hits = 6 + ("ranged" in enemy.abilities) - armor_of(game, seat)
    worst = (hits + ("radiation" in enemy.abilities)) * level_of(game, enemy)
    for lost in range(worst + 1):
        twin = game.copy()
        survivor = twin.survivors[seat]
        survivor.hp -= lost
        if survivor.remaining > 0:
            yield twin
            continue
        for space in game.scenario.start_spaces:
            fallen = game.copy()
            fallen.survivors[seat].hp, fallen.survivors[seat].at = survivor.hp_max, space
            yield fallen
        return


def scattered(seed):
    """A game whose survivors and enemies stand anywhere, with any HP."""
    source, game = Random(seed), on_a_map("the-drowned-lights", seed=seed, players=3)
    for _ in random_walk(game, seed, steps=40):
        pass
    spaces = list(game.map.spaces)
    for seat in game.alive():
        game.survivors[seat].at = source.choice(spaces)
        game.survivors[seat].hp = source.randint(max(1, game.survivors[seat].rads + 1), 16)
    for number, token in game.enemies.items():
        game.enemies[number] = token._replace(active=True, at=source.choice(spaces))
    return game


def test_an_order_that_is_not_asked_for_changes_nothing():
    compared = 0
    for seed in range(40):
        game = scattered(seed)
        for kind in EnemyType:
            waiting = [n for n, token in game.enemies.items() if game.box.enemies[token.kind].type is kind]
            if targets.order_matters(game, waiting):
                continue
            plans = {number: decides(game, number) for number in waiting}
            fights = [(number, seat) for number, (does, seat) in plans.items() if does == "attacks"]
            for one, seat in fights:
                for other in [number for number in waiting if number != one and plans[number] != ("attacks", seat)]:
                    compared += 1
                    assert all(decides(then, other) == plans[other] for then in after_a_fight(game, one, seat))
    assert compared > 3


@pytest.mark.parametrize(("real", "most"), [(False, 16), (True, 24)])
def test_a_round_of_four_takes_few_taps_on_a_map(real, most):
    """Counted by a script that plays as people would; by hand every enemy and every step is told on top of that."""
    taps = [count for scenario in MAPS for seed in range(12) for count in rounds(scenario, 8, seed, real)]
    assert len(taps) == 192
    assert sum(taps) / len(taps) <= most
