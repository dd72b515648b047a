"""Play games from given seeds and digest every move and state: compiled and interpreted rules and bots must agree."""

from __future__ import annotations

import hashlib
import json
import random
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from companion.bots.policy.budget import Budget
from companion.bots.policy.characters import make
from companion.bots.policy.policy import who_decides
from companion.cards.evenings.house_calls import our_calls
from companion.cards.loader import builtin
from companion.cards.together import DIFFICULTIES
from companion.games.registry import games
from companion.games.shelter import legal
from companion.games.shelter.cards.box import Box
from companion.games.shelter.events import NAMES, serialize
from companion.games.shelter.position import HOUSE_RULES, HouseRules, read_house_rules
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.state import state_of
from companion.games.shelter.together.wasteland import agreed_from_json
from companion.games.shelter.words import NOBODY
from companion.refusal import Refusal
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from companion.bots.policy.policy import Policy
    from companion.games.shelter.game import ShelterGame

GAMES: Final = 240
BOTS_EVERY: Final = 8
WALKS: Final = 3
STATE_EVERY: Final = 20
LONGEST: Final = 5_000
"""Moves: a game of an owner's that does not end is left there, by both alike."""
SOMETIMES: Final = 0.1


def digest(count: int = GAMES) -> str:
    """Return one digest of all games: the moves listed, the move made, what happened, and every twentieth state.

    Every third game is played by the book, every third with house rules drawn by lot, every third with real decks.
    Every fifth is played together, every fourth with a house call, every eighth by bots.
    With a state goes what a greedy player would do in it.
    """
    found = hashlib.sha256()
    boxes = [Box(builtin(name)) for name in ("standard", "homemade")]
    for seed in range(count):
        source = random.Random(seed)
        luck = QuickLuck(source)
        table = TableSetup(["red", "blue", "green", "yellow"][: 2 + seed // 2 % 3])
        table.real_decks = seed % 3 == 2  # noqa: PLR2004 - every third
        if seed % 3 == 1:
            drawn = {name: True for name in HOUSE_RULES if source.random() < SOMETIMES}
            with suppress(Refusal):  # a few contradict each other
                table.rules = read_house_rules(drawn)
        if seed % 5 == 4:  # noqa: PLR2004 - every fifth
            table.together = agreed_from_json(DIFFICULTIES[seed % len(DIFFICULTIES)])
        if seed % 4 == 3:  # noqa: PLR2004 - every fourth
            table.house_calls = our_calls()
        try:
            game = new_game(boxes[seed % 2], table, luck)
        except Refusal:  # not every pack knows every rule
            table.rules = HouseRules()
            game = new_game(boxes[seed % 2], table, luck)
        number = 0
        thinking = _bots(boxes[seed % 2], source, game) if seed % BOTS_EVERY == 0 and not table.real_decks else {}
        greedy = make("greedy", boxes[seed % 2], random.Random(seed))
        while game.result is None and number < LONGEST:
            moves = game.legal_moves()
            seat = who_decides(game)
            move = thinking[seat].choose(game, seat) if seat in thinking else source.choice(moves)
            events = game.play(move, luck)
            number += 1
            listed = [one.as_json() for one in moves] if number % STATE_EVERY == 0 else len(moves)
            found.update(f"{listed}{move.as_json()}{[NAMES[type(event)] for event in events]}".encode())
            if number % STATE_EVERY == 0 or game.result is not None:
                found.update(json.dumps([state_of(game), [serialize(event) for event in events]]).encode())
                seat = who_decides(game)
                if seat != NOBODY and all(choice.by != NOBODY for choice in game.pending):
                    found.update(f"{greedy.choose(game, seat).as_json()}".encode())
    return found.hexdigest()


def _bots(box: Box, source: random.Random, game: ShelterGame) -> dict[int, Policy]:
    """Return the bots of a game: one that thinks a little with the learned value, one without, and greedy ones."""
    named = ("valued", "mcts", "builder", "greedy")
    return {seat: make(name, box, source, Budget(walks=WALKS)) for seat, name in zip(game.seats, named, strict=False)}


def report(count: int = GAMES) -> str:
    """Return the digest in JSON, and whether the rules that were loaded for it are compiled.

    A proof on an emulated processor plays fewer: `prove` says how many.
    """
    games()  # what the table asks is loaded as well, and must load when it is compiled
    return json.dumps({"digest": digest(count), "games": count, "compiled": not legal.__file__.endswith(".py")})
