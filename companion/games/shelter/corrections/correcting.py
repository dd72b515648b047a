"""Corrections: a person's word against the record, in the shape of the state; refused only if impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.fields import a_list, flag, malformed, renamed, whole
from companion.games.shelter.board.vault import Standing
from companion.games.shelter.corrections import cards_of_table
from companion.games.shelter.corrections.cards_of_table import colour_of, mapping, names, space_of
from companion.games.shelter.events import ChoiceDropped, RecordCorrected
from companion.games.shelter.state import state_of
from companion.games.shelter.turn import rounds
from companion.games.shelter.turn.asking import first_turn, go_on, may_still_place, next_turn
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.turn.rounds import ask_letters
from companion.games.shelter.words import (
    COLOURS,
    DWELLER_NUMBER,
    DWELLERS,
    INJURED,
    MOST_DWELLERS,
    NOBODY,
    OVER,
    PHASES,
    PLACE,
    PLAIN,
    RECALL,
    RESOURCE_NUMBER,
    SPACE_NAMES,
    SPAWN,
    TRACK_LENGTH,
)
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import PendingShelterChoice
    from companion.games.shelter.moves import Move
    from companion.games.shelter.position import ShelterPosition


DERIVED: Final = frozenset(
    {
        "version", "seq", "game", "id", "order", "decks", "discards", "spawned", "table", "panel", "result", "private",
        "suggestion", "hands", "odds", "devices", "record", "fair",
        "house_call",
    }
)  # fmt: skip
SETTABLE: Final = frozenset(
    {
        "round", "phase", "turn", "first", "last_round", "options", "pending", "players", "levels", "placed",
        "threats", "together", "tracks",
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
BOARD_SETTABLE: Final = frozenset(
    {"name", "happiness", "resources", "available", "arriving", "arriving_at", "items", "passed"}
)
BOARD_DERIVED: Final = frozenset({"bot", "level", "if_ended_now", "total"})
MOST_HAPPINESS: Final = 999
MOST_COUNTED: Final = 99
NOWHERE: Final = -1  # a new dweller who stands on an icon that nobody has named


def correct(game: ShelterPosition, move: Move, chance: Chance) -> None:
    """Apply the whole set, or nothing of it."""
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
    game.copy_from(trial)


def _refuse_unless_allowed(game: ShelterPosition, by: int, change: dict[str, object]) -> None:
    """Refuse unknown parts, and parts of others' boards where a seat speaks."""
    for key in change:
        if key not in SETTABLE and key not in DERIVED:
            raise Refusal("malformed", None, f"{str(key)[:60]!r} is no part of the state.", field=str(key)[:60])
    if by == NOBODY:
        return
    if by not in game.seats:
        raise Refusal("not_playing", "C1", f"{COLOURS[by]} is not playing.", by=COLOURS[by])
    if set(change) - DERIVED - {"players"} or set(mapping(change, "players")) - {COLOURS[by]}:
        raise Refusal("not_yours", None, "A seat corrects its own board; the host corrects all.", by=COLOURS[by])


def _as_meant(game: ShelterPosition, change: dict[str, object]) -> dict[str, object]:
    """Expand nulls to the entries that they delete; of a state sent back with its choices keep what differs."""
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


def _differing(said: Mapping[str, object], now: Mapping[str, object]) -> dict[str, object]:
    """Return the part of a set that is not so already."""
    found: dict[str, object] = {}
    for key, value in said.items():
        before = now.get(key)
        if key not in now or value != before:
            found[key] = _differing(value, before) if isinstance(value, dict) and isinstance(before, dict) else value
    return found


def _apply(game: ShelterPosition, change: dict[str, object], chance: Chance) -> None:
    if "round" in change:
        game.round = whole(change["round"], "round", 1, 999)
    if "last_round" in change:
        game.last_round = flag(change["last_round"], "last_round")
    _together(game, mapping(change, "together"))
    if "first" in change:
        game.first = colour_of(game, change["first"], "first")
    options = mapping(change, "options")
    if "house_rules" in options:
        game.rules = game.rules.changed(mapping(options, "house_rules"))
    cards_of_table.apply(game, change, chance)
    _placed(game, mapping(change, "placed"))
    for name, board in mapping(change, "players").items():
        _board(game, colour_of(game, name, "players"), mapping({name: board}, name))
    _refuse_unless_standing(game)
    for colour in game.seats:
        _refuse_too_many(game, colour)
    if "phase" in change:
        _phase(game, change["phase"])
    if change.get("turn") is not None:
        game.turn = colour_of(game, change["turn"], "turn")


def _together(game: ShelterPosition, change: dict[str, object]) -> None:
    """Correct what the wasteland has done; what was drawn for the evening stays, and the round tells the end (U3)."""
    together = game.together
    if together is None:
        if change:
            raise malformed("together", "", "no part of a game in which everybody plays for themselves")
        return
    counted = {
        name: whole(change[name], f"together.{name}", 0, MOST_COUNTED)
        for name in ("breaches", "defeated")
        if name in change
    }
    game.together = together._replace(
        breaches=counted.get("breaches", together.breaches), defeated=counted.get("defeated", together.defeated)
    )
    game.last_round = game.round >= together.rounds


def _phase(game: ShelterPosition, raw: object) -> None:
    if raw not in [PHASES[phase] for phase in PHASES_TO_SET]:
        raise Refusal("malformed", None, f"phase cannot be set to {str(raw)[:60]!r}.", field="phase")
    phase = PHASES.index(str(raw))
    if phase == game.phase:
        return
    game.pending = [choice for choice in game.pending if choice.kind == "drawn"]
    game.placement = None
    game.letters = ()
    if game.vault.fresh:
        game.vault = game.vault.opened()
    game.phase = phase
    game.turn = NOBODY


def _placed(game: ShelterPosition, placed: dict[str, object]) -> None:
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
        game.placed[space] = Standing(colour, dwellers, face.training if face else 0, old.wounded if old else 0)
    game.taken = sum(1 << space for space in game.placed)


def _standing(raw: object, name: str) -> tuple[int, ...]:
    known = {DWELLERS[PLAIN], DWELLERS[INJURED]}
    if not isinstance(raw, list) or not raw or any(not isinstance(one, str) or one not in known for one in raw):
        raise Refusal(
            "malformed", None, f"placed.{name}.dwellers is not a list of plain or injured.", field=f"placed.{name}"
        )
    return tuple(DWELLER_NUMBER[one] for one in raw)


def _refuse_unless_standing(game: ShelterPosition) -> None:
    """Refuse dwellers on a space that does not exist (P1) or has another number of circles (P6)."""
    for space, standing in game.placed.items():
        face = game.vault.faces[space]
        name = SPACE_NAMES[space]
        if face is None and space not in game.vault.threats:
            raise Refusal("no_such_space", "P1", f"There is no space {name} to stand on.", space=name)
        if face is not None and len(standing.dwellers) != (2 if face.linked else 1):
            raise Refusal("wrong_number", "P6", f"{name} does not take that many dwellers.", space=name)


# --- a player's own board: cubes, happiness, dwellers, passing --------------------------------------------------------


def _board(game: ShelterPosition, colour: int, board: dict[str, object]) -> None:
    """Apply one board, without the items, which are cards."""
    who = COLOURS[colour]
    for key in board:
        if key not in BOARD_SETTABLE and key not in BOARD_DERIVED:
            raise malformed(f"players.{who}", key, "a part of a player's board")
    _refuse_another_level(game, colour, board)
    if "name" in board:
        game.names = renamed(game.names, who, board["name"])
    if "happiness" in board:
        game.happiness[colour] = whole(board["happiness"], f"players.{who}.happiness", 0, MOST_HAPPINESS, "H1")
    for name, amount in mapping(board, "resources").items():
        if name not in RESOURCE_NUMBER:
            raise malformed(f"players.{who}.resources", name, "water, food or energy")
        clause = "Q5" if isinstance(amount, int) and amount < 0 else "Q1"
        place = 3 * colour + RESOURCE_NUMBER[name]
        game.cubes[place] = whole(amount, f"players.{who}.resources.{name}", 0, TRACK_LENGTH, clause)
    if "available" in board:
        _available(game, colour, names(board["available"], f"players.{who}.available"))
    _arriving(game, colour, board)
    if "passed" in board:
        bit = 1 << colour
        passed = flag(board["passed"], f"players.{who}.passed")
        game.passed = game.passed | bit if passed else game.passed & ~bit


def _refuse_another_level(game: ShelterPosition, colour: int, board: dict[str, object]) -> None:
    level = game.levels[colour] + 1
    if "level" in board and board["level"] != level:
        raise Refusal(
            "fixed", "S2", f"{COLOURS[colour]}'s level is {level} for the whole game.", field="level", level=level
        )


def _available(game: ShelterPosition, colour: int, dwellers: list[str]) -> None:
    plain = hurt = trained = 0
    for name in dwellers:
        kind = DWELLER_NUMBER.get(name)
        if kind is None:
            raise malformed(f"players.{COLOURS[colour]}.available", name, "a dweller")
        if kind == PLAIN:
            plain += 1
        elif kind == INJURED:
            hurt += 1
        else:
            letter = kind if kind < INJURED else kind - INJURED
            if (trained | trained >> INJURED) >> letter & 1:
                raise Refusal("impossible", "A2", f"Two dwellers cannot be trained in {name[-1]}.", dweller=name)
            trained |= 1 << kind
    game.plain[colour], game.hurt[colour], game.trained[colour] = plain, hurt, trained


def _arriving(game: ShelterPosition, colour: int, board: dict[str, object]) -> None:
    who = COLOURS[colour]
    if "arriving_at" in board:
        spaces = names(board["arriving_at"], f"players.{who}.arriving_at")
        game.arriving[colour] = tuple(space_of(name, "arriving_at") for name in spaces)
    if "arriving" in board:
        count = whole(board["arriving"], f"players.{who}.arriving", 0, MOST_DWELLERS, "N2")
        here = game.arriving[colour][:count]
        game.arriving[colour] = here + (NOWHERE,) * (count - len(here))


def _refuse_too_many(game: ShelterPosition, colour: int) -> None:
    total = dwellers_of(game, colour)
    if total > MOST_DWELLERS:
        raise Refusal(
            "impossible", "N2", f"{COLOURS[colour]} cannot have {total} dwellers.", by=COLOURS[colour], total=total
        )


# --- what follows from it ---------------------------------------------------------------------------------------------


def _drop_touched(game: ShelterPosition, change: dict[str, object], chance: Chance) -> None:
    """Drop the open choices that the set touches; a placement goes on behind them."""
    placement = game.placement
    if placement is not None:
        name = SPACE_NAMES[placement.space]
        if "turn" in change or name in mapping(change, "placed") or name in mapping(change, "threats"):
            game.pending = [choice for choice in game.pending if not choice.of_placement]
            game.placement = None
            if "turn" not in change:
                next_turn(game)
    if "pending" in change:
        kept = [one["id"] for one in a_list(change["pending"], "pending") if isinstance(one, dict)]
        dropped = [choice for choice in game.pending if choice.kind != "drawn" and choice.id not in kept]
    else:
        dropped = [choice for choice in game.pending if _is_touched(choice, change)]
    for choice in dropped:
        _drop(game, choice, chance)


def _is_touched(choice: PendingShelterChoice, change: dict[str, object]) -> bool:
    parts = [f"tracks.{name}" for name in mapping(change, "tracks")]
    parts += ["levels"] if "levels" in change else []
    if choice.by != NOBODY:
        parts += list(mapping(mapping(change, "players"), COLOURS[choice.by]))
    return any(choice.kind in TOUCHED_BY.get(part, ()) for part in parts)


def _drop(game: ShelterPosition, choice: PendingShelterChoice, chance: Chance) -> None:
    if choice not in game.pending:
        return
    game.pending.remove(choice)
    game.events.append(ChoiceDropped(choice.by, choice.kind))
    placement = game.placement
    if choice.of_placement and placement is not None:
        if choice.kind == "pay-resource":
            placement.owed = 0
        go_on(game, placement, chance)
    elif choice.kind == "letter":
        game.letters = game.letters[1:]
        ask_letters(game)


def _settle_turn(game: ShelterPosition, change: dict[str, object], *, over_before: bool) -> None:
    """Give the turn to somebody who can place, and a game that is over its result."""
    if game.phase == OVER:
        if over_before:
            rounds.judge_again(game)
        else:
            rounds.finish(game)
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
