"""Bots at the table: a seat handed over and taken back, what a bot proposes, and how people follow it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from companion.games.registry import game_of
from companion.refusal import Refusal
from companion.table.session.events import BotExplained, BotLeft, BotSeated, BotSuggested
from companion.table.session.handlers.table_seen import look_again
from companion.table.session.intents import Speaker
from companion.table.session.state import Suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.api import AnyGame
    from companion.games.json_types import MoveJson
    from companion.table.session.intents import Follow, Propose, SeatBot
    from companion.table.session.state import SessionState

NAME: Final = "bot"
"""Who made a bot's move, in the record."""


def seat(session: SessionState, intent: SeatBot) -> None:
    """Hand a seat to a bot, or take it back, which the phone that holds the seat can do at any time."""
    open_game, colour, character = session.open_game, intent.seat, intent.character
    _refuse_unless_bots_play(open_game.rules)
    if colour not in open_game.state()["players"]:
        raise Refusal("no_such_seat", None, f"{colour[:60]!r} is not playing.", seat=colour[:60])
    if not intent.speaker.may_speak_for(colour):
        raise Refusal("not_yours", None, "That takes the seat itself or the host.", by=colour)
    if character is not None:
        _refuse_unless_character(open_game.rules, character)
    if open_game.bots.get(colour) == character:
        return
    session.do(lambda: session.recorded.seat_bot(colour, character))
    session.events.append(BotLeft(colour) if character is None else BotSeated(colour, character))
    look_again(session)


def refuse_odd_bots(setup: Mapping[str, object], plays: str) -> None:
    """Refuse a setup that seats bots where there are none, or none that we know."""
    bots = setup.get("bots")
    if not bots:
        return
    _refuse_unless_bots_play(game_of(plays))
    players = setup.get("players")
    if not isinstance(bots, dict) or not isinstance(players, list):
        raise Refusal("malformed", None, "bots is an object of a character for each colour.", field="bots")
    for colour, character in bots.items():
        if colour not in players:
            raise Refusal("no_such_seat", None, f"{str(colour)[:60]!r} is not playing.", seat=str(colour)[:60])
        _refuse_unless_character(game_of(plays), character)


def _refuse_unless_bots_play(rules: AnyGame) -> None:
    if not rules.has_bots:
        raise Refusal("no_bots", None, "Bots do not play this game.", game=rules.name)


def _refuse_unless_character(rules: AnyGame, character: object) -> None:
    if character not in rules.characters:
        known = ", ".join(rules.characters)
        raise Refusal("no_such_character", None, f"A bot is one of: {known}.", character=str(character)[:60])


# --- what a bot proposes ----------------------------------------------------------------------------------------------


def propose(session: SessionState, intent: Propose) -> None:
    """Suggest where people should place a bot's figure, if a camera watches; play everything else at once."""
    move, by = intent.move, intent.move.get("by")
    if not _is_a_bots(session, move):
        raise Refusal("no_bot", None, "No bot plays this seat any more.", by=by)
    if is_for_hands(session, move):
        session.position().after(move)
        session.suggestion = Suggestion(str(by), move, intent.reason or {})
        session.events.append(BotSuggested(str(by), move, intent.reason or {}))
        return
    session.play(move, NAME)
    if intent.reason:
        session.events.append(BotExplained(by, intent.reason))
    look_again(session)


def _is_a_bots(session: SessionState, move: MoveJson) -> bool:
    """Whether a bot may make this move; bots do threats and recall where nobody else plays."""
    open_game = session.open_game
    if move.get("by") is None:
        return set(open_game.state()["players"]) == set(open_game.bots)
    return move["by"] in open_game.bots


def is_for_hands(session: SessionState, move: MoveJson) -> bool:
    """Whether a move places figures that somebody at the table moves first: a camera sees it, or people say so."""
    mat = session.open_game.rules.mat
    return (session.looks or _waits(session)) and mat is not None and mat.placement(move) is not None


def _waits(session: SessionState) -> bool:
    """Whether bots wait for hands though no camera looks; where nobody is at the table they would wait for ever."""
    here = session.open_game.state()["players"].keys() - session.open_game.bots.keys() - session.hands.away
    return session.settings.bots_wait and bool(here)


def follow(session: SessionState, intent: Follow) -> None:
    """Play a suggestion because somebody at the table says that the figure stands there."""
    if session.suggestion is None:
        raise Refusal("no_suggestion", None, "No bot waits for its figure to be moved.")
    if not intent.speaker.may_speak_for(None):
        raise Refusal("no_seat", None, "To act, take a seat first: the codes are on the big screen.")
    play_suggestion(session, session.suggestion)
    look_again(session)


def play_suggestion(session: SessionState, said: Suggestion) -> None:
    """Play what a bot has said; where no camera looks, its figure stands there from now on."""
    session.suggestion = None
    session.play(said.move, NAME)
    mat = session.open_game.rules.mat
    placed = None if mat is None else mat.placement(said.move)
    if placed is not None and not session.looks:
        session.hands.tick([placed.space], session.position().lies())


def settle(session: SessionState) -> None:
    """Drop a suggestion that is no longer legal; play one that no camera waits for any more."""
    said = session.suggestion
    if said is None:
        return
    if said.by not in session.open_game.bots or not _is_legal(session, said.move):
        session.suggestion = None
    elif not is_for_hands(session, said.move):
        session.suggestion = None
        with suppress(Refusal):
            session.play(said.move, NAME)
            session.events.append(BotExplained(said.by, said.reason))


def _is_legal(session: SessionState, move: MoveJson) -> bool:
    try:
        session.position().after(move)
    except Refusal:
        return False
    return True


# --- taking back ------------------------------------------------------------------------------------------------------


def behind_bots(session: SessionState) -> int | None:
    """Return the version before a person's last move, where bots have played since; None for one step back."""
    if not session.open_game.bots:
        return None
    return session.open_game.timeline.before_the_last(lambda move: was_played_at_once(session, move))


def was_played_at_once(session: SessionState, move: object) -> bool:
    """Whether a bot made this move without anybody's hand."""
    raw = session.open_game.rules.write(move)
    return raw.get("by") in session.open_game.bots and not (session.looks and is_for_hands(session, raw))


BOT: Final = Speaker(host=True, name=NAME)
"""Bots answer the table's own questions about their figures."""
