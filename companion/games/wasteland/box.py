"""A wasteland pack unpacked for play: every card a small number. Shared by all games and never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import CardDeck, EnemyType, Faction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.cards.wasteland.types import Scenario, WastelandPack


class WastelandBox:
    """Everything that lies in the box."""

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
        self.agenda_number = {card.id: number for number, card in enumerate(pack.agendas)}
        self.enemy_number = {enemy.id: number for number, enemy in enumerate(pack.enemies)}
        self.card_number = {card.id: number for number, card in enumerate(pack.cards)}
        self.perk_number = {perk.id: number for number, perk in enumerate(pack.perks)}
        self.character_number = {one.id: number for number, one in enumerate(pack.characters)}

    def agenda_deck(self, players: int) -> list[int]:
        """The agendas whose corner number is not above the number of players (W-SETUP-5)."""
        kinds = [(card.count if card.min_players <= players else 0) for card in self.agendas]
        return _copies(kinds)

    def deck(self, deck: CardDeck) -> list[int]:
        """The cards of one deck of items."""
        return _copies([card.count if card.deck is deck else 0 for card in self.cards])

    def stack(self, kind: EnemyType) -> list[int]:
        """The tokens of one type (W-SETUP-3)."""
        return _copies([enemy.count if enemy.type is kind else 0 for enemy in self.enemies])

    def perk_deck(self) -> list[int]:
        """All perks."""
        return _copies([perk.count for perk in self.perks])

    def what_lies_in_it(self) -> tuple[object, ...]:
        """Every card by its place and its copies; what is printed on it does not count."""
        counted = (self.agendas, self.enemies, self.cards, self.perks)
        return (
            *(tuple((one.id, one.count) for one in pile) for pile in counted),
            tuple(one.id for one in self.encounters),
            tuple(one.id for one in self.characters),
            self.settings.special_supply,
        )

    def faction_token(self, kind: EnemyType) -> int | None:
        """The enemy that a faction's tokens stand for, if any (W-FACT-1)."""
        return next((number for number, enemy in enumerate(self.enemies) if enemy.type is kind), None)


def is_faction(kind: EnemyType) -> bool:
    """Whether the type is shown by faction tokens."""
    return kind.value in list(Faction)


def _copies(counts: Iterable[int]) -> list[int]:
    return [number for number, count in enumerate(counts) for _ in range(count)]
