"""A game that fills what the port asks and nothing else: every page, export and button has something to show."""

from typing import NamedTuple

import pytest
from at_the_door import BEARER, PIN

from companion.games import registry
from companion.games.api import COLOURS, Button, Game
from companion.games.fields import malformed, texts
from companion.languages.catalogues import codes
from companion.refusal import Refusal
from companion.table.session.intents import ButtonPressed
from hardware.voice.voice import sentences, words_of

ENOUGH = 3
PAGES = ("/", "/seat/red", "/seat/blue", "/seat/red/missed", "/table", "/join", "/history", "/rules")
HOSTS = ("/host", "/host/back")
FILES = ("/history/game-1.json", "/history/game-1.csv", "/history/game-1.html", "/api/state", "/api/legal")

COMMANDS = [button for button in Button if button not in (*COLOURS, Button.UNDO)]


class Flip(NamedTuple):
    by: str
    dice: tuple = ()


class Coins:
    """Who flips heads three times wins."""

    def __init__(self, heads, turn=0, rolls=0):
        self.heads, self.turn, self.rolls, self.names = heads, turn, rolls, {}

    @property
    def winners(self):
        return [colour for colour, number in self.heads.items() if number >= ENOUGH]

    def copy(self):
        return Coins(dict(self.heads), self.turn, self.rolls)

    def play(self, move, chance):
        order = list(self.heads)
        if self.winners or move.by != order[self.turn]:
            raise Refusal("not_your_turn", "COIN-1", "It is somebody else's turn.", turn=order[self.turn])
        is_heads = chance.roll(self.rolls)[0] % 2
        self.rolls += 1
        self.heads[move.by] += is_heads
        self.turn = (self.turn + 1) % len(order)
        return [("flipped", move.by, is_heads)]


class Coin(Game):
    name = "coin"
    title = "Coin"

    def new(self, _pack, setup, _chance):
        return Coins(dict.fromkeys(texts(setup.get("players"), "players"), 0))

    def read(self, raw):
        match raw:
            case {"do": "flip", "by": str(by)}:
                return Flip(by)
        raise malformed("move", raw, "a flip")

    def write(self, move):
        return {"do": "flip", "by": move.by}

    def legal(self, position, _eyes):
        return [] if position.winners else [Flip(list(position.heads)[position.turn])]

    def serialize(self, event):
        return {"event": event[0], "by": event[1], "what": [event[2]]}

    def state(self, position):
        order, winners = list(position.heads), position.winners
        return {
            "game": "coin",
            "round": 1,
            "phase": "over" if winners else "turn",
            "turn": None if winners else order[position.turn],
            "order": order,
            "pending": [],
            "players": {colour: {"heads": number} for colour, number in position.heads.items()},
            "result": {"winners": winners} if winners else None,
        }

    def standing(self, state):
        return {colour: player["heads"] for colour, player in state["players"].items()}


@pytest.fixture
def coin(house):
    game = registry.add(f"{__name__}:Coin")
    setup = {"players": ["red", "blue"], "names": {"red": "Ada"}}
    answer = house.client().post("/api/host/games", json={"game": "coin", "setup": setup}, headers=BEARER)
    assert answer.status_code == 200, answer.json
    yield game
    registry.remove("coin")


def everything_is_shown(phone, host, language):
    for client, paths in ((phone, (*PAGES, *FILES)), (host, (*PAGES, *FILES, *HOSTS))):
        client.set_cookie("language", language)
        for path in paths:
            assert client.get(path, follow_redirects=True).status_code == 200, path


@pytest.mark.parametrize("language", codes())
def test_it_is_played_frozen_and_looked_at(coin, house, language):
    phone, host = house.seated("red", "blue"), house.client()
    host.post("/api/host/login", data={"pin": PIN})
    everything_is_shown(phone, host, language)
    assert "Ada" in phone.get("/seat/red").text
    while house.state["phase"] == "turn":
        answer = phone.post("/api/moves", json={"do": "flip", "by": house.state["turn"]})
        assert answer.status_code == 200, answer.json
    (winner,) = house.state["result"]["winners"]
    everything_is_shown(phone, host, language)
    assert f"Won by {winner}." in host.get("/history/game-1.html").text
    assert phone.post("/api/moves", json={"do": "undo", "by": winner}).status_code == 200
    assert host.post("/api/host/freeze").status_code == 200
    everything_is_shown(phone, host, language)
    assert host.post("/api/host/thaw").status_code == 200
    assert coin.summary(house.state["players"]["red"]) == f"{house.state['players']['red']['heads']} heads"


def test_its_buttons_mean_nothing_and_are_told(coin, house):
    for button in Button:
        seen = house.state["seq"]
        house.session.ask(ButtonPressed(button, held=False)).result(20)
        news = house.session.snapshots.all_newer_than(seen, 0)
        said = [event["code"] for one in news for event in one.events_as_json()]
        assert said == (["button_unused"] if button in COMMANDS else []), button
    assert house.state["version"] == 0
    assert coin.mat is None


def test_nothing_is_said_of_it_and_nothing_breaks(coin, house):
    house.tap(None, do="flip", by="red")
    assert sentences(house.session.snapshots.latest, words_of("en")) == ""
    assert coin.scores(house.state) is None
