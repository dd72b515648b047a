"""Whole rounds as four people would play them, every tap counted: what is answered, chosen and ended by hand."""

from companion.games.wasteland import moves
from companion.games.wasteland.box import ENEMIES, SETUP, TURN
from companion.games.wasteland.state import state_of
from companion.seeded_chance import SeededLuck

from .play import a_game

LEAD = ("fight", "quest", "encounter", "explore", "walk", "step", "camp")
"""What somebody does first who wants to get on."""
ANSWERS = ("roll", "keep", "go-on", "heal", "done")


def rounds(scenario, count, seed, real=False):
    """Taps of each of so many rounds; with real dice and cards every face and every card is one."""
    game, luck = a_game(players=4, seed=seed, scenario=scenario, table_dice=real, table_cards=real, survivors=dict(
        enumerate(["the-netmaker", "the-pilgrim", "the-brine-child", "the-diver-maid"])
    )), SeededLuck(seed)  # fmt: skip
    found, taps, now = [], 0, game.round
    been = {seat: [] for seat in game.seats}
    while len(found) < count and game.result is None:
        if game.round != now:
            found.append(taps)
            taps, now = 0, game.round
        move = choice_of(game) if game.pending else turn_of(game, been)
        begun = game.phase != SETUP
        game.play(move, luck)
        taps += begun * (1 + asks_first(game, move))
    return found


def choice_of(game):
    choice = game.pending[0]
    options = state_of(game)["pending"][0]["options"]
    option = next((one for one in ANSWERS if one in options), options[0])
    if choice.kind == "camp" and "done" in options and "heal" not in options:
        option = "done"
    return moves.WastelandMove("choose", choice.by, option=option) if choice.by >= 0 else moves.read(
        {"do": "choose", "option": option, "id": choice.id})  # fmt: skip


def turn_of(game, been):
    if game.phase == ENEMIES:
        return moves.WastelandMove("reveal")
    assert game.phase == TURN
    seat = game.turn
    legal = [move for move in game.legal_moves() if move.by == seat]
    for do in LEAD:
        fit = [move for move in legal if move.do == do]
        if do == "quest":
            fit = [move for move in fit if game.survivors[seat].caps >= 2]
        if do in ("walk", "step"):
            fit = [move for move in fit if "terrain" not in move.args and move.args["to"] not in been[seat]]
            if do == "walk" and game.actions < 2:
                fit = []
            fit = fit[-1:]  # the furthest
        if do == "camp":
            fit = [move for move in fit if "all" in move.args]
        if do == "explore":
            fit = [move for move in fit if "enemies" not in move.args]
        if fit and (game.actions or do in ("walk", "step")):
            been[seat].append(fit[0].args.get("to", ""))
            return fit[0]
        if do == "walk" and game.map is None and game.actions == 2:
            return moves.WastelandMove("move", seat)
    del been[seat][:-3]
    return moves.WastelandMove("end", seat)


def asks_first(game, move):
    """A walk into a fight or into rads is confirmed on the page."""
    if move.do != "walk" or game.map is None:
        return 0
    return int(game.contest is not None or any(choice.kind == "forced-fight" for choice in game.pending))
