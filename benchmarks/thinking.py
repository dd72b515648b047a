"""Measure the speed of the bots: decisions, playouts to the end, walks of the tree search, and one whole review."""

from __future__ import annotations

import random
from time import perf_counter, process_time

from companion.bots.policy.budget import Budget
from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import move_of_the_table, who_decides
from companion.bots.policy.search import Search
from companion.bots.review.review import PlayedStep, review
from companion.bots.study.tournament import Tournament
from companion.bots.worth.win_chance import WinEstimator
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.words import COLOURS, NOBODY
from companion.seeded_chance import QuickLuck

GAMES = 200
PLAYOUTS = 200
WALKS = 400
LOOKING_BACK = "looking back on a game of three, seconds of a core"
GOALS = {LOOKING_BACK: "60"}


def measure() -> dict[str, float]:
    """Return decisions, playouts and walks a second, from the first turn of a game of two and of four."""
    box, source = Box(builtin("standard")), random.Random(1)
    tournament = Tournament(box, ["greedy"], len(COLOURS), 1)
    for played in tournament.games(GAMES // 4):  # let the tables fill
        played.game.legal_moves()
    start = perf_counter()
    decisions = sum(played.decisions for played in tournament.games(GAMES))
    found = {"greedy, decisions a second": decisions / (perf_counter() - start)}
    for players in (2, 4):
        game = new_game(box, TableSetup(COLOURS[:players]), QuickLuck(source))
        foresight, search = WinEstimator(box, source), Search(box, source, Budget(walks=WALKS))
        foresight.estimate(game, PLAYOUTS // 4)
        start = perf_counter()
        foresight.estimate(game, PLAYOUTS)
        found[f"playouts a second, {players} players"] = PLAYOUTS / (perf_counter() - start)
        search.think(game, game.turn)
        start = perf_counter()
        search.think(game, game.turn)
        found[f"walks a second, {players} players"] = WALKS / (perf_counter() - start)
    found[LOOKING_BACK] = review_seconds(box)
    return found


def review_seconds(box: Box, players: int = 3) -> float:
    """Return how many seconds of a core it takes to look back on a game of greedy players."""
    source = random.Random(1)
    luck, greedy = QuickLuck(source), Greedy(box, source)
    game, steps = new_game(box, TableSetup(COLOURS[:players]), luck), list[PlayedStep]()
    while game.result is None:
        seat, before = who_decides(game), game.copy()
        move = (move_of_the_table(game) if seat == NOBODY else None) or greedy.choose(game, seat)
        steps.append(PlayedStep(len(steps) + 1, before, move, tuple(game.play(move, luck))))
    start = process_time()  # it runs behind everything else, so the clock on the wall would measure the others
    review(steps, game, "1")
    return process_time() - start
