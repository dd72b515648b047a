"""Corrections of a board: pegs, letters, traits, Caps and space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import LETTERS, Trait
from companion.games import fields
from companion.games.chance import renamed
from companion.games.wasteland import readers
from companion.games.wasteland.box import is_faction
from companion.games.wasteland.flow import decks
from companion.games.wasteland.position import EnemyToken
from companion.games.wasteland.survivor import hp
from companion.games.wasteland.words import COLOURS, LETTER_NUMBER, NO_CARD, OTHER_SIDE, START_HOLE, owns
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.words import EnemyType
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import WastelandPosition


DERIVED: Final = frozenset({"survivor", "remaining", "agendas", "loyal", "character_card", "eliminated"})
CARDS: Final = frozenset({"hand", "revealed", "weapon", "apparel", "companion", "inventory", "perks"})
PEGS: Final = frozenset({"name", "hp", "hp_max", "rads", "xp", "letters", "traits", "caps", "space"})


def pegs(game: WastelandPosition, seat: int, board: dict[str, object]) -> None:
    """Everything on a board but the cards."""
    survivor = game.survivors[seat]
    for key in board:
        if key not in PEGS | CARDS | DERIVED:
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
        survivor.at = fields.text(board["space"], "space")
    _letters_and_traits(game, seat, board)


def _letters_and_traits(game: WastelandPosition, seat: int, board: dict[str, object]) -> None:
    survivor = game.survivors[seat]
    if "letters" in board:
        _letters(game, seat, board["letters"])
    if "xp" in board:
        survivor.hole = _hole(survivor.letters, board["xp"])
    if "traits" in board:
        survivor.traits = _traits(board["traits"])


def _letters(game: WastelandPosition, seat: int, raw: object) -> None:
    """Tokens come from the supply and go back to it (W-LEVEL-2)."""
    survivor = game.survivors[seat]
    wanted = readers.letters(raw, "letters")
    for number, letter in enumerate(LETTERS):
        change = (letter in wanted) - owns(survivor.letters, letter)
        if change > game.supply[number]:
            raise Refusal("impossible", "W-XP-1", f"No token {letter} is left in the supply.", letter=letter)
        game.supply[number] -= change
    survivor.letters = sum(1 << LETTER_NUMBER[letter] for letter in wanted)


def _hole(letters: int, raw: object) -> int:
    """The peg stands at the start or under a letter, even under one that was lost (A-19)."""
    if raw == "start":
        return START_HOLE
    if not isinstance(raw, str) or raw not in LETTER_NUMBER or not owns(letters, raw):
        raise fields.malformed("xp", raw, "start or an owned letter")
    return LETTER_NUMBER[raw]


def _traits(raw: object) -> frozenset[Trait]:
    """At most one side of each token (W-TRAIT-2)."""
    found = set()
    for name in fields.texts(raw, "traits"):
        if name not in list(Trait):
            raise fields.malformed("traits", name, "one of " + ", ".join(Trait))
        found.add(Trait(name))
    if any(OTHER_SIDE[trait] in found for trait in found):
        raise Refusal("impossible", "W-TRAIT-2", "A token shows one side.", field="traits")
    return frozenset(found)


def refuse_if_impossible(game: WastelandPosition, seat: int) -> None:
    """A killed survivor, too many agendas or a full bag cannot be (W-HP-3, W-AGENDA-2, W-ITEM-4)."""
    survivor, settings = game.survivors[seat], game.box.settings
    survivor.hp = min(survivor.hp, survivor.hp_max)
    if survivor.hp <= survivor.rads:
        raise Refusal("impossible", "W-HP-3", "HP is above rads, or the survivor is killed.", by=COLOURS[seat])
    if len(survivor.hand) > settings.agenda_limit:
        raise Refusal("impossible", "W-AGENDA-2", "That is above the limit of agendas.", by=COLOURS[seat])
    if len(survivor.inventory) > settings.inventory_limit:
        raise Refusal("impossible", "W-ITEM-4", "That is above the limit of the inventory.", by=COLOURS[seat])


def apply(game: WastelandPosition, chance: MoveChance, change: dict[str, object]) -> None:
    """Tokens by their number: null takes one off the map, a new number lays one down."""
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
    game.enemies[number] = token


def _kind(game: WastelandPosition, chance: MoveChance, entry: dict[str, object]) -> int:
    """The token that was named, or a random one of its type."""
    name = entry.get("id")
    if name is None:
        kind = readers.enemy_type(entry.get("type"), "type")
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
