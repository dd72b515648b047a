"""Blanks: cards, tokens and agendas of the owner's box that nobody has entered yet, so that decks have their size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.cards import fields as read
from companion.cards.fields import Fields, UnfitError
from companion.cards.wasteland.types import (
    Agenda,
    Asks,
    Bonus,
    BoxCounts,
    Condition,
    Encounter,
    Enemy,
    Perk,
    WastelandCard,
)
from companion.cards.wasteland.words import LETTERS, Area, CardDeck, CardKind, EncounterIcon, EnemyType, Faction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.cards.pack import Fault
    from companion.cards.source import Source
    from companion.cards.wasteland.types import WastelandPack

TABLE: Final = "box"
PREFIX: Final = "unknown-"
"""What the ids of blanks begin with; cards that somebody entered may not."""
AGENDA: Final = f"{PREFIX}agenda"
MANUAL: Final = "?"
"""What the manual condition of an agenda asks that nobody entered: pages have words for it."""
STARS: Final = (EncounterIcon.SETTLEMENT, EncounterIcon.WASTELAND)
_MOST: Final = 200
_PLAYERS: Final = 4
_ORDINARY: Final = tuple(kind for kind in EnemyType if kind.value not in list(Faction))


def blank(word: str) -> str:
    """Return the id of a blank: `unknown-loot`."""
    return f"{PREFIX}{word}"


def library_id(number: int) -> str:
    """Return the id of an encounter card that is known by its number alone."""
    return f"library-{number}"


def is_blank(card: str) -> bool:
    return card.startswith(PREFIX)


# --- reading the counts -----------------------------------------------------------------------------------------------


def counts_of(source: Source, faults: list[Fault]) -> BoxCounts | None:
    """Return the table `[box]` of a pack; None where the pack is whole by itself."""
    if TABLE not in source.data:
        return None
    fields = Fields(source.table(TABLE), TABLE, faults)
    whole = read.whole(0, _MOST)
    plain = {key: fields.maybe(key, whole) or 0 for key in ("loot", "asset", "unique", "perks")}
    agendas = fields.maybe("agendas", _agendas)
    enemies = {kind: fields.maybe(kind.value, whole) or 0 for kind in _ORDINARY}
    stars = {icon: fields.maybe(f"{icon.value}_stars", whole) or 0 for icon in STARS}
    library: dict[int, EncounterIcon] = {}
    for icon in EncounterIcon:
        library |= dict.fromkeys(fields.maybe(f"{icon.value}_numbers", _numbers) or (), icon)
    fields.finish()
    return BoxCounts(**plain, agendas=agendas or (0,) * _PLAYERS, enemies=enemies, stars=stars, library=library)


def _agendas(raw: object) -> tuple[int, ...]:
    found = _numbers(raw)
    if len(found) != _PLAYERS:
        raise UnfitError("four numbers of cards, for one to four players")
    return found


def _numbers(raw: object) -> tuple[int, ...]:
    if not isinstance(raw, list) or any(type(one) is not int or not 0 <= one <= 999 for one in raw):  # noqa: PLR2004
        raise UnfitError("a list of whole numbers")
    return tuple(raw)


# --- the blanks of a pack ---------------------------------------------------------------------------------------------


def with_blanks(pack: WastelandPack) -> WastelandPack:
    """Return the pack with a blank for everything in the box that it does not name; blanks come last."""
    if pack.box is None:
        return pack
    return replace(
        pack,
        cards=(*pack.cards, *_cards(pack, pack.box)),
        enemies=(*pack.enemies, *_enemies(pack, pack.box)),
        perks=(*pack.perks, *_perks(pack, pack.box)),
        agendas=(*pack.agendas, *_agenda_cards()),
        encounters=(*pack.encounters, *_encounters(pack, pack.box)),
    )


def _cards(pack: WastelandPack, box: BoxCounts) -> Iterator[WastelandCard]:
    for deck, count in ((CardDeck.LOOT, box.loot), (CardDeck.ASSET, box.asset), (CardDeck.UNIQUE, box.unique)):
        known = sum(card.count for card in pack.cards if card.deck is deck)
        yield WastelandCard(blank(deck.value), "", max(0, count - known), deck, CardKind.AID)


def _enemies(pack: WastelandPack, box: BoxCounts) -> Iterator[Enemy]:
    """Yield a token of each type; until somebody says more it is of level 1, and open everywhere."""
    for kind in EnemyType:
        known = sum(enemy.count for enemy in pack.enemies if enemy.type is kind)
        count = max(0, box.enemies.get(kind, 0) - known)
        letter = "" if kind in _ORDINARY else "X"
        level = 1 if kind in _ORDINARY else 0
        yield Enemy(blank(kind.value), "", count, kind, level, letter, frozenset(Area), frozenset())


def _perks(pack: WastelandPack, box: BoxCounts) -> Iterator[Perk]:
    for letter in LETTERS:
        known = sum(perk.count for perk in pack.perks if letter in perk.letters)
        yield Perk(blank(f"perk-{letter.lower()}"), "", max(0, box.perks - known), letter, (), inside_action=False)


def _agenda_cards() -> Iterator[Agenda]:
    """Yield an agenda of no faction and one of each: what it counts, its owner says."""
    counts = (Bonus(1, Condition(Asks.MANUAL, MANUAL)),)
    yield Agenda(AGENDA, "", 0, 1, 0, None, (), counts)
    for faction in Faction:
        yield Agenda(f"{AGENDA}-{faction.value}", "", 0, 1, 0, faction, (), counts)


def _encounters(pack: WastelandPack, box: BoxCounts) -> Iterator[Encounter]:
    known = {card.number for card in pack.encounters}
    for icon in STARS:
        yield Encounter(blank(icon.value), "", 0, icon, (), open=True)
    for number, icon in sorted(box.library.items()):
        if number not in known:
            yield Encounter(library_id(number), "", number, icon, (), open=True)


def blank_stars(pack: WastelandPack) -> dict[EncounterIcon, int]:
    """Return how many cards with a star are blank, of each of the first two decks."""
    if pack.box is None:
        return {}
    found = {}
    for icon in STARS:
        known = sum(card.number == 0 and card.back is icon and not is_blank(card.id) for card in pack.encounters)
        found[icon] = max(0, pack.box.stars.get(icon, 0) - known)
    return found
