"""Check the laws of the rules over a hundred thousand random games, compiled, on every core it may use.

A game takes some 13 ms: all of them some 25 minutes of one core.
What was played is kept, and a run that was cut short goes on.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sys
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from benchmarks import compiling
from companion.cards.evenings.house_calls import our_calls
from companion.cards.together import DIFFICULTIES
from companion.compiled.modules import VARIABLE
from companion.compiled.modules import key as build_key
from companion.games.shelter import legal
from companion.games.shelter import moves as m
from companion.games.shelter.position import HOUSE_RULES
from companion.games.shelter.readings import contradiction
from companion.games.timeline import Outcome, Recording, Replaying, Timeline
from companion.games.wasteland.game import LuckyAgendas, OwnFaction, Together, Ways
from companion.refusal import Refusal
from companion.seeded_chance import QuickLuck, SeededLuck
from tests.games.shelter.laws import key, problems, said_by_anybody, universe
from tests.games.shelter.play import PACKS, a_game, everything
from tests.games.wasteland import laws as wasteland_laws
from tests.games.wasteland import play as wasteland

if TYPE_CHECKING:
    from pathlib import Path

    from companion.games.shelter.game import ShelterGame

CHUNK = 250
WASTELAND_EVERY = 10
"""One game in so many is of the wasteland, walked as far as an evening goes."""
LONGEST_WALK = 1500
RARELY = 0.2


def table_of(seed: int) -> dict[str, object]:
    """Return which game a seed means: pack, players, house rules, house calls, decks; a few play together."""
    source = random.Random(seed)
    together = source.choice(DIFFICULTIES) if source.random() < RARELY else ""
    return {
        "players": source.randint(1 if together else 2, 4),
        "pack": source.choice(PACKS),
        "rules": agreed(source),
        "real_decks": source.randrange(10) == 0,
        "together": together,
        "house_calls": our_calls() if source.random() < RARELY else (),
        "seed": seed,
    }


def agreed(source: random.Random) -> list[str]:
    """Return house rules that do not contradict each other: often none or a few, sometimes many."""
    found = source.sample(HOUSE_RULES, source.choice((0, 0, 1, 2, 4, len(HOUSE_RULES))))
    while (both := contradiction(frozenset(found))) is not None:
        found.remove(source.choice(both))
    return found


def one_game(seed: int) -> Counter[str]:
    """Play a game, checking laws on the way, and play it again from what was written down."""
    source = random.Random(seed)
    luck = QuickLuck(source)
    game = a_game(**table_of(seed))
    look_closely = source.randrange(250)
    line: list[tuple[m.Move, Outcome]] = []
    while game.result is None:
        listed = game.legal_moves()
        if len(line) == look_closely:
            examine(game, listed, source)
        move = source.choice(listed)
        recording = Recording(luck, {})
        game.play(move, recording)
        line.append((move, recording.outcome))
        if len(line) % 25 == 0:
            check(not problems(game), seed, str(problems(game)))
    check(not problems(game), seed, str(problems(game)))
    again = a_game(**table_of(seed))
    for move, outcome in line:
        again.play(move, Replaying(outcome))
    check(everything(again) == everything(game), seed, "the replay differs")
    return Counter(games=1, decisions=len(line), rounds=game.round, **{f"round {game.round}": 1})


def one_wasteland_game(seed: int) -> Counter[str]:
    """Play a game of the wasteland, checking laws on the way, and play it again from what was written down."""
    source, luck = random.Random(seed), SeededLuck(seed)
    players, scenario = source.randint(1, 4), source.choice(sorted(wasteland.the_box().scenarios))
    dice, cards = source.random() < RARELY, source.random() < RARELY
    ways = Ways(*(source.choice(list(kind)) for kind in (Together, LuckyAgendas, OwnFaction)))
    start, again = (wasteland.a_game(players, seed, dice, cards, scenario, ways=ways) for _ in range(2))
    line: list[tuple[object, Outcome]] = []
    while start.result is None and len(line) < LONGEST_WALK:
        move = wasteland.any_legal(start, source)
        if move is None:
            break
        recording = Recording(luck, {})
        start.play(move, recording)
        line.append((move, recording.outcome))
        if len(line) % 25 == 0:
            found = wasteland_laws.problems(start)
            check(not found, seed, str(found))
    check(not wasteland_laws.problems(start), seed, str(wasteland_laws.problems(start)))
    for move, outcome in line:
        again.play(move, Replaying(outcome))
    check(wasteland.everything(again) == wasteland.everything(start), seed, "the replay differs")
    return Counter(wasteland=1, wasteland_moves=len(line))


def examine(game: ShelterGame, listed: list[m.Move], source: random.Random) -> None:
    """Check one position: listed moves play, others are refused, undo and copy are true."""
    before = everything(game)
    for move in listed:
        twin = game.copy()
        twin.play(move, SeededLuck(1))
        check(not problems(twin), 0, f"{move} breaks a law: {problems(twin)}")
    legal = {key(move) for move in listed} | said_by_anybody(game)
    for move in universe(game, source):
        if key(move) in legal or (move.do == m.PASS and move.by < 0):
            continue
        try:
            game.play(move, SeededLuck(1))
        except Refusal as refusal:
            check(refusal.clause is not None, 0, f"{move} is refused without a clause")
        else:
            check(held=False, seed=0, what=f"{move} was not listed and played")
    check(everything(game) == before, 0, "a refusal or a copy has changed the game")
    timeline = Timeline(game.copy())
    timeline.play(source.choice(listed), SeededLuck(2))
    after = everything(timeline.game)
    timeline.undo()
    check(everything(timeline.game) == before, 0, "undo is not true")
    timeline.redo()
    check(everything(timeline.game) == after, 0, "redo is not true")


def check(held: bool, seed: int, what: str) -> None:
    """Raise with the seed where a law does not hold; a pool of processes never ends where one of them exits."""
    if not held:
        raise AssertionError(f"seed {seed}: {what}")


def numbered_chunk(start: int) -> tuple[int, Counter[str]]:
    """Return a chunk of games with its number, played by compiled rules."""
    check(legal.__file__.endswith(".so"), start, "the rules are not compiled")
    return start, chunk_of(start)


def chunk_of(start: int) -> Counter[str]:
    """Return a chunk of games."""
    found: Counter[str] = Counter()
    for seed in range(start, start + CHUNK):
        found += one_wasteland_game(seed) if seed % WASTELAND_EVERY == 0 else one_game(seed)
    return found


def played(file: Path) -> dict[int, Counter[str]]:
    """Return the chunks that an earlier run of these very rules has played; a line that was cut off goes."""
    found: dict[int, Counter[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        with suppress(ValueError):
            start, counted = json.loads(line)
            found[start] = Counter(counted)
    file.write_text("".join(f"{json.dumps(one)}\n" for one in found.items()), encoding="utf-8")
    return found


def soak(games: int) -> dict[str, float]:
    """Return all games; progress on a terminal. What was played is kept, so that a run that is cut short goes on."""
    compiling.build()
    os.environ[VARIABLE] = str(compiling.BUILD)  # for the processes that play
    file = compiling.BUILD.parent / f"soak-{build_key()}.jsonl"
    chunks = played(file)
    left = [start for start in range(0, games, CHUNK) if start not in chunks]
    found: Counter[str] = sum((chunks[start] for start in range(0, games, CHUNK) if start in chunks), Counter())
    with (
        multiprocessing.get_context("spawn").Pool(len(os.sched_getaffinity(0))) as pool,
        file.open("a", encoding="utf-8") as kept,
    ):
        for start, part in pool.imap_unordered(numbered_chunk, left):
            found += part
            print(json.dumps([start, part]), file=kept, flush=True)
            if sys.stderr.isatty():
                print(f"\r{found['games'] + found['wasteland']} of {games} games", end="", file=sys.stderr, flush=True)
    rounds = sorted(int(name.split()[1]) for name in found if name.startswith("round "))
    return {
        "games": found["games"] + found["wasteland"],
        "of the wasteland": found["wasteland"],
        "decisions": found["decisions"] + found["wasteland_moves"],
        "longest game, rounds": rounds[-1],
        "games of more than 60 rounds": sum(found[f"round {number}"] for number in rounds if number > 60),  # noqa: PLR2004
        "mean rounds": found["rounds"] / found["games"],
    }
