"""Corrections: a person's word against the record, in the shape of the state; refused only if impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.fields import flag, whole
from companion.games.shelter import house_rules
from companion.games.shelter.board.figures import Standing
from companion.games.shelter.corrections import cards_of_table, players_boards
from companion.games.shelter.corrections.fields import colour_of, mapping, space_of
from companion.games.shelter.events import ChoiceDropped, RecordCorrected
from companion.games.shelter.state import state_of
from companion.games.shelter.turn import scoring
from companion.games.shelter.turn.asking import first_turn, go_on, may_still_place, next_turn
from companion.games.shelter.turn.recalling import ask_letters
from companion.games.shelter.words import (
    COLOURS,
    DWELLER_NUMBER,
    DWELLERS,
    INJURED,
    NOBODY,
    OVER,
    PHASES,
    PLACE,
    PLAIN,
    RECALL,
    SPACE_NAMES,
    SPAWN,
)
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.chance import Chance
    from companion.games.shelter.board.figures import Choice
    from companion.games.shelter.moves import Move
    from companion.games.shelter.position import Position

DERIVED: Final = frozenset(
    {
        "version", "seq", "game", "id", "order", "decks", "discards", "spawned", "table", "panel", "result", "private",
        "suggestion", "odds", "devices", "record",
    }
)  # fmt: skip
SETTABLE: Final = frozenset(
    {
        "round", "phase", "turn", "first", "last_round", "options", "pending", "players", "levels", "placed",
        "threats", "tracks",
    }
)  # fmt: skip
EMPTIED: Final = ("placed", "threats")
PHASES_TO_SET: Final = (SPAWN, PLACE, RECALL, OVER)

# Which open choices lose their sense when a part of the state is set by hand.
TOUCHED_BY: Final = {
    "resources": ("income", "resource", "pay-resource", "exchange"),
    "items": ("item", "pay-item", "ready"),
    "available": ("letter", "heal"),
    "tracks.items": ("item",),
    "tracks.rooms": ("build", "discount"),
    "levels": ("build", "discount"),
}


def correct(game: Position, move: Move, chance: Chance) -> None:
    """The whole set is true together, or nothing of it is taken."""
    change = move.change
    if change is None:
        raise AssertionError("a correction carries a set")
    _refuse_unless_allowed(game, move.by, change)
    change = _as_meant(game, change)
    trial = game.copy()
    over_before = trial.phase == OVER
    _apply(trial, change, chance)
    _drop_touched(trial, change, chance)
    _settle_turn(trial, change, over_before=over_before)
    trial.events.append(RecordCorrected(move.by, tuple(sorted(change))))
    game.become(trial)


def _refuse_unless_allowed(game: Position, by: int, change: dict[str, Any]) -> None:
    """Known parts only; a seat speaks for its own board."""
    for key in change:
        if key not in SETTABLE and key not in DERIVED:
            raise Refusal("malformed", None, f"{str(key)[:60]!r} is no part of the state.", field=str(key)[:60])
    if by == NOBODY:
        return
    if by not in game.seats:
        raise Refusal("not_playing", "C1", f"{COLOURS[by]} is not playing.", by=COLOURS[by])
    if set(change) - DERIVED - {"players"} or set(mapping(change, "players")) - {COLOURS[by]}:
        raise Refusal("not_yours", None, "A seat corrects its own board; the host corrects all.", by=COLOURS[by])


def _as_meant(game: Position, change: dict[str, Any]) -> dict[str, Any]:
    """Null deletes every entry of a part; a state that is sent back with its open choices says what differs."""
    now = state_of(game)
    meant = dict(change)
    for part in EMPTIED:
        if part in change and change[part] is None:
            meant[part] = dict.fromkeys(now[part])
    if meant.get("pending", []) is None:
        meant["pending"] = []
    kept = meant.get("pending", [])
    if not isinstance(kept, list) or any(choice not in now["pending"] for choice in kept):
        raise Refusal("malformed", None, "pending can only lose choices.", field="pending")
    return _differing(meant, now) if kept else meant


def _differing(said: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a set that is not so already."""
    return {
        key: _differing(value, now[key]) if isinstance(value, dict) and isinstance(now.get(key), dict) else value
        for key, value in said.items()
        if key not in now or value != now[key]
    }


def _apply(game: Position, change: dict[str, Any], chance: Chance) -> None:
    if "round" in change:
        game.round = whole(change["round"], "round", 1, 999)
    if "last_round" in change:
        game.last_round = flag(change["last_round"], "last_round")
    if "first" in change:
        game.first = colour_of(game, change["first"], "first")
    options = mapping(change, "options")
    if "house_rules" in options:
        game.rules = house_rules.read({**game.rules.as_json(), **mapping(options, "house_rules")})
    cards_of_table.apply(game, change, chance)
    _placed(game, mapping(change, "placed"))
    for name, board in mapping(change, "players").items():
        players_boards.apply(game, colour_of(game, name, "players"), mapping({name: board}, name))
    _refuse_unless_standing(game)
    for colour in game.seats:
        players_boards.refuse_too_many(game, colour)
    if "phase" in change:
        _phase(game, change["phase"])
    if change.get("turn") is not None:
        game.turn = colour_of(game, change["turn"], "turn")


def _phase(game: Position, raw: object) -> None:
    if raw not in [PHASES[phase] for phase in PHASES_TO_SET]:
        raise Refusal("malformed", None, f"phase cannot be set to {str(raw)[:60]!r}.", field="phase")
    phase = PHASES.index(str(raw))
    if phase == game.phase:
        return
    game.pending = [choice for choice in game.pending if choice.kind == "drawn"]
    game.placement = None
    game.letters = ()
    game.phase = phase
    game.turn = NOBODY


def _placed(game: Position, placed: dict[str, Any]) -> None:
    for name, raw in placed.items():
        space = space_of(name, "placed")
        if raw is None:
            game.placed.pop(space, None)
            continue
        entry = mapping({name: raw}, name)
        old = game.placed.get(space)
        if "by" not in entry and old is None:
            raise Refusal("malformed", None, f"placed.{name} says nobody's colour.", field=f"placed.{name}.by")
        colour = colour_of(game, entry["by"], f"placed.{name}.by") if "by" in entry or old is None else old.colour
        face = game.vault.faces[space]
        dwellers = old.dwellers if old else (PLAIN,) * (2 if face and face.linked else 1)
        if "dwellers" in entry:
            dwellers = _standing(entry["dwellers"], name)
        game.placed[space] = Standing(colour, dwellers, face.training if face else 0)
    game.taken = sum(1 << space for space in game.placed)


def _standing(raw: object, name: str) -> tuple[int, ...]:
    known = {DWELLERS[PLAIN], DWELLERS[INJURED]}
    if not isinstance(raw, list) or not raw or any(not isinstance(one, str) or one not in known for one in raw):
        raise Refusal(
            "malformed", None, f"placed.{name}.dwellers is not a list of plain or injured.", field=f"placed.{name}"
        )
    return tuple(DWELLER_NUMBER[one] for one in raw)


def _refuse_unless_standing(game: Position) -> None:
    """P1 and P6 hold whatever a person says: a space that exists, with as many circles as dwellers."""
    for space, standing in game.placed.items():
        face = game.vault.faces[space]
        name = SPACE_NAMES[space]
        if face is None and space not in game.vault.threats:
            raise Refusal("no_such_space", "P1", f"There is no space {name} to stand on.", space=name)
        if face is not None and len(standing.dwellers) != (2 if face.linked else 1):
            raise Refusal("wrong_number", "P6", f"{name} does not take that many dwellers.", space=name)


# --- what follows from it ---------------------------------------------------------------------------------------------


def _drop_touched(game: Position, change: dict[str, Any], chance: Chance) -> None:
    """Open choices that the set touches are dropped; a placement goes on behind them."""
    placement = game.placement
    if placement is not None:
        name = SPACE_NAMES[placement.space]
        if "turn" in change or name in mapping(change, "placed") or name in mapping(change, "threats"):
            game.pending = [choice for choice in game.pending if not choice.of_placement]
            game.placement = None
            if "turn" not in change:
                next_turn(game)
    if "pending" in change:
        kept = [choice["id"] for choice in change["pending"]]
        dropped = [choice for choice in game.pending if choice.kind != "drawn" and choice.id not in kept]
    else:
        dropped = [choice for choice in game.pending if _is_touched(choice, change)]
    for choice in dropped:
        _drop(game, choice, chance)


def _is_touched(choice: Choice, change: dict[str, Any]) -> bool:
    parts = [f"tracks.{name}" for name in mapping(change, "tracks")]
    parts += ["levels"] if "levels" in change else []
    if choice.by != NOBODY:
        parts += list(mapping(mapping(change, "players"), COLOURS[choice.by]))
    return any(choice.kind in TOUCHED_BY.get(part, ()) for part in parts)


def _drop(game: Position, choice: Choice, chance: Chance) -> None:
    if choice not in game.pending:
        return
    game.pending.remove(choice)
    game.events.append(ChoiceDropped(choice.by, choice.kind))
    if choice.of_placement and game.placement is not None:
        if choice.kind == "pay-resource":
            game.placement.owed = 0
        go_on(game, chance)
    elif choice.kind == "letter":
        game.letters = game.letters[1:]
        ask_letters(game)


def _settle_turn(game: Position, change: dict[str, Any], *, over_before: bool) -> None:
    """Somebody who can place is on turn while dwellers are placed, and a game that is over has a result."""
    if game.phase == OVER:
        if over_before:
            scoring.judge_again(game)
        else:
            scoring.finish(game)
        return
    game.result = None
    if game.phase == SPAWN and change.get("turn") is None:
        game.turn = game.first
    elif game.phase == RECALL:
        game.turn = NOBODY
    elif game.phase == PLACE and game.placement is None:
        if game.turn == NOBODY:
            first_turn(game)
        elif not may_still_place(game, game.turn):
            next_turn(game)
