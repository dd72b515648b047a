"""Why a move was chosen, as data for the translation catalogues: a key, and the fields of its sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.moves import CHOOSE, PASS, PLACE, USE
from companion.games.shelter.turn.paying import ROOMS_OF_A_FULL_LEVEL
from companion.games.shelter.words import ANY_LETTER, DWELLERS, INJURED, LETTERS, RESOURCES, ROOMS, THREATS

if TYPE_CHECKING:
    from companion.bots.policy.greedy import Greedy
    from companion.bots.policy.reason_texts import Reason
    from companion.bots.worth.outlook import Outlook
    from companion.bots.worth.prospects import Prospect
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move

WHYS = (
    "nothing_worth_it", "answer", "item_helps", "room", "last_room", "fight", "threat", "happiness", "dweller", "item",
    "room_next_turn", "training", "first_player", "healing", "resources", "exchange", "ready", "new_cards", "best_left",
)  # fmt: skip
"""Every key: the catalogues have one sentence for each."""


def why(game: ShelterGame, seat: int, move: Move, greedy: Greedy) -> Reason:
    """Return the reason for a move about to be played, in the manner of the player's style."""
    reason = _why(game, seat, move, greedy)
    if greedy.style.name:
        reason["style"] = greedy.style.name
    return reason


def _why(game: ShelterGame, seat: int, move: Move, greedy: Greedy) -> Reason:
    if move.do == PASS:
        return {"why": "nothing_worth_it"}
    if move.do == CHOOSE:
        return {"why": "answer", "option": move.option}
    if move.do == USE:
        return {"why": "item_helps", "item": move.item}
    if move.do != PLACE:
        return {"why": "best_left"}
    face = game.vault.faces[move.space]
    if face is None:
        return {"why": "best_left"}
    outlook = greedy.outlook(game, seat)
    prospect = greedy.prospects.of[face]
    doubled = bool(move.use) or bool(face.letter and any(one % INJURED == face.letter for one in move.dwellers))
    reason = _of_threat(game, outlook, move.space, prospect) or _of_reward(outlook, prospect, 1 + doubled, greedy)
    if doubled:
        reason["doubled"] = LETTERS[face.letter - 1]
    return reason


def _of_threat(game: ShelterGame, outlook: Outlook, space: int, prospect: Prospect) -> Reason | None:
    threat = game.vault.threats.get(space)
    if threat is None:
        return None
    reason: Reason = {"why": "threat", "threat": game.box.names[THREATS][threat]}
    if prospect.face.fight:
        reason |= {"why": "fight", "chance": round(outlook.win_chance(prospect.face.fight), 3)}
    return {**reason, "happiness": prospect.happiness, "gain": _gain(prospect, 1)}


def _of_reward(outlook: Outlook, prospect: Prospect, times: int, greedy: Greedy) -> Reason:
    """Return the rarest thing that the space brings."""
    if prospect.builds:
        return _of_room(outlook, prospect, greedy)
    if prospect.happiness:
        return {"why": "happiness", "happiness": prospect.happiness * times}
    if prospect.dwellers:
        return {"why": "dweller", "dwellers": prospect.dwellers * times}
    if prospect.items:
        return {"why": "item", "items": prospect.items * times}
    room = _room_that_becomes_payable(outlook, prospect, times)
    if room is not None:
        return {"why": "room_next_turn", "room": room, "gain": _gain(prospect, times)}
    return _of_smaller_reward(prospect, times)


def _of_smaller_reward(prospect: Prospect, times: int) -> Reason:
    if prospect.letters:
        letter = prospect.letters[0]
        reason: Reason = {"why": "training", "gain": _gain(prospect, times)}
        return reason if letter == ANY_LETTER else {**reason, "letter": DWELLERS[letter]}
    if prospect.first:
        return {"why": "first_player"}
    if prospect.heals:
        return {"why": "healing"}
    if any(prospect.cubes) or prospect.any:
        return {"why": "resources", "gain": _gain(prospect, times)}
    if prospect.exchanges:
        return {"why": "exchange"}
    if prospect.readies:
        return {"why": "ready"}
    return {"why": "new_cards" if prospect.refreshes else "best_left"}


def _of_room(outlook: Outlook, prospect: Prospect, greedy: Greedy) -> Reason:
    _, card = greedy.appraiser.best_room(outlook)
    last = outlook.game.vault.rooms_on(outlook.level) == ROOMS_OF_A_FULL_LEVEL - 1
    reason: Reason = {"why": "last_room" if last else "room", "happiness": prospect.happiness}
    if card >= 0:
        reason["room"] = outlook.box.names[ROOMS][card]
    return reason


def _room_that_becomes_payable(outlook: Outlook, prospect: Prospect, times: int) -> str | None:
    """Return a room of the track that the gain of this space makes payable."""
    before = outlook.state
    after = outlook.purse.after(prospect, before, times)
    for card in outlook.game.tracks[ROOMS]:
        if card >= 0 and not outlook.box.rooms[card].affordable[before] and outlook.box.rooms[card].affordable[after]:
            return outlook.box.names[ROOMS][card]
    return None


def _gain(prospect: Prospect, times: int) -> dict[str, int]:
    amounts = dict(zip((*RESOURCES, "any"), (*prospect.cubes, prospect.any), strict=True))
    return {name: amount * times for name, amount in amounts.items() if amount}
