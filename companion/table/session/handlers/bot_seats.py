"""Bots at the table: a seat handed over and taken back, what a bot proposes, and how people follow it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from companion.bots.policy.characters import CHARACTERS
from companion.refusal import Refusal
from companion.table.record.open_game import GAMES_WITH_BOTS
from companion.table.session.handlers.table_seen import look_again
from companion.table.session.intents import Speaker
from companion.table.session.state import Suggestion
from companion.table.sight.reconcile import OFF

if TYPE_CHECKING:
    from companion.table.session.intents import Follow, Propose, SeatBot
    from companion.table.session.state import Desk
    from companion.table.sight.explain import Move

NAME: Final = "bot"
"""How the record calls whoever made a bot's move."""


def seat(desk: Desk, intent: SeatBot) -> None:
    """A bot takes a seat, or gives it back. Whose phone holds the seat keeps it: it can take it back at any time."""
    sitting, colour, character = desk.sitting, intent.seat, intent.character
    _refuse_unless_bots_play(sitting.rules.name)
    if colour not in sitting.state()["players"]:
        raise Refusal("no_such_seat", None, f"{colour[:60]!r} is not playing.", seat=colour[:60])
    if not intent.speaker.may_speak_for(colour):
        raise Refusal("not_yours", None, "That takes the seat itself or the host.", by=colour)
    if character is not None:
        _refuse_unless_character(character)
    if sitting.bots.get(colour) == character:
        return
    desk.do(lambda: desk.kept.seat_bot(colour, character))
    desk.tell("bot_seated" if character is not None else "bot_left", by=colour, what=[character])
    look_again(desk)


def refuse_odd_bots(setup: dict[str, Any], plays: str) -> None:
    """Which seats a new game begins with bots at."""
    bots = setup.get("bots")
    if not bots:
        return
    _refuse_unless_bots_play(plays)
    players = setup.get("players")
    if not isinstance(bots, dict) or not isinstance(players, list):
        raise Refusal("malformed", None, "bots is an object of a character for each colour.", field="bots")
    for colour, character in bots.items():
        if colour not in players:
            raise Refusal("no_such_seat", None, f"{str(colour)[:60]!r} is not playing.", seat=str(colour)[:60])
        _refuse_unless_character(character)


def _refuse_unless_bots_play(plays: str) -> None:
    if plays not in GAMES_WITH_BOTS:
        raise Refusal("no_bots", None, "Bots do not play this game.", game=plays)


def _refuse_unless_character(character: object) -> None:
    if character not in CHARACTERS:
        known = ", ".join(CHARACTERS)
        raise Refusal("no_such_character", None, f"A bot is one of: {known}.", character=str(character)[:60])


# --- what a bot proposes ----------------------------------------------------------------------------------------------


def propose(desk: Desk, intent: Propose) -> None:
    """A bot's move: its figure is for people to move where a camera watches; everything else is played at once."""
    move, by = intent.move, intent.move.get("by")
    if not _is_a_bots(desk, move):
        raise Refusal("no_bot", None, "No bot plays this seat any more.", by=by)
    if move["do"] == "place" and is_watched(desk):
        desk.position().after(move)
        desk.suggestion = Suggestion(str(by), move, intent.reason)
        desk.tell("suggested", by=by, what=[move, intent.reason])
        return
    desk.play(move, NAME)
    if intent.reason:
        desk.tell("reason", by=by, what=[intent.reason])
    look_again(desk)


def _is_a_bots(desk: Desk, move: dict[str, Any]) -> bool:
    """What nobody's seat has to do, threats and recall, bots do where nobody else is there."""
    sitting = desk.sitting
    if move.get("by") is None:
        return set(sitting.state()["players"]) == set(sitting.bots)
    return move["by"] in sitting.bots


def is_watched(desk: Desk) -> bool:
    """Whether a camera looks, so that the table is to move first."""
    return desk.verdict.camera != OFF


def follow(desk: Desk, intent: Follow) -> None:
    """The figure stands where the bot said; anybody at the table may say so."""
    if desk.suggestion is None:
        raise Refusal("no_suggestion", None, "No bot waits for its figure to be moved.")
    if not intent.speaker.may_speak_for(None):
        raise Refusal("no_seat", None, "To act, take a seat first: the codes are on the big screen.")
    desk.play(desk.suggestion.move, NAME)
    look_again(desk)


def settle(desk: Desk) -> None:
    """A suggestion that has lost its sense is dropped; one that no camera waits for any more is played."""
    said = desk.suggestion
    if said is None:
        return
    if said.by not in desk.sitting.bots or not _is_legal(desk, said.move):
        desk.suggestion = None
    elif not is_watched(desk):
        desk.suggestion = None
        with suppress(Refusal):
            desk.play(said.move, NAME)
            desk.tell("reason", by=said.by, what=[said.reason])


def _is_legal(desk: Desk, move: Move) -> bool:
    try:
        desk.position().after(move)
    except Refusal:
        return False
    return True


# --- taking back ------------------------------------------------------------------------------------------------------


def behind_bots(desk: Desk) -> int | None:
    """Before a person's last move, where bots have played at once since; None where one step back is all."""
    if not desk.sitting.bots:
        return None
    return desk.sitting.timeline.before_the_last(lambda move: was_played_at_once(desk, move))


def was_played_at_once(desk: Desk, move: Any) -> bool:
    """Whether a bot made this move without anybody's hand."""
    raw = desk.sitting.rules.write(move)
    return raw.get("by") in desk.sitting.bots and not (raw["do"] == "place" and is_watched(desk))


BOT: Final = Speaker(host=True, name=NAME)
"""Bots answer the table's own questions about their figures."""
