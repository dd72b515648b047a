"""Reasons in words: a sentence for every key in every language, and every reason of whole games can be said."""

import random
import string

import pytest

from companion.bots.policy import reason_texts
from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import step, who_decides
from companion.bots.policy.reasons import WHYS, why
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.state import state_of
from companion.games.shelter.words import COLOURS, NOBODY
from companion.languages.catalogues import codes
from companion.seeded_chance import QuickLuck

LANGUAGES = codes()


def fields_of(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def card(name):
    return name.upper()


def test_there_is_a_sentence_for_every_reason_in_every_language():
    english = reason_texts.texts("en")
    assert set(WHYS) <= english.keys()
    for language in LANGUAGES:
        texts = reason_texts.texts(language)
        assert texts.keys() == english.keys()
        assert {key: fields_of(text) for key, text in texts.items()} == {k: fields_of(t) for k, t in english.items()}


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ({"why": "room_next_turn", "gain": {"food": 2}, "room": "garden"}, "food +2 now, GARDEN next turn"),
        ({"why": "resources", "gain": {"water": 1, "any": 2}}, "water +1, any resource +2"),
        ({"why": "resources", "gain": {}}, "the best that is left"),
        ({"why": "fight", "threat": "raider", "chance": 0.583}, "a fight with RAIDER: 58 % to win"),
        ({"why": "dweller", "dwellers": 2, "doubled": "L"}, "two new dwellers, twice by L"),
        ({"why": "room", "happiness": 2}, "a room"),
        ({"why": "room", "room": "garden"}, "to build GARDEN"),
        ({"why": "training"}, "training in a letter of its choice"),
        ({"why": "training", "letter": "S"}, "training in S"),
        ({"why": "items", "items": 1} | {"why": "item"}, "an item"),
    ],
)
def test_a_reason_is_a_sentence(reason, words):
    assert reason_texts.because("en", reason, card) == words


@pytest.mark.parametrize("pack", ["standard", "homemade"])
def test_every_reason_of_whole_games_can_be_said(pack):
    box, source = Box(builtin(pack)), random.Random(3)
    luck, greedy, said = QuickLuck(source), Greedy(box, source), set()
    for _ in range(3):
        game = new_game(box, TableSetup(COLOURS), luck)
        while game.result is None:
            seat = who_decides(game)
            if seat != NOBODY:
                move = greedy.choose(game, seat)
                reason = why(game, seat, move, greedy)
                said.add(reason["why"])
                for language in LANGUAGES:
                    assert reason_texts.because(language, reason, card)
                if move.space >= 0:
                    aloud(game, seat, move, reason)
            step(game, dict.fromkeys(game.seats, greedy), luck)
    assert {"happiness", "fight", "resources", "room"} <= said | {"last_room"}


def aloud(game, seat, move, reason):
    state = state_of(game)
    for player in state["players"].values():
        player["name"] = "Ann"
    said = {"by": COLOURS[seat], "move": move.as_json(), "reason": reason}
    text = reason_texts.aloud("en", said, state, card)
    assert text.startswith("Ann moves ")
    assert f"level {move.as_json()['space'][0]}" in text
    assert text.endswith(".")
