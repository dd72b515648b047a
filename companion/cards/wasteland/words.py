"""The words of the wasteland's components, as the rulebook names them."""

from __future__ import annotations

from enum import StrEnum


class Faction(StrEnum):
    """The two factions (W-FACT-1)."""

    STAR = "star"
    SHIELD = "shield"


class EnemyType(StrEnum):
    """What an agenda activates: the five types, and the tokens of the two factions (W-ENEMY-1)."""

    CRITTER = "critter"
    HUMAN = "human"
    ROBOT = "robot"
    MONSTER = "monster"
    SUPER_MUTANT = "super-mutant"
    STAR = "star"
    SHIELD = "shield"


class Area(StrEnum):
    """The four areas of a V.A.T.S. chart (W-DICE-2)."""

    HEAD = "head"
    BODY = "body"
    ARMS = "arms"
    LEGS = "legs"


class Ability(StrEnum):
    """What an icon on an enemy changes (W-ENEMY-13 and on)."""

    AGGRESSIVE = "aggressive"
    ARMOR = "armor"
    RADIATION = "radiation"
    RANGED = "ranged"
    LOOT = "loot"
    RETREAT = "retreat"


class Trait(StrEnum):
    """The six traits on three two-sided tokens, each beside its other side (W-TRAIT-1)."""

    IDOLIZED = "idolized"
    VILIFIED = "vilified"
    SYNTH = "synth"
    SUPER_MUTANT = "super-mutant"
    WELL_RESTED = "well-rested"
    ADDICTED = "addicted"


class CardDeck(StrEnum):
    """Where an item or companion comes from and is discarded to (W-KILL-8)."""

    LOOT = "loot"
    ASSET = "asset"
    UNIQUE = "unique"
    CHARACTER = "character"


class CardKind(StrEnum):
    """What a card is; the first three have a slot (W-ITEM-1)."""

    WEAPON = "weapon"
    APPAREL = "apparel"
    COMPANION = "companion"
    AID = "aid"
    DRUG = "drug"
    MAGAZINE = "magazine"
    EVENT = "event"
    ABILITY = "ability"


class EncounterIcon(StrEnum):
    """Encounter icons and the decks behind them (W-ENC-7)."""

    SETTLEMENT = "settlement"
    WASTELAND = "wasteland"
    VAULT84 = "vault84"
    VAULT109 = "vault109"


class TileBack(StrEnum):
    """What a facedown tile shows (W-SETUP-2)."""

    DANGEROUS = "dangerous"
    DEADLY = "deadly"


class Terrain(StrEnum):
    """What the border of a space tells (W-MAP-2, W-MAP-3)."""

    DIFFICULT = "difficult"
    IRRADIATED = "irradiated"


class Timing(StrEnum):
    """When an ability of a card may be used."""

    BEFORE_FIGHT = "before-fight"
    DURING_FIGHT = "during-fight"
    REROLL_STEP = "reroll-step"
    OWN_TURN = "own-turn"
    ACTION = "action"
    TEST = "test"
    PASSIVE = "passive"


class Price(StrEnum):
    """What an ability costs beside Caps; with no price it works once a turn, a free one as often as one likes."""

    NONE = "none"
    EXHAUST = "exhaust"
    DISCARD = "discard"
    FREE = "free"


LETTERS = "SPECIAL"
