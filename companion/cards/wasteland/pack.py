"""A whole wasteland pack as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.cards.wasteland.sheets import Character, Encounter, Quest, Scenario
    from companion.cards.wasteland.types import Agenda, Card, Enemy, Face, Perk, Settings


@dataclass(frozen=True, slots=True)
class WastelandPack:
    """All cards, tokens and dice of one owner."""

    id: str
    verified: bool
    settings: Settings
    dice: tuple[tuple[Face, ...], ...] = ()
    agendas: tuple[Agenda, ...] = ()
    enemies: tuple[Enemy, ...] = ()
    cards: tuple[Card, ...] = ()
    perks: tuple[Perk, ...] = ()
    quests: tuple[Quest, ...] = ()
    encounters: tuple[Encounter, ...] = ()
    characters: tuple[Character, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    names: dict[str, str] = field(default_factory=dict)
