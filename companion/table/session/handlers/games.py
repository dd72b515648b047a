"""Beginning, choosing, freezing and taking up games; corrected cards; and what to do about a damaged record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.canonical import refuse_unless_writable
from companion.cards.pack import PackFaults
from companion.games.chance import LONGEST_NAME, is_name
from companion.games.registry import rules_of
from companion.refusal import Refusal
from companion.table.record.commit import Opening, begin
from companion.table.session.handlers import bot_seats, table_seen
from companion.table.sight.reconcile import Memory

if TYPE_CHECKING:
    from pathlib import Path

    from companion.cards.pack_text import PackText
    from companion.games.api import Rules
    from companion.table.session.intents import ChooseGame, Decide, EditCards, Freeze, Speaker, StartGame, Thaw
    from companion.table.session.state import Desk

SET_ASIDE, KEEP_LAST_GOOD = "set-aside", "keep-last-good"


def refuse_unless_host(speaker: Speaker) -> None:
    """Some things are the host's alone."""
    if not speaker.host:
        raise Refusal("host_only", None, "Only the host does that.")


def start(desk: Desk, intent: StartGame) -> None:
    """A new game; the old one stays in the record."""
    refuse_unless_host(intent.speaker)
    _refuse_odd_setup(intent.setup)
    bot_seats.refuse_odd_bots(intent.setup, intent.plays)
    game = desk.new_id()
    seed = intent.seed if intent.seed is not None else desk.new_id()
    pack = _pack(rules_of(intent.plays), intent.pack, intent.overlay)
    opening = Opening(game, intent.plays, pack, intent.setup, seed)
    keeper = desk.on_disk(lambda: begin(desk.journal, opening, desk.luck(seed)))
    desk.sit_down(keeper, fresh=True)
    _compare(desk)
    desk.tell("started", game=game)


def _refuse_odd_setup(setup: object) -> None:
    """What people have agreed on is an object, and names are texts; the rules look at the rest."""
    refuse_unless_writable(setup, "setup")
    if not isinstance(setup, dict):
        raise Refusal("malformed", None, "A setup is an object.", field="setup")
    names = setup.get("names", {})
    if not isinstance(names, dict) or not all(map(is_name, names.values())):
        message = f"names is an object of a name for each colour, of {LONGEST_NAME} letters at most."
        raise Refusal("malformed", None, message, field="names")


def _compare(desk: Desk) -> None:
    """The table as it was last seen, beside another game."""
    if desk.reading is not None and desk.watched:
        table_seen.settle_memory(desk, desk.reading)
        table_seen.look_again(desk)


def _pack(rules: Rules, name: str, overlay: Path | None) -> PackText:
    try:
        return rules.pack_text(name or rules.home_pack, None if overlay is None else str(overlay))
    except PackFaults as faults:
        raise Refusal("pack_faults", None, str(faults), faults=[str(fault) for fault in faults.faults]) from faults


def choose(desk: Desk, intent: ChooseGame) -> None:
    """Another game of the record becomes the current one."""
    refuse_unless_host(intent.speaker)
    if intent.game not in desk.journal.games:
        raise Refusal("no_such_game", None, f"There is no game {intent.game[:60]!r}.", game=intent.game[:60])
    desk.take_up(intent.game)
    if desk.keeper is not None and desk.keeper.trouble is None:
        desk.do(desk.keeper.resume)
        _compare(desk)
    desk.tell("chosen", game=intent.game)


def edit_cards(desk: Desk, intent: EditCards) -> None:
    """A card was corrected: the game goes on with it, and the record says so."""
    refuse_unless_host(intent.speaker)
    pack = _pack(desk.sitting.rules, intent.pack, intent.overlay)
    desk.do(lambda: desk.kept.edit_cards(pack))
    desk.tell("cards_edited")


def freeze(desk: Desk, intent: Freeze) -> None:
    """The game is put away, with what lies where."""
    refuse_unless_host(intent.speaker)
    if desk.sitting.frozen is not None:
        raise Refusal("frozen", None, "The game is frozen already.")
    state = desk.sitting.state()
    lies = {"phase": state["phase"], **desk.sitting.rules.relay(state), "photo": intent.photo}
    desk.do(lambda: desk.kept.freeze(lies))
    desk.tell("frozen")


def thaw(desk: Desk, intent: Thaw) -> None:
    """The game is laid again and goes on; what still differs will be said."""
    refuse_unless_host(intent.speaker)
    if desk.sitting.frozen is None:
        raise Refusal("not_frozen", None, "The game is not frozen.")
    desk.do(lambda: desk.kept.freeze(None))
    desk.memory, desk.compare = Memory(ignored=desk.sitting.ignored), True
    _compare(desk)
    desk.tell("thawed")


def decide(desk: Desk, intent: Decide) -> None:
    """Somebody's word on what cannot be replayed or does not verify."""
    refuse_unless_host(intent.speaker)
    if intent.option == SET_ASIDE:
        desk.do(desk.kept.set_aside)
    elif intent.option == KEEP_LAST_GOOD:
        if not desk.journal.broken:
            raise Refusal("nothing_damaged", None, "The record is whole.")
        desk.on_disk(desk.journal.keep_last_good)
        desk.take_up(desk.journal.current)
    else:
        raise Refusal("no_such_option", None, f"It is {SET_ASIDE} or {KEEP_LAST_GOOD}.", option=intent.option[:60])
    desk.tell("decided", option=intent.option)
