"""An evening in the wasteland, as tests of the pages play it."""

import random

from at_the_door import BEARER

TWO = {
    "players": ["red", "blue"],
    "first": "red",
    "scenario": "the-salt-road",
    "survivors": {"red": "the-netmaker", "blue": "the-pilgrim"},
    "decks": {"agendas": ["lamp-oil-contract", "toll-collector"]},
}


def begin(house, **setup):
    body = {"setup": {**TWO, **setup}, "game": "wasteland"}
    answer = house.client().post("/api/host/games", json=body, headers=BEARER)
    assert answer.status_code == 200, answer.json


def game_of(house):
    return house.session.snapshots.latest.position.game


def moves_of(house):
    position = house.session.snapshots.latest.position
    return [position.rules.write(move) for move in position.rules.legal(position.game, position.state()["players"])]


def wander(house, seed, steps):
    """Legal moves at random; yields after each."""
    source = random.Random(seed)
    for _ in range(steps):
        moves = moves_of(house)
        if not moves:
            return
        move = moves[0] if moves[0]["do"] == "end" and source.random() < 0.25 else source.choice(moves)
        answer = house.tap(None, **move)
        assert answer.status_code == 200, (move, answer.json)
        yield move


def hidden(game):
    """The agendas that nobody but their owners may know, by owner."""
    return {
        colour: {
            game.box.agendas[card].id
            for place, card in enumerate(game.survivors[seat].hand)
            if place != game.survivors[seat].revealed
        }
        for seat, colour in enumerate(("red", "blue", "green", "yellow"))
        if seat in game.seats
    }


def names(house, ids):
    """The ids, and what stands on the cards."""
    box = game_of(house).box
    return {form for one in ids for form in (one, box.agendas[box.agenda_number[one]].name)}
