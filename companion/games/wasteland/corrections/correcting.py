"""Corrections: a person's word against the record, in the shape of the state; refused only if impossible."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import LETTERS, Trait
from companion.games import fields
from companion.games.fields import renamed
from companion.games.wasteland import moves
from companion.games.wasteland.box import (
    COLOURS,
    ENEMIES,
    FACTIONS,
    LETTER_NUMBER,
    NO_CARD,
    NOBODY,
    OTHER_SIDE,
    OVER,
    SETUP,
    START_HOLE,
    TURN,
    is_faction,
    owns,
)
from companion.games.wasteland.corrections import cards_of_table, map_of_table
from companion.games.wasteland.events import BoardCorrected
from companion.games.wasteland.flow import decks, sequence
from companion.games.wasteland.flow.sequence import push
from companion.games.wasteland.map import enemies
from companion.games.wasteland.position import EnemyToken
from companion.games.wasteland.survivor import hp, pegs
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.words import EnemyType
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import WastelandPosition


DERIVED_OF_BOARD: Final = frozenset({"survivor", "remaining", "agendas", "loyal", "character_card", "eliminated"})
CARDS: Final = frozenset({"hand", "revealed", "weapon", "apparel", "companion", "inventory", "perks"})
PEGS: Final = frozenset({"name", "hp", "hp_max", "rads", "xp", "letters", "traits", "locked", "caps", "space"})


def correct_board(game: WastelandPosition, seat: int, board: dict[str, object]) -> None:
    """Set everything on a board but the cards."""
    survivor = game.survivors[seat]
    for key in board:
        if key not in PEGS | CARDS | DERIVED_OF_BOARD:
            raise fields.malformed(COLOURS[seat], key, "a part of a board")
    if "name" in board:
        game.names = renamed(game.names, COLOURS[seat], board["name"])
    if "hp_max" in board:
        survivor.hp_max = fields.whole(board["hp_max"], "hp_max", 1, 30, "W-HP-1")
    if "hp" in board:
        survivor.hp = fields.whole(board["hp"], "hp", 0, survivor.hp_max, "W-HP-1")
    if "rads" in board:
        survivor.rads = fields.whole(board["rads"], "rads", 0, hp.rads_max(game, seat), "W-HP-1")
    if "caps" in board:
        survivor.caps = fields.whole(board["caps"], "caps", 0, 9999, "W-CAPS-1")
    if "space" in board:
        _refuse_off_the_map(game, fields.text(board["space"], "space"))
        survivor.at = fields.text(board["space"], "space")
    _letters_and_traits(game, seat, board)


def _refuse_off_the_map(game: WastelandPosition, at: str) -> None:
    """Refuse a space that no survivor can be in; nobody stands on a facedown tile."""
    found = game.map
    if found is not None and at not in found.spaces:
        raise Refusal("not_on_the_map", "W-MAP-7", "There is no such space on the map.", to=at)


def _letters_and_traits(game: WastelandPosition, seat: int, board: dict[str, object]) -> None:
    survivor = game.survivors[seat]
    if "letters" in board:
        _letters(game, seat, board["letters"])
    if "xp" in board:
        survivor.hole = _hole(survivor.letters, board["xp"])
    if "traits" in board:
        survivor.traits = _traits(board["traits"])
        survivor.locked &= survivor.traits
    if "locked" in board:
        survivor.locked = _traits(board["locked"])
        if survivor.locked - survivor.traits:
            raise Refusal("impossible", "W-TRAIT-4", "A lock is on a token that lies there.", field="locked")


def _letters(game: WastelandPosition, seat: int, raw: object) -> None:
    """Set the owned letters; tokens come from the supply and go back to it (W-LEVEL-2)."""
    survivor = game.survivors[seat]
    wanted = moves.letters(raw, "letters")
    for number, letter in enumerate(LETTERS):
        if number == pegs.own_letter(game, seat):
            continue
        change = (letter in wanted) - owns(survivor.letters, letter)
        if change > game.supply[number]:
            raise Refusal("impossible", "W-XP-1", f"No token {letter} is left in the supply.", letter=letter)
        game.supply[number] -= change
    survivor.letters = sum(1 << LETTER_NUMBER[letter] for letter in wanted)


def _hole(letters: int, raw: object) -> int:
    """Read where the XP peg stands: at the start or under a letter, even one that was lost (A-19)."""
    if raw == "start":
        return START_HOLE
    if not isinstance(raw, str) or raw not in LETTER_NUMBER or not owns(letters, raw):
        raise fields.malformed("xp", raw, "start or an owned letter")
    return LETTER_NUMBER[raw]


def _traits(raw: object) -> frozenset[Trait]:
    """Read traits, at most one side of each token (W-TRAIT-2)."""
    found = set()
    for name in fields.texts(raw, "traits"):
        if name not in list(Trait):
            raise fields.malformed("traits", name, "one of " + ", ".join(Trait))
        found.add(Trait(name))
    if any(OTHER_SIDE[trait] in found for trait in found):
        raise Refusal("impossible", "W-TRAIT-2", "A token shows one side.", field="traits")
    return frozenset(found)


def refuse_if_impossible(game: WastelandPosition, seat: int) -> None:
    """Refuse a killed survivor, too many agendas or too full an inventory (W-HP-3, W-AGENDA-2, W-ITEM-4)."""
    survivor, settings = game.survivors[seat], game.box.settings
    survivor.hp = min(survivor.hp, survivor.hp_max)
    if survivor.hp <= survivor.rads:
        raise Refusal("impossible", "W-HP-3", "HP is above rads, or the survivor is killed.", by=COLOURS[seat])
    if len(survivor.hand) > settings.agenda_limit:
        raise Refusal("impossible", "W-AGENDA-2", "That is above the limit of agendas.", by=COLOURS[seat])
    if len(survivor.inventory) > settings.inventory_limit:
        raise Refusal("impossible", "W-ITEM-4", "That is above the limit of the inventory.", by=COLOURS[seat])


def correct_enemies(game: WastelandPosition, chance: MoveChance, change: dict[str, object]) -> None:
    """Set tokens by their number: null takes one off the map, a new number lays one down."""
    for key, raw in fields.an_object(change.get("enemies", {}), "enemies").items():
        if not key.isdecimal() or not 1 <= len(key) <= 6:  # noqa: PLR2004 - a number that fits on a page
            raise fields.malformed("enemies", key, "the number of an enemy")
        number = int(key)
        if game.contest is not None and game.contest.number == number:
            raise Refusal("in_a_fight", "W-FIGHT-3", "That enemy is being fought.", enemy=number)
        if raw is None:
            _take_off(game, number)
        else:
            _lay(game, chance, number, fields.an_object(raw, key))


def _take_off(game: WastelandPosition, number: int) -> None:
    token = game.enemies.pop(number, None)
    if token is not None:
        decks.discard_token(game, token.kind)


def _lay(game: WastelandPosition, chance: MoveChance, number: int, entry: dict[str, object]) -> None:
    for key in entry:
        if key not in ("type", "id", "active", "space", "level"):
            raise fields.malformed("enemies", key, "type, id, active or space")
    token = game.enemies.get(number)
    if token is None or entry.get("id") is not None:
        _take_off(game, number)
        token = EnemyToken(_kind(game, chance, entry), active=True, at=token.at if token else "", seen="id" in entry)
        game.next_enemy = max(game.next_enemy, number + 1)
    if "active" in entry:
        token = token._replace(active=fields.flag(entry["active"], "active"))
    if "space" in entry:
        token = token._replace(at="" if entry["space"] is None else fields.text(entry["space"], "space"))
    enemies.refuse_unknown_space(game, token.at)
    game.enemies[number] = token


def _kind(game: WastelandPosition, chance: MoveChance, entry: dict[str, object]) -> int:
    """Take the token that was named, or a random one of its type."""
    name = entry.get("id")
    if name is None:
        kind = moves.enemy_type(entry.get("type"), "type")
        drawn = decks.draw_token(game, chance, kind)
        if drawn is None:
            raise Refusal("impossible", "W-LIMIT-2", f"No token of the type {kind} is left.", type=kind.value)
        return drawn
    number = game.box.enemy_number.get(fields.text(name, "id"), NO_CARD)
    if number == NO_CARD:
        raise Refusal("no_such_enemy", None, f"There is no enemy {name!r}.", id=name)
    return _fetch(game, number, game.box.enemies[number].type)


def _fetch(game: WastelandPosition, number: int, kind: EnemyType) -> int:
    if is_faction(kind):
        return number
    pile = game.stacks[kind]
    for cards in (pile.cards, pile.discards):
        if number in cards:
            cards.remove(number)
            return number
    raise Refusal("impossible", "W-LIMIT-2", "That token is on the map already.", id=game.box.enemies[number].id)


DERIVED: Final = frozenset(
    {
        "version", "seq", "game", "id", "order", "decks", "discards", "stacks", "fallen", "encounters", "letters",
        "perks", "track", "contest", "encounter", "reminders", "revealed", "result", "table", "panel", "private",
    }
)  # fmt: skip
SETTABLE: Final = frozenset(
    {"round", "phase", "turn", "first", "options", "actions", "pending", "players", "power", "shop", "quests",
     "enemies", "map", "tokens"}
)  # fmt: skip


def correct(game: WastelandPosition, chance: MoveChance, move: WastelandMove) -> None:
    """Apply a correction as a whole, or refuse it as a whole."""
    change = move[moves.SET]
    _refuse_unless_allowed(game, move.by, change)
    if "first" in change:
        game.first = _seat(game, change["first"], "first")
    if "round" in change:
        game.round = fields.whole(change["round"], "round", 1, 999)
    _power(game, change)
    _options(game, change)
    _quests(game, change)
    map_of_table.correct_map(game, change)
    map_of_table.correct_tokens(game, change)
    boards = _boards(game, change)
    for seat, board in boards.items():
        correct_board(game, seat, board)
    cards_of_table.correct_cards(game, change, boards)
    correct_enemies(game, chance, change)
    for seat in boards:
        refuse_if_impossible(game, seat)
    _phase_and_turn(game, change)
    _actions(game, change)
    if "pending" in change:
        if change["pending"] != []:
            raise fields.malformed("pending", change["pending"], "an empty list; open choices can only be dropped")
        _drop_choice(game)
    game.events.append(BoardCorrected(move.by, parts=tuple(sorted(change))))


def _refuse_unless_allowed(game: WastelandPosition, by: int, change: dict[str, object]) -> None:
    """Refuse unknown parts, and a seat that corrects more than its own board."""
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
    seat = moves.colour(raw, field)
    if seat not in game.seats or game.survivors[seat].eliminated:
        raise Refusal("not_playing", "W-TURN-10", f"{field}: {COLOURS[seat]} is not playing.", field=field)
    return seat


def _boards(game: WastelandPosition, change: dict[str, object]) -> dict[int, dict[str, object]]:
    players = fields.an_object(change.get("players", {}), "players")
    return {_seat(game, name, "players"): fields.an_object(board, name) for name, board in players.items()}


def _power(game: WastelandPosition, change: dict[str, object]) -> None:
    """Set the factions' power below the last space, together of one: the end of a game is played, not corrected."""
    below = len(game.scenario.track) - 2
    for name, raw in fields.an_object(change.get("power", {}), "power").items():
        if name not in list(FACTIONS):
            raise fields.malformed("power", name, "star or shield")
        last = below + game.ways.shared
        game.power[[faction.value for faction in FACTIONS].index(name)] = fields.whole(raw, name, 0, last, "W-FACT-3")
    if game.ways.shared and min(game.power) > below:
        raise Refusal("impossible", "W-FACT-3", "Both factions at the end of the track end the game.", field="power")


def _options(game: WastelandPosition, change: dict[str, object]) -> None:
    options = fields.an_object(change.get("options", {}), "options")
    if "dice" in options:
        game.table_dice = fields.by_table(options["dice"], "dice") or not game.box.dice
    if "cards" in options:
        game.table_cards = fields.by_table(options["cards"], "cards")


def _quests(game: WastelandPosition, change: dict[str, object]) -> None:
    if "quests" in change:
        game.quests = [moves.number(one, "quests") for one in fields.a_list(change["quests"], "quests")]
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
        game.waiting_turn = game.first if seat == NOBODY else sequence.clockwise_after(game, seat)
    elif phase == "turn" and (game.phase != TURN or seat != game.turn):
        _drop_what_is_under_way(game)
        sequence.begin_turn(game, game.first if seat == NOBODY else seat)


def _drop_choice(game: WastelandPosition) -> None:
    """Drop an open choice; what was drawn for it is conserved, and limits are asked for again."""
    for choice in game.pending:
        if choice.kind == "equip":
            push(game, "inventory-limit", choice.by)
            game.survivors[choice.by].inventory.append(choice.data[0])
        elif choice.kind == "letter":
            for letter in choice.data:
                game.supply[letter] += 1
    game.pending.clear()


def _drop_what_is_under_way(game: WastelandPosition) -> None:
    """Drop unfinished steps when another phase or turn is set."""
    if game.contest is not None or game.visit is not None or game.pending:
        raise Refusal("choice_open", "W-ACT-3", "First what is under way is finished, or undone.")
    game.steps.clear()
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
            game.at_start_of_turn = fields.flag(raw, key)
        else:
            raise fields.malformed("actions", key, "left, points, encountered or start_of_turn")
