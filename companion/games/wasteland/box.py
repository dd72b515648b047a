"""Small numbers for everything: the rulebook's words, and the cards of a pack unpacked for play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import LETTERS, CardDeck, CardKind, EnemyType, Faction, Trait
from companion.games.wasteland.map.plan import MapPlan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.cards.wasteland.types import Scenario, WastelandPack
    from companion.cards.wasteland.words import TileBack


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

    def __init__(self, pack: WastelandPack) -> None:
        self.pack_id = pack.id
        self.settings = pack.settings
        self.dice = pack.dice
        self.agendas = pack.agendas
        self.enemies = pack.enemies
        self.cards = pack.cards
        self.perks = pack.perks
        self.quests = {quest.number: quest for quest in pack.quests}
        self.encounters = pack.encounters
        self.characters = pack.characters
        self.scenarios: dict[str, Scenario] = {sheet.id: sheet for sheet in pack.scenarios}
        self.tiles = pack.tiles
        self.plans = {sheet.id: MapPlan(sheet, pack.tiles) for sheet in pack.scenarios if sheet.layout}
        self.tile_number = {tile.id: number for number, tile in enumerate(pack.tiles)}
        self.agenda_number = {card.id: number for number, card in enumerate(pack.agendas)}
        self.enemy_number = {enemy.id: number for number, enemy in enumerate(pack.enemies)}
        self.card_number = {card.id: number for number, card in enumerate(pack.cards)}
        self.perk_number = {perk.id: number for number, perk in enumerate(pack.perks)}
        self.character_number = {one.id: number for number, one in enumerate(pack.characters)}

    def agenda_deck(self, players: int) -> list[int]:
        """Return the agendas whose corner number is not above the number of players (W-SETUP-5)."""
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

    def faction_token(self, kind: EnemyType) -> int | None:
        """Return the enemy that a faction's tokens stand for, if any (W-FACT-1)."""
        return next((number for number, enemy in enumerate(self.enemies) if enemy.type is kind), None)


def is_faction(kind: EnemyType) -> bool:
    """Return whether the type is shown by faction tokens."""
    return kind.value in list(Faction)


def _copies(counts: Iterable[int]) -> list[int]:
    return [number for number, count in enumerate(counts) for _ in range(count)]
