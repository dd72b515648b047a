"""Beginning, choosing, freezing and taking up games; corrected cards; and what to do about a damaged record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.canonical import refuse_unless_writable
from companion.cards.pack import PackFaults
from companion.games.fields import LONGEST, is_name
from companion.games.registry import game_of
from companion.refusal import Refusal
from companion.table.record.commit import Opening, begin
from companion.table.session.events import CardsEdited, GameChosen, GameFrozen, GameStarted, GameThawed, TroubleDecided
from companion.table.session.handlers import bot_seats, promises, table_seen
from companion.table.sight.reconcile import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from companion.cards.loader import PackText
    from companion.games.api import AnyGame
    from companion.table.record.entries import FrozenJson
    from companion.table.session.intents import ChooseGame, Decide, EditCards, Freeze, Speaker, StartGame, Thaw
    from companion.table.session.state import SessionState

SET_ASIDE, KEEP_LAST_GOOD = "set-aside", "keep-last-good"


def refuse_unless_host(speaker: Speaker) -> None:
    if not speaker.host:
        raise Refusal("host_only", None, "Only the host does that.")


def start(session: SessionState, intent: StartGame) -> None:
    """Begin a new game; the old one stays in the record. Whoever has played a game to its end may begin the next."""
    if not _played_to_the_end(session, intent.speaker):
        refuse_unless_host(intent.speaker)
    _refuse_odd_setup(intent.setup)
    bot_seats.refuse_odd_bots(intent.setup, intent.plays)
    game = session.new_id()
    seed, fair = promises.opening(session, intent)
    pack = _pack(game_of(intent.plays), intent.pack, intent.overlay)
    opening = Opening(game, intent.plays, pack, intent.setup, seed, fair, intent.campaign)
    recorded = session.on_disk(lambda: begin(session.journal, opening, promises.chance_of(seed, fair)))
    session.switch_to(recorded, fresh=True)
    _compare(session)
    session.events.append(GameStarted(game))


def _played_to_the_end(session: SessionState, speaker: Speaker) -> bool:
    if session.played is None or session.played.trouble is not None:
        return False
    state = session.open_game.state()
    return state["phase"] == "over" and bool(speaker.seats & state["players"].keys())


def _refuse_odd_setup(setup: object) -> None:
    """Refuse a setup that is no object, and names that are no texts; the rules look at the rest."""
    refuse_unless_writable(setup, "setup")
    if not isinstance(setup, dict):
        raise Refusal("malformed", None, "A setup is an object.", field="setup")
    names = setup.get("names", {})
    if not isinstance(names, dict) or not all(map(is_name, names.values())):
        message = f"names is an object of a name for each colour, of {LONGEST} letters at most."
        raise Refusal("malformed", None, message, field="names")


def _compare(session: SessionState) -> None:
    """Compare the table as it was last seen with another game."""
    if session.reading is not None and session.watched:
        table_seen.settle_memory(session, session.reading)
        table_seen.look_again(session)


def _pack(rules: AnyGame, name: str, overlay: Path | None) -> PackText:
    try:
        return rules.pack_text(name or rules.home_pack, None if overlay is None else str(overlay))
    except PackFaults as faults:
        raise Refusal("pack_faults", None, str(faults), faults=[str(fault) for fault in faults.faults]) from faults


def choose(session: SessionState, intent: ChooseGame) -> None:
    """Make another game of the record the current one."""
    refuse_unless_host(intent.speaker)
    if intent.game not in session.journal.games:
        raise Refusal("no_such_game", None, f"There is no game {intent.game[:60]!r}.", game=intent.game[:60])
    session.take_up(intent.game)
    if session.played is not None and session.played.trouble is None:
        session.do(session.played.resume)
        _compare(session)
    session.events.append(GameChosen(intent.game))


def edit_cards(session: SessionState, intent: EditCards) -> None:
    """Go on with a corrected card, and record it."""
    refuse_unless_host(intent.speaker)
    pack = _pack(session.open_game.rules, intent.pack, intent.overlay)
    session.do(lambda: session.recorded.edit_cards(pack))
    session.events.append(CardsEdited())


def freeze(session: SessionState, intent: Freeze) -> None:
    """Put the game away, with what lies where."""
    refuse_unless_host(intent.speaker)
    if session.open_game.frozen is not None:
        raise Refusal("frozen", None, "The game is frozen already.")
    state = session.open_game.state()
    laid = session.open_game.rules.relay(state)
    lies: FrozenJson = {
        "phase": state["phase"],
        "pieces": laid["pieces"],
        "boards": laid["boards"],
        "photo": intent.photo,
    }
    session.do(lambda: session.recorded.freeze(lies))
    session.events.append(GameFrozen())


def thaw(session: SessionState, intent: Thaw) -> None:
    """Take the game up again; what still differs on the table will be said."""
    refuse_unless_host(intent.speaker)
    if session.open_game.frozen is None:
        raise Refusal("not_frozen", None, "The game is not frozen.")
    session.do(lambda: session.recorded.freeze(None))
    session.memory, session.compare = Memory(ignored=session.open_game.ignored), True
    _compare(session)
    session.events.append(GameThawed())


def decide(session: SessionState, intent: Decide) -> None:
    """Do what the host says about what cannot be replayed or does not verify."""
    refuse_unless_host(intent.speaker)
    if intent.option == SET_ASIDE:
        session.do(session.recorded.set_aside)
    elif intent.option == KEEP_LAST_GOOD:
        if not session.journal.broken:
            raise Refusal("nothing_damaged", None, "The record is whole.")
        session.on_disk(session.journal.keep_last_good)
        session.take_up(session.journal.current)
    else:
        raise Refusal("no_such_option", None, f"It is {SET_ASIDE} or {KEEP_LAST_GOOD}.", option=intent.option[:60])
    session.events.append(TroubleDecided(intent.option))
