"""What can happen in a game in the wasteland: one type an event (or a group of alike ones), and their JSON.

No event carries the face of a hidden agenda. `by` is a seat or NOBODY; cards, enemies and spaces stand by their ids.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict, cast

from companion.games.wasteland.box import COLOURS, NOBODY
from companion.games.wasteland.position import REMINDERS, Reminder

if TYPE_CHECKING:
    from companion.games.json_types import EventJson


class OfferJson(TypedDict):
    """One side of an offer as everybody may see it: agendas by number alone."""

    cards: list[str]
    agendas: int
    caps: int


# --- alike ones, told apart by their names ----------------------------------------------------------------------------


class PlainEvent(NamedTuple):
    """An event that says no more than whose it is."""

    event: Literal[
        "first_player", "enemy_phase_due", "claimed", "agenda_deck_ran_out", "no_agenda_left", "loyalty_withdrawn",
        "failed", "succeeded", "camp", "offer_refused", "no_unique_left", "survivor_killed", "eliminated",
    ]  # fmt: skip
    by: int


class CardEvent(NamedTuple):
    event: Literal[
        "drawn", "discarded", "used", "equipped", "unequipped", "companion_left", "shop_card", "buy", "sell", "recruit",
    ]  # fmt: skip
    by: int
    card: str


class PerkEvent(NamedTuple):
    event: Literal["perk_gained", "perk_used"]
    by: int
    perk: str


class TraitEvent(NamedTuple):
    event: Literal["trait_gained", "trait_lost", "trait_locked", "trait_fixed"]
    by: int
    trait: str


class HandEvent(NamedTuple):
    """A hand of agendas has grown or shrunk."""

    event: Literal["agenda_gained", "agenda_discarded"]
    by: int
    agendas: int


class QuestEvent(NamedTuple):
    event: Literal["quest_staged", "quest_trashed"]
    by: int
    number: int


class EnemyEvent(NamedTuple):
    event: Literal["enemy_gone", "enemy_inactive", "enemy_stands_still"]
    by: int
    number: int


class TokenEvent(NamedTuple):
    """A faction token that is no enemy was laid on the map, or taken off it."""

    event: Literal["token_laid", "token_taken"]
    by: int
    faction: str
    at: str


class TradeEvent(NamedTuple):
    event: Literal["offer", "traded"]
    by: int
    to: str
    give: OfferJson
    take: OfferJson


# --- a turn and the survivor's board ----------------------------------------------------------------------------------


class TurnBegun(NamedTuple):
    by: int
    round: int
    event: Literal["turn"] = "turn"


class SurvivorChosen(NamedTuple):
    by: int
    survivor: str
    event: Literal["survivor"] = "survivor"


class SurvivorPlaced(NamedTuple):
    """A killed survivor is back on the starting tile; that is no move."""

    by: int
    at: str
    event: Literal["placed"] = "placed"


class SurvivorMoved(NamedTuple):
    by: int
    at: str
    points: int
    event: Literal["moved"] = "moved"


class DamageTaken(NamedTuple):
    by: int
    amount: int
    hp: int
    event: Literal["damage"] = "damage"


class RadsChanged(NamedTuple):
    by: int
    amount: int
    rads: int
    event: Literal["rads"] = "rads"


class DamageHealed(NamedTuple):
    by: int
    amount: int
    hp: int
    event: Literal["healed"] = "healed"


class CapsChanged(NamedTuple):
    by: int
    amount: int
    caps: int
    event: Literal["caps"] = "caps"


class XpGained(NamedTuple):
    by: int
    amount: int
    levels: int
    event: Literal["xp"] = "xp"


class LettersDrawn(NamedTuple):
    by: int
    letters: tuple[str, ...]
    event: Literal["letters_drawn"] = "letters_drawn"


class LetterKept(NamedTuple):
    by: int
    letter: str
    new: bool
    event: Literal["letter_kept"] = "letter_kept"


class EquipmentChanged(NamedTuple):
    """A card of the inventory was equipped at the start of a turn."""

    by: int
    card: str
    slot: str
    event: Literal["equipped"] = "equipped"


class CardTurned(NamedTuple):
    by: int
    card: str
    exhausted: bool
    event: Literal["turned"] = "turned"


class ShopVisited(NamedTuple):
    by: int
    interactions: int
    event: Literal["shop"] = "shop"


class LoyaltyDeclared(NamedTuple):
    by: int
    faction: str | None
    event: Literal["loyalty"] = "loyalty"


# --- fights and tests -------------------------------------------------------------------------------------------------


class FightBegun(NamedTuple):
    by: int
    enemy: str
    number: int
    """The token on the map; 0 for a drawn one."""
    adjacent: bool
    event: Literal["fight"] = "fight"


class DiceLaid(NamedTuple):
    by: int
    dice: tuple[str | None, ...]
    rerolls: int
    event: Literal["dice"] = "dice"


class EnemyHits(NamedTuple):
    by: int
    hits: int
    level: int
    event: Literal["enemy_hits"] = "enemy_hits"


class SurvivorHits(NamedTuple):
    by: int
    hits: int
    needed: int
    killed: bool
    event: Literal["survivor_hits"] = "survivor_hits"


class SkillTested(NamedTuple):
    by: int
    letters: str
    difficulty: int
    event: Literal["test"] = "test"


class SkillTestJudged(NamedTuple):
    by: int
    hits: int
    difficulty: int
    success: bool
    event: Literal["tested"] = "tested"


class HelpWasted(NamedTuple):
    """A reroll or a hit outside of a fight or test."""

    by: int
    effect: str
    event: Literal["no_fight"] = "no_fight"


# --- enemies ----------------------------------------------------------------------------------------------------------


class AgendaRevealed(NamedTuple):
    by: int
    agenda: str
    activates: tuple[str, ...]
    event: Literal["agenda_revealed"] = "agenda_revealed"


class TypeActivated(NamedTuple):
    by: int
    type: str
    event: Literal["type_activated"] = "type_activated"


class StackEmpty(NamedTuple):
    by: int
    type: str
    event: Literal["stack_empty"] = "stack_empty"


class TileFlipped(NamedTuple):
    by: int
    tile: str
    place: int
    event: Literal["tile_flipped"] = "tile_flipped"


class EnemyPlaced(NamedTuple):
    by: int
    number: int
    type: str
    enemy: str | None
    """None: it lies facedown."""
    at: str | None
    event: Literal["enemy_placed"] = "enemy_placed"


class EnemyWoken(NamedTuple):
    by: int
    number: int
    enemy: str
    event: Literal["enemy_active"] = "enemy_active"


class EnemyMoved(NamedTuple):
    by: int
    number: int
    at: str | None
    event: Literal["enemy_moved"] = "enemy_moved"


class EnemyKilled(NamedTuple):
    by: int
    number: int
    enemy: str
    event: Literal["enemy_killed"] = "enemy_killed"


# --- the story, and how it ends ---------------------------------------------------------------------------------------


class FactionAdvanced(NamedTuple):
    by: int
    faction: str
    power: int
    event: Literal["power"] = "power"


class QuestPursued(NamedTuple):
    by: int
    number: int
    objective: int
    event: Literal["quest"] = "quest"


class EncounterOpened(NamedTuple):
    by: int
    icon: str
    card: str | None
    """None: it is read from the table."""
    event: Literal["encounter"] = "encounter"


class ArrowChosen(NamedTuple):
    """A section of an encounter card was chosen."""

    by: int
    option: int
    event: Literal["option"] = "option"


class EncounterAdded(NamedTuple):
    by: int
    number: int
    deck: str
    event: Literal["added"] = "added"


class CardLearned(NamedTuple):
    """A card that nobody had entered has a name now."""

    by: int
    kind: str
    card: str
    name: str
    event: Literal["learned"] = "learned"


class BoardCorrected(NamedTuple):
    by: int
    parts: tuple[str, ...]
    event: Literal["corrected"] = "corrected"


class PowerEnd(NamedTuple):
    by: int
    power: tuple[int, ...]
    event: Literal["power_end"] = "power_end"


class WastelandOver(NamedTuple):
    by: int
    winners: tuple[str, ...]
    decided_by: str
    event: Literal["over"] = "over"


SpokenEvent = (
    AgendaRevealed | TypeActivated | PlainEvent | WastelandOver | EncounterOpened | CardEvent | QuestEvent | FightBegun
    | EnemyMoved | EnemyKilled
)  # fmt: skip
"""Events that lamps or the voice may announce."""
QuietEvent = (
    PerkEvent | TraitEvent | HandEvent | EnemyEvent | TokenEvent | TradeEvent | TurnBegun
    | SurvivorChosen | SurvivorPlaced | SurvivorMoved | DamageTaken | RadsChanged | DamageHealed | CapsChanged
    | XpGained | LettersDrawn | LetterKept | EquipmentChanged | CardTurned | ShopVisited | LoyaltyDeclared
    | DiceLaid | EnemyHits | SurvivorHits | SkillTested | SkillTestJudged | HelpWasted | StackEmpty
    | TileFlipped | EnemyPlaced | EnemyWoken | FactionAdvanced | QuestPursued | ArrowChosen
    | EncounterAdded | CardLearned | BoardCorrected | PowerEnd | Reminder
)  # fmt: skip
WastelandEvent = SpokenEvent | QuietEvent


def by(event: WastelandEvent) -> str | None:
    """Return the colour whose event this is."""
    return None if event.by == NOBODY else COLOURS[event.by]


def serialize(event: WastelandEvent) -> EventJson:
    """Return the event as JSON: its name, the colour if it is somebody's, and its fields."""
    shown: dict[str, object] = {"event": event.event, "by": by(event)}
    if isinstance(event, Reminder):
        shown |= {"key": event.key, "clauses": list(REMINDERS[event.key]), **event.fields}
    else:
        fields = {key: value for key, value in event._asdict().items() if key not in shown}
        shown |= {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}
    return cast("EventJson", shown)  # each event has fields of its own
