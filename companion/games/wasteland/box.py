"""Small numbers for everything: the rulebook's words, and the cards of a pack unpacked for play."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Final, TypeVar, assert_never

from companion.cards.wasteland.blanks import AGENDA, blank, blank_stars, is_blank, with_blanks
from companion.cards.wasteland.types import Agenda, Character, Encounter, Enemy, Perk, QuestCard, WastelandCard
from companion.cards.wasteland.words import LETTERS, CardDeck, CardKind, EnemyType, Faction, Trait
from companion.games.wasteland.map.plan import MapPlan

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from companion.cards.wasteland.learned import Record
    from companion.cards.wasteland.types import Scenario, WastelandPack
    from companion.cards.wasteland.words import EncounterIcon, TileBack

    class Named(Protocol):
        """What has an id."""

        @property
        def id(self) -> str: ...

    Kind = TypeVar("Kind", bound=Named)

COLOURS: Final = ("red", "blue", "green", "yellow")
COLOUR_NUMBER: Final = {colour: number for number, colour in enumerate(COLOURS)}
NOBODY: Final = -1
NO_CARD: Final = -1

SETUP: Final = 0
TURN: Final = 1
ENEMIES: Final = 2
OVER: Final = 3
PHASES: Final = ("setup", "turn", "enemies", "over")

STAR: Final = 0
SHIELD: Final = 1
FACTIONS: Final = tuple(Faction)

LETTER_NUMBER: Final = {letter: number for number, letter in enumerate(LETTERS)}
START_HOLE: Final = -1

WEAPON: Final = 0
APPAREL: Final = 1
COMPANION: Final = 2
SLOTS: Final = ("weapon", "apparel", "companion")
SLOT_OF: Final = {CardKind.WEAPON: WEAPON, CardKind.APPAREL: APPAREL, CardKind.COMPANION: COMPANION}

TRAITS: Final = tuple(Trait)
OTHER_SIDE: Final = {trait: TRAITS[number ^ 1] for number, trait in enumerate(TRAITS)}

ELSEWHERE: Final = "elsewhere"
DICE: Final = 3


def card_of(held: int) -> int:
    return held >> 1


def is_exhausted(held: int) -> bool:
    """Return whether a held card is turned sideways (W-ITEM-7)."""
    return bool(held & 1)


def turned(card: int, *, exhausted: bool = False) -> int:
    """Return a card as it is held: upright or sideways."""
    return card << 1 | exhausted


def owns(letters: int, letter: str) -> bool:
    return bool(letters >> LETTER_NUMBER[letter] & 1)


def letters_of(mask: int) -> str:
    """Return the owned letters, in the order of the board."""
    return "".join(letter for number, letter in enumerate(LETTERS) if mask >> number & 1)


class WastelandBox:
    """A pack unpacked for play: every card a small number. Shared by all games and never changed."""

    def __init__(self, owned: WastelandPack) -> None:
        pack = with_blanks(owned)
        self.pack_id = pack.id
        self.counts = pack.box
        self.blank_stars = blank_stars(owned)
        self.settings = pack.settings
        self.dice = pack.dice
        self.agendas = pack.agendas
        self.enemies = pack.enemies
        self.cards = pack.cards
        self.perks = pack.perks
        self.quests: dict[int, QuestCard] = {quest.number: quest for quest in pack.quests}
        self.encounters = pack.encounters
        self.characters = pack.characters
        self.scenarios: dict[str, Scenario] = {sheet.id: sheet for sheet in pack.scenarios}
        self.tiles = pack.tiles
        self.plans = {sheet.id: MapPlan(sheet, pack.tiles) for sheet in pack.scenarios if sheet.layout}
        self.tile_number = {tile.id: number for number, tile in enumerate(pack.tiles)}
        self._number()

    def _number(self) -> None:
        self.agenda_number = {card.id: number for number, card in enumerate(self.agendas)}
        self.enemy_number = {enemy.id: number for number, enemy in enumerate(self.enemies)}
        self.card_number = {card.id: number for number, card in enumerate(self.cards)}
        self.perk_number = {perk.id: number for number, perk in enumerate(self.perks)}
        self.encounter_number = {card.id: number for number, card in enumerate(self.encounters)}
        self.character_number = {one.id: number for number, one in enumerate(self.characters)}

    def learned(self, made: Record) -> WastelandBox:
        """Return a box in which this card is entered: in its place if it was, else behind all others."""
        twin = copy(self)
        match made:
            case WastelandCard():
                twin.cards = _with(self.cards, self.card_number, made)
            case Enemy():
                twin.enemies = _with(self.enemies, self.enemy_number, made)
            case Perk():
                twin.perks = _with(self.perks, self.perk_number, made)
            case Agenda():
                twin.agendas = _with(self.agendas, self.agenda_number, made)
            case Encounter():
                twin.encounters = _with(self.encounters, self.encounter_number, made)
            case Character():
                twin.characters = _with(self.characters, self.character_number, made)
            case QuestCard():
                twin.quests = {**self.quests, made.number: made}
            case _:
                assert_never(made)
        twin._number()  # noqa: SLF001 - a box of the same kind
        return twin

    @property
    def has_blanks(self) -> bool:
        """Return whether cards of the box are entered as they come, so that they lie on the table."""
        return self.counts is not None

    def agendas_by_hand(self, players: int) -> bool:
        """Return whether agendas are missing: then real ones are dealt, and nobody but their owners knows them."""
        known = sum(card.count for card in self.agendas if card.min_players <= players)
        return self.counts is not None and known < self.counts.agendas[players - 1]

    def agenda_deck(self, players: int) -> list[int]:
        """Return the agendas whose corner number is not above the number of players (W-SETUP-5)."""
        if self.counts is not None and self.agendas_by_hand(players):
            return [self.agenda_number[AGENDA]] * self.counts.agendas[players - 1]
        kinds = [(card.count if card.min_players <= players else 0) for card in self.agendas]
        return _copies(kinds)

    def deck(self, deck: CardDeck) -> list[int]:
        """Return the cards of one deck of items."""
        return _copies([card.count if card.deck is deck else 0 for card in self.cards])

    def stack(self, kind: EnemyType) -> list[int]:
        """Return the tokens of one type (W-SETUP-3)."""
        return _copies([enemy.count if enemy.type is kind else 0 for enemy in self.enemies])

    def tile_stack(self, scenario: Scenario, back: TileBack) -> list[int]:
        """Return the tiles that facedown places with this back may be (W-SETUP-2)."""
        laid = {place.tile for place in scenario.layout}
        return [number for number, tile in enumerate(self.tiles) if tile.back is back and tile.id not in laid]

    def perk_deck(self) -> list[int]:
        return _copies([perk.count for perk in self.perks])

    def what_lies_in_it(self) -> tuple[object, ...]:
        """Return every card with its copies, but not its print: boxes with the same can be exchanged."""
        counted = (self.agendas, self.enemies, self.cards, self.perks)
        return (
            *(tuple((one.id, one.count) for one in pile) for pile in counted),
            tuple(one.id for one in self.encounters),
            tuple(one.id for one in self.characters),
            tuple((one.id, one.back, tuple(space.id for space in one.spaces)) for one in self.tiles),
            self.settings.special_supply,
        )

    def star_deck(self, icon: EncounterIcon) -> list[int]:
        """Return the encounter cards with a star of this back, blanks for those that nobody entered (W-SETUP-4)."""
        known = [
            number
            for number, card in enumerate(self.encounters)
            if card.number == 0 and card.back is icon and not is_blank(card.id)
        ]
        unknown = self.encounter_number.get(blank(icon.value), NO_CARD)
        return known + [unknown] * self.blank_stars.get(icon, 0)

    def faction_token(self, kind: EnemyType) -> int | None:
        """Return the enemy that a faction's tokens stand for, if any (W-FACT-1); a blank where nobody entered it."""
        found = [number for number, enemy in enumerate(self.enemies) if enemy.type is kind]
        return min(found, key=lambda number: is_blank(self.enemies[number].id), default=None)


def is_faction(kind: EnemyType) -> bool:
    """Return whether the type is shown by faction tokens."""
    return kind.value in list(Faction)


def _with(kinds: tuple[Kind, ...], numbers: dict[str, int], made: Kind) -> tuple[Kind, ...]:
    place = numbers.get(made.id, len(kinds))
    return (*kinds[:place], made, *kinds[place + 1 :])


def _copies(counts: Iterable[int]) -> list[int]:
    return [number for number, count in enumerate(counts) for _ in range(count)]
