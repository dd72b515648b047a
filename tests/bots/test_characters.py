"""The characters: each style can be told by what it does, all play legally, and the easy one never looks foolish."""

import random
from collections import Counter

import pytest

from companion.bots.policy.characters import CHARACTERS, STYLED, make
from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import move_of_the_table, moves_of, who_decides
from companion.bots.policy.reason_texts import because, texts
from companion.bots.policy.reasons import WHYS, why
from companion.bots.worth.odds import fight_now
from companion.bots.worth.styles import STYLES
from companion.cards.effects import Build, Happiness
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.events import FightLost, RoomBuilt
from companion.games.shelter.moves import PASS, PLACE
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.turn.rounds import score_if_ended_now
from companion.games.shelter.words import COLOURS, INJURED, NOBODY, SPACE_NAMES
from companion.languages.catalogues import codes
from companion.seeded_chance import QuickLuck

BOX = Box(builtin("standard"))
GAMES = 24


def turns(policies, seed, players=2):
    """Play one game, and yield the game before every move of a seat, the seat, its move, and what happened."""
    luck = QuickLuck(random.Random(f"{seed}/luck"))
    game = new_game(BOX, TableSetup(COLOURS[:players]), luck)
    policy_of = dict(zip(game.seats, policies, strict=True))
    while game.result is None:
        seat, before = who_decides(game), game.copy()
        move = move_of_the_table(game) if seat == NOBODY else policy_of[seat].choose(game, seat)
        assert seat == NOBODY or move in moves_of(game, seat)
        events = list(game.play(move, luck))
        if seat != NOBODY:
            yield before, seat, move, events


@pytest.fixture(scope="module")
def habits():
    """What every style and `fair` do in the same games, against `fair`."""
    found = {}
    for name in (*STYLED, "fair"):
        counts, odds, likely = Counter(), [], make("fair", BOX, random.Random(1))
        for seed in range(GAMES):
            source = random.Random(f"{name}/{seed}")
            company = [make(name, BOX, source), likely]
            for before, seat, move, events in turns(company if seed % 2 else company[::-1], seed):
                if seat != before.seats[seed % 2 == 0]:
                    continue
                counts["rooms"] += sum(isinstance(event, RoomBuilt) for event in events)
                counts["hurt"] += sum(isinstance(event, FightLost) for event in events)
                fight = fight_now(before, seat, move.space) if move.do == PLACE else None
                if fight is not None:
                    counts["fights"] += 1
                    odds.append(fight["with_everything"])
            counts["rounds"] += before.round
        found[name] = {**counts, "odds": sum(odds) / len(odds), "pace": counts["rooms"] / counts["rounds"]}
    return found


def test_a_style_shows_in_what_it_does(habits):
    others = [habits[name] for name in (*STYLED, "fair")]
    assert habits["builder"]["pace"] == max(one["pace"] for one in others)
    assert habits["fighter"]["fights"] == max(one["fights"] for one in others)
    assert habits["fighter"]["fights"] > 1.3 * habits["fair"]["fights"]
    assert habits["careful"]["odds"] == max(one["odds"] for one in others)
    assert habits["gambler"]["odds"] == min(one["odds"] for one in others)
    assert habits["careful"]["hurt"] < habits["fair"]["hurt"] < habits["gambler"]["hurt"]


@pytest.mark.parametrize("name", STYLED)
def test_a_style_says_it_in_its_own_words(name):
    own = {key for key in texts("en") if key.startswith(f"{name}_")}
    assert len(own) > 1
    assert own <= {f"{name}_{key}" for key in (*WHYS, "room_named")}
    said = {
        code: {because(code, {"why": key.removeprefix(f"{name}_"), "style": name, "room": "x"}, str) for key in own}
        for code in codes()
    }
    plain = {
        code: {because(code, {"why": key.removeprefix(f"{name}_"), "room": "x"}, str) for key in own}
        for code in codes()
    }
    for code in codes():
        assert said[code].isdisjoint(plain[code])


def test_a_reason_names_the_style():
    source = random.Random(2)
    company = [make("builder", BOX, source), make("fair", BOX, source)]
    judges = [policy for policy in company if isinstance(policy, Greedy)]
    styles = {
        seat: {why(game, seat, move, judges[game.seats.index(seat)]).get("style")}
        for game, seat, move, _ in turns(company, 2)
    }
    assert sorted(styles.values(), key=str) == [{"builder"}, {None}]


def test_the_styles_have_characters():
    assert tuple(STYLES) == STYLED
    assert set(STYLED) < set(CHARACTERS)


def test_easy_never_does_what_a_beginner_would_laugh_at():
    seen = Counter()
    for seed in range(GAMES):
        source = random.Random(f"easy/{seed}")
        for before, seat, move, _ in turns([make("easy", BOX, source), make("easy", BOX, source)], seed):
            if move.do == PASS:
                seen["passed"] += 1
                assert not _free_happiness(before, seat), "it passes where happiness lies for nothing"
            if move.do != PLACE:
                continue
            face = before.vault.faces[move.space]
            fight = fight_now(before, seat, move.space)
            seen["fights"] += fight is not None
            assert fight is None or fight["with_everything"] > 1 / 4, "a hopeless fight"
            trained = [dweller % INJURED for dweller in move.dwellers if dweller % INJURED]
            if len(move.dwellers) == 1 and trained and trained[0] != face.letter and not move.use:
                seen["trained"] += 1
                plain = INJURED if move.dwellers[0] >= INJURED else 0
                assert not any(
                    one.do == PLACE and one.space == move.space and one.dwellers == (plain,)
                    for one in moves_of(before, seat)
                ), "a trained dweller where an untrained one does the same"
            if builds(face):
                seen["rooms"] += 1
                if before.vault.rooms_on(before.levels[seat]) == 5:
                    scores = {one: score_if_ended_now(before, one).happiness for one in before.seats}
                    assert scores[seat] + 6 >= max(scores.values()), "it ends the game far behind"
    assert seen["fights"] > GAMES
    assert seen["rooms"] > GAMES


def builds(face):
    return any(isinstance(icon, Build) for icon in face.space.reward)


def _free_happiness(game, seat):
    """Return the spaces where a dweller at hand gets happiness for nothing: no price, no fight, no loss."""
    found = []
    for move in moves_of(game, seat):
        face = game.vault.faces[move.space] if move.do == PLACE else None
        if face is None or face.fight or face.injures or face.items or any(face.price) or len(move.dwellers) > 1:
            continue
        if any(isinstance(icon, Happiness) for icon in face.space.reward) and not builds(face):
            found.append(SPACE_NAMES[move.space])
    return found
