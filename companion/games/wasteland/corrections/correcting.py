"""Corrections: a person's word against the record, in the shape of the state; refused only if impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games import fields
from companion.games.wasteland import moves, readers
from companion.games.wasteland.corrections import boards_and_enemies, cards_of_table
from companion.games.wasteland.events import BoardCorrected
from companion.games.wasteland.flow import rounds
from companion.games.wasteland.flow.step_stack import push
from companion.games.wasteland.words import COLOURS, ENEMIES, FACTIONS, NO_CARD, NOBODY, OVER, SETUP, TURN
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import WastelandPosition

DERIVED: Final = frozenset(
    {
        "version", "seq", "game", "id", "order", "decks", "discards", "stacks", "fallen", "encounters", "letters",
        "perks", "track", "contest", "encounter", "reminders", "revealed", "result", "table", "panel", "private",
    }
)  # fmt: skip
SETTABLE: Final = frozenset(
    {"round", "phase", "turn", "first", "options", "actions", "pending", "players", "power", "shop", "quests",
     "enemies"}
)  # fmt: skip


def correct(game: WastelandPosition, chance: MoveChance, move: WastelandMove) -> None:
    """The whole set is true together, or nothing of it is taken."""
    change = move[moves.SET]
    _refuse_unless_allowed(game, move.by, change)
    if "first" in change:
        game.first = _seat(game, change["first"], "first")
    if "round" in change:
        game.round = fields.whole(change["round"], "round", 1, 999)
    _power(game, change)
    _options(game, change)
    _quests(game, change)
    boards = _boards(game, change)
    for seat, board in boards.items():
        boards_and_enemies.pegs(game, seat, board)
    cards_of_table.apply(game, change, boards)
    boards_and_enemies.apply(game, chance, change)
    for seat in boards:
        boards_and_enemies.refuse_if_impossible(game, seat)
    _phase_and_turn(game, change)
    _actions(game, change)
    if "pending" in change:
        if change["pending"] != []:
            raise fields.malformed("pending", change["pending"], "an empty list; open choices can only be dropped")
        _drop_choice(game)
    game.events.append(BoardCorrected(move.by, parts=tuple(sorted(change))))


def _refuse_unless_allowed(game: WastelandPosition, by: int, change: dict[str, object]) -> None:
    """Known parts only; a seat speaks for its own board."""
    if game.phase in (SETUP, OVER):
        raise Refusal("not_now", None, "Corrections are for a game that runs.")
    for key in change:
        if key not in SETTABLE and key not in DERIVED:
            raise fields.malformed("set", key, "a part of the state")
    if by == NOBODY:
        return
    players = fields.an_object(change.get("players", {}), "players")
    if set(change) - DERIVED - {"players"} or set(players) - {COLOURS[by]}:
        raise Refusal("not_yours", None, "A seat corrects its own board; the host corrects all.", by=COLOURS[by])


def _seat(game: WastelandPosition, raw: object, field: str) -> int:
    seat = readers.colour(raw, field)
    if seat not in game.seats or game.survivors[seat].eliminated:
        raise Refusal("not_playing", "W-TURN-10", f"{field}: {COLOURS[seat]} is not playing.", field=field)
    return seat


def _boards(game: WastelandPosition, change: dict[str, object]) -> dict[int, dict[str, object]]:
    players = fields.an_object(change.get("players", {}), "players")
    return {_seat(game, name, "players"): fields.an_object(board, name) for name, board in players.items()}


def _power(game: WastelandPosition, change: dict[str, object]) -> None:
    """Below the last space: the end of a game is played, not corrected."""
    for name, raw in fields.an_object(change.get("power", {}), "power").items():
        if name not in list(FACTIONS):
            raise fields.malformed("power", name, "star or shield")
        last = len(game.scenario.track) - 2
        game.power[[faction.value for faction in FACTIONS].index(name)] = fields.whole(raw, name, 0, last, "W-FACT-3")


def _options(game: WastelandPosition, change: dict[str, object]) -> None:
    options = fields.an_object(change.get("options", {}), "options")
    if "dice" in options:
        game.table_dice = fields.by_table(options["dice"], "dice") or not game.box.dice
    if "cards" in options:
        game.table_cards = fields.by_table(options["cards"], "cards")


def _quests(game: WastelandPosition, change: dict[str, object]) -> None:
    if "quests" in change:
        game.quests = [readers.number(one, "quests") for one in fields.a_list(change["quests"], "quests")]
        if len(set(game.quests)) != len(game.quests):
            raise Refusal("impossible", "W-QUEST-1", "A quest is staged once.", field="quests")


def _phase_and_turn(game: WastelandPosition, change: dict[str, object]) -> None:
    phase = change.get("phase", {TURN: "turn", ENEMIES: "enemies"}[game.phase])
    if phase not in ("turn", "enemies"):
        raise fields.malformed("phase", phase, "turn or enemies")
    turn = change.get("turn")
    seat = game.turn if turn is None else _seat(game, turn, "turn")
    if phase == "enemies" and (game.phase != ENEMIES or turn is not None):
        _drop_what_is_under_way(game)
        game.phase, game.turn = ENEMIES, NOBODY
        game.waiting_turn = game.first if seat == NOBODY else rounds.clockwise_after(game, seat)
    elif phase == "turn" and (game.phase != TURN or seat != game.turn):
        _drop_what_is_under_way(game)
        rounds.begin_turn(game, game.first if seat == NOBODY else seat)


def _drop_choice(game: WastelandPosition) -> None:
    """An open choice is dropped; what was drawn for it stays conserved, and limits are asked again."""
    for choice in game.pending:
        if choice.kind == "equip":
            push(game, "inventory-limit", choice.by)
            game.survivors[choice.by].inventory.append(choice.data[0])
        elif choice.kind == "letter":
            for letter in choice.data:
                game.supply[letter] += 1
    game.pending.clear()


def _drop_what_is_under_way(game: WastelandPosition) -> None:
    """Another phase or turn: what was being done is not finished."""
    if game.contest is not None or game.visit is not None or game.pending:
        raise Refusal("choice_open", "W-ACT-3", "First what is under way is finished, or undone.")
    game.work.clear()
    if game.revealed_agenda != NO_CARD:
        game.agendas.discards.append(game.revealed_agenda)
        game.revealed_agenda = NO_CARD


def _actions(game: WastelandPosition, change: dict[str, object]) -> None:
    actions = fields.an_object(change.get("actions", {}), "actions")
    for key, raw in actions.items():
        if key == "left":
            game.actions = fields.whole(raw, key, 0, game.box.settings.actions, "W-TURN-2")
        elif key == "points":
            game.points = fields.whole(raw, key, 0, 4, "W-MAP-1")
        elif key == "encountered":
            game.encountered = fields.flag(raw, key)
        elif key == "start_of_turn":
            game.window = fields.flag(raw, key)
        else:
            raise fields.malformed("actions", key, "left, points, encountered or start_of_turn")
