"""What the buttons of the panel mean in the wasteland: dice, the enemy phase, what comes next, and short answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.json_types import MoveJson
    from companion.games.wasteland.state_types import WastelandChoice, WastelandState

GO_ON: Final = ("keep", "go-on", "done", "none", "leave", "leaves", "refuse", "nobody")
"""The answers by which things go on without anything more being done."""
TWO: Final = 2


def roll(state: WastelandState) -> MoveJson:
    """Throw the dice that are waited for."""
    for choice in state["pending"]:
        if choice["kind"] in ("fight", "test"):
            return answer_of(choice, "roll")
    raise Refusal("nothing_to_roll", "W-DICE-1", "No fight and no test waits for a roll.")


def go_on(state: WastelandState) -> MoveJson:
    """Do what comes next: let an open question go by, reveal the agenda of the enemy phase, end the turn."""
    if state["pending"]:
        choice = state["pending"][0]
        quiet = next((option for option in GO_ON if option in choice["options"]), None)
        if quiet is None:
            raise Refusal("choose_on_a_phone", choice["clause"], "That has to be chosen on a phone.", by=choice["by"])
        return answer_of(choice, quiet)
    if state["phase"] == "enemies":
        return {"do": "reveal"}
    if state["turn"] is None:
        raise Refusal("game_over", "W-END-1", "The game is over.")
    return {"do": "end", "by": state["turn"]}


def of_colour(state: WastelandState, colour: str, *, held: bool) -> MoveJson:
    """Answer what this survivor is asked, the first of two by a press and the second by a hold; else end the turn."""
    choice = next((one for one in state["pending"] if one["by"] == colour), None)
    if choice is None:
        return {"do": "end", "by": colour}
    if len(choice["options"]) > TWO:
        raise Refusal("choose_on_a_phone", choice["clause"], "That has to be chosen on a phone.", by=colour)
    return answer_of(choice, choice["options"][-1 if held else 0])


def answer_of(choice: WastelandChoice, option: str) -> MoveJson:
    """Return the move that answers a choice."""
    move: MoveJson = {"do": "choose", "id": choice["id"], "option": option}
    return {**move, "by": choice["by"]} if choice["by"] else move
