"""Why a survivor's bot made its move, as data for the translation catalogues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.bots.worth.vats import ContestOdds
from companion.games.wasteland import moves
from companion.games.wasteland.fight import fights

if TYPE_CHECKING:
    from companion.bots.policy.reason_texts import Reason
    from companion.games.wasteland.game import WastelandGame
    from companion.games.wasteland.moves import WastelandMove

WHYS: Final = (
    "w_claim", "w_quest", "w_fight", "w_encounter", "w_camp", "w_walk_quest", "w_walk", "w_explore", "w_use", "w_equip",
    "w_end", "w_keep", "w_reroll", "answer",
)  # fmt: skip
"""Every key: the catalogues have one sentence for each."""


def why(game: WastelandGame, seat: int, move: WastelandMove) -> Reason:
    """Return the reason for a move about to be played; a fight and a reroll with their chance."""
    match move.do:
        case "choose":
            return _of_answer(game, str(move.args["option"]))
        case "fight":
            return {"why": "w_fight", "chance": _chance(game, seat, move[moves.ENEMY])}
        case "walk" | "step":
            wanted = {
                condition.word
                for number in game.quests
                if number in game.box.quests
                for objective in game.box.quests[number].objectives
                for condition in objective.requires
            }
            return {"why": "w_walk_quest" if move.args["to"] in wanted else "w_walk"}
        case "quest" | "trigger":
            return {"why": "w_quest"}
        case "use" | "perk":
            return {"why": "w_use"}
        case "claim" | "encounter" | "camp" | "explore" | "equip" | "end":
            return {"why": f"w_{move.do}"}
        case _:
            return {"why": "answer"}


def _chance(game: WastelandGame, seat: int, number: int) -> float:
    if not game.box.dice:
        return 0.5
    token = game.enemies[number]
    fight = fights.prepared(game, seat, token.kind, number, adjacent=token.at != game.survivors[seat].at)
    found = ContestOdds(game, fight).of("fight", "roll")
    return 0.5 if found is None else round(found.win, 3)


def _of_answer(game: WastelandGame, option: str) -> Reason:
    if game.contest is None or game.pending[0].kind != "reroll":
        return {"why": "answer", "option": option}
    return {"why": "w_keep"} if option == "keep" else {"why": "w_reroll"}
