"""The list by which a game that was put away is laid again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web.games.wasteland import board
from web.pages.host.view import Laid, Relaying

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.wasteland.names import Names


def laying(words: Words, names: Names, state: dict[str, Any]) -> Relaying | None:
    """What lies where, and what is in front of the players; None unless the game is put away."""
    if state["phase"] != "frozen":
        return None
    figures = [
        Laid(names.space(player["space"]), names.player(colour), "")
        for colour, player in state["players"].items()
        if not player["eliminated"]
    ]
    enemies = [Laid(names.space(one["space"]), names.enemy(number), "") for number, one in state["enemies"].items()]
    middle = [Laid("", names.quest(number), "") for number in state["quests"]]
    shop = [Laid("", names.of(card), "") for card in state["shop"]]
    groups = [
        (words.text("won_the_map"), [*figures, *enemies]),
        (words.text("wquests"), middle),
        (words.text("wshop"), shop),
    ]
    boards = [(colour, names.player(colour), _board(words, names, state, colour)) for colour in state["order"]]
    return Relaying(groups, boards, 0)


def _board(words: Words, names: Names, state: dict[str, Any], colour: str) -> str:
    one = board.board(words, names, state, colour, frozenset())
    pegs = words.text("wpegs", hp=one.hp, rads=one.rads, n=one.remaining)
    letters = "".join(letter.letter for letter in one.letters if letter.owned)
    held = [card for card in (*one.equipment, *one.inventory, one.beside) if card is not None]
    spent = [f"{card.name} ({words.text('exhausted')})" if card.exhausted else card.name for card in held]
    perks = [name for _, name, _ in one.perks]
    caps, agendas = words.count("wcaps", one.caps), words.count("wagendas", one.agendas)
    return " · ".join([pegs, letters, caps, agendas, *one.traits, *spent, *perks])
