"""House calls: what is drawn, that each has its scenario and its words, and that whole games keep the laws."""

import json
import random
from pathlib import Path

import pytest

from companion.bots.policy.greedy import Greedy
from companion.cards.evenings.house_calls import CallEffect, HouseCall, as_json, from_json, our_calls
from companion.games.api import in_words
from companion.games.shelter import announcing
from companion.games.shelter.adapter import GAME
from companion.games.shelter.state import state_of
from companion.languages import catalogues
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .laws import problems, untold
from .play import a_game, random_walk

SCENARIOS = Path(__file__).parents[2] / "scenarios"
CALLS = our_calls()
RED = 0


def a_call(*effects):
    return HouseCall("a-call", tuple(CallEffect(**effect) for effect in effects))


def test_there_are_twenty_and_each_has_a_scenario_with_the_very_same_effects():
    assert len({call.id for call in CALLS}) == 20
    played = [
        from_json(call, file.name)
        for file in SCENARIOS.glob("w*-house-call-*.json")
        for call in json.loads(file.read_text(encoding="utf-8"))["house_calls"]
    ]
    assert set(played) == set(CALLS)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.id)
def test_a_house_call_in_a_setup_reads_back_the_same(call):
    assert from_json(json.loads(json.dumps(as_json(call))), "") == call


def test_w1_chance_draws_one_of_them_and_the_same_seed_the_same():
    drawn = {a_game(2, seed=seed, house_calls=CALLS).call.id for seed in range(200)}
    assert drawn == {call.id for call in CALLS}
    assert a_game(2, seed=5, house_calls=CALLS).call == a_game(2, seed=5, house_calls=CALLS).call
    with_it, without = a_game(3, seed=5, house_calls=CALLS), a_game(3, seed=5)
    assert with_it.decks == without.decks, "the rest of the evening is the same"


def test_w1_a_house_call_by_itself_takes_no_chance():
    game = a_game(2, house_calls=[CALLS[3]])
    assert game.call == CALLS[3]
    assert game.shuffles == a_game(2).shuffles


def test_a_game_without_one_says_nothing_of_it():
    assert "house_call" not in state_of(a_game(2))
    assert announcing.house_call(state_of(a_game(2))) is None


@pytest.mark.parametrize("code", catalogues.codes())
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.id)
def test_each_is_said_in_every_language(call, code):
    said = announcing.house_call(state_of(a_game(2, house_calls=[call])))
    line = in_words(said, {**GAME.words(code), "language": code})
    assert "{" not in line
    assert line.endswith(".")
    own = catalogues.catalogue(code, "evenings")
    assert own[f"call_{call.id.replace('-', '_')}"] in line


def test_every_kind_of_effect_has_its_words_in_every_language():
    english = set(catalogues.catalogue("en", "evenings"))
    assert all(set(catalogues.catalogue(code, "evenings")) == english for code in catalogues.codes())


def test_an_owners_name_is_said_in_the_language_that_it_has():
    call = HouseCall("night", (CallEffect("tough"),), (("de", "Lange Nacht"), ("en", "Long night")))
    said = announcing.house_call(state_of(a_game(2, house_calls=[call])))
    assert "Lange Nacht" in in_words(said, {**GAME.words("de"), "language": "de"})
    assert "Long night" in in_words(said, {**GAME.words("en"), "language": "en"})
    assert "Lange Nacht" in in_words(said, {**GAME.words("pl"), "language": "pl"}), "the first that there is"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (3, "a list of house calls"),
        ([], "a list of house calls"),
        (["dry-pipes"], "no object"),
        ([{"id": "x"}], "effects"),
        ([{"id": "x", "effects": []}], "1 to 4 effects"),
        ([{"id": "x", "effects": [{"do": "rain"}]}], "one of dry, rich"),
        ([{"id": "x", "effects": [{"do": "dry", "of": "gold"}]}], "one of water, food, energy"),
        ([{"id": "x", "effects": [{"do": "toll", "of": "food", "amount": 9}]}], "from 1 to 3"),
        ([{"id": "x", "effects": [{"do": "calm", "from": 4, "until": 2}]}], "a round from 4 on"),
        ([{"id": "x", "effects": [{"do": "gift", "of": "food", "from": 4}]}], "an unknown key from"),
        ([{"id": "Not Kebab", "effects": [{"do": "calm"}]}], "kebab-case"),
        ([{"id": "x", "effects": [{"do": "calm"}], "names": {"en": 3}}], "a text of one line"),
    ],
)
def test_a_setup_that_says_it_wrong_is_refused(raw, said):
    with pytest.raises(Refusal) as caught:
        GAME.new(GAME.pack_text("standard", None), {"players": ["red", "blue"], "house_calls": raw}, SeededLuck(1))
    assert caught.value.code == "malformed"
    assert said in str(caught.value.message)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.id)
def test_whole_games_keep_the_laws_and_events_tell_what_changes(call):
    source, luck = random.Random(call.id), SeededLuck(7)
    together = "normal" if CALLS.index(call) % 3 == 0 else ""
    game = a_game(2 + CALLS.index(call) % 3, house_calls=[call], together=together)
    while game.result is None:
        before, move = game.copy(), source.choice(game.legal_moves())
        events = game.play(move, luck)
        assert untold(before, game, events) == [], move
        assert not problems(game)


def test_a_copy_goes_on_by_the_same_house_call():
    for game, _ in random_walk(a_game(2, house_calls=[CALLS[0]]), 1, steps=40):
        assert game.copy().call == CALLS[0]


def test_a_state_sent_back_changes_nothing():
    game = a_game(2, house_calls=[CALLS[0]])
    before = state_of(game)
    game.play(GAME.read({"do": "correct", "set": before}), SeededLuck(1))
    assert state_of(game) == before


def test_w6_real_dice_are_asked_for_the_levels_that_are_rolled_for():
    game = a_game(2, house_calls=[a_call({"do": "stir", "where": "top"}, {"do": "calm", "where": "own", "last": 2})])
    for number, levels in ((2, (1, 1)), (3, (1, 1, 2, 3))):
        game.play(
            GAME.read({"do": "correct", "set": {"round": number, "phase": "spawn", "turn": "red"}}), SeededLuck(1)
        )
        assert GAME.roll(state_of(game)).levels == levels
    calm = a_game(2, house_calls=[a_call({"do": "calm"})])
    calm.play(GAME.read({"do": "correct", "set": {"round": 2, "phase": "spawn", "turn": "red"}}), SeededLuck(1))
    assert GAME.roll(state_of(calm)) is None, "there is nothing to throw"


def test_greedy_bots_know_what_is_dry_and_what_is_praised():
    def first_choice(*effects):
        game = a_game(2, house_calls=[a_call(*effects)])
        game.play(GAME.read({"do": "correct", "set": {"placed": {}}}), SeededLuck(1))
        bot = Greedy(game.box, random.Random(1), wobble=0.0)
        return {move.as_json()["space"]: worth for worth, move in bot.ranked(bot.outlook(game, RED)) if move.space >= 0}

    plain = first_choice({"do": "tough"})
    dry = first_choice({"do": "dry", "of": "food", "where": "top"})
    assert dry["1:R2a"] < plain["1:R2a"], "the diner gives nothing"
    assert dry["1:R3a"] == plain["1:R3a"]
    rich = first_choice({"do": "rich", "of": "food"})
    assert rich["1:R2a"] > plain["1:R2a"]
    praised = first_choice({"do": "praise", "of": "train", "amount": 2})
    assert praised["1:L1b"] > plain["1:L1b"]
