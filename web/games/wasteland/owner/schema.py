"""The fields of each kind of card, in the order of its form; parts are what a card has several of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import (
    Ability,
    Area,
    CardDeck,
    CardKind,
    EncounterIcon,
    EnemyType,
    Faction,
    Price,
    Timing,
    Trait,
)

if TYPE_CHECKING:
    from enum import StrEnum

TEXT, NUMBER, EITHER, NUMBERS, PICK, MANY, TICK, LETTERS, SPACES = (
    "text", "number", "either", "numbers", "pick", "many", "tick", "letters", "spaces",
)  # fmt: skip
EFFECTS, CONDITIONS, CONDITION, STEPS, TYPES = "effect", "condition", "one-condition", "step", "types"
NOTED: Final = (EFFECTS, CONDITIONS, CONDITION, STEPS, TYPES)
"""Fields in the notation of the cards: lines that are put together by buttons."""
HEAD: Final = "head"
RESULT: Final = "result"
"""Not a card: results that a card on the table gives, put together by the same buttons."""
DICE: Final = ("dice_1", "dice_2", "dice_3")
SETTINGS: Final = "settings."
BOX: Final = "box."


@dataclass(frozen=True, slots=True)
class CardField:
    key: str
    kind: str
    options: tuple[str, ...] = ()
    words: str = ""
    """What the words of the options begin with in the catalogues."""


@dataclass(frozen=True, slots=True)
class CardPart:
    """A part that a card has several of, such as the options of an encounter."""

    key: str
    fields: tuple[CardField, ...]


def _of(words: type[StrEnum]) -> tuple[str, ...]:
    return tuple(one.value for one in words)


_NAME: Final = (CardField("name", TEXT), CardField("id", TEXT))
_END: Final = (CardField("count", NUMBER), CardField("note", TEXT))
KINDS: Final[dict[str, tuple[CardField, ...]]] = {
    "agenda": (
        *_NAME, CardField("activates", TYPES),
        CardField("faction", PICK, _of(Faction), "wtype_"), CardField("base", NUMBER), CardField("min_players", NUMBER),
        *_END,
    ),
    "enemy": (
        *_NAME, CardField("type", PICK, _of(EnemyType), "wtype_"), CardField("level", EITHER),
        CardField("areas", MANY, _of(Area), "warea_"), CardField("abilities", MANY, _of(Ability), "wability_"), *_END,
    ),
    "card": (
        *_NAME, CardField("deck", PICK, _of(CardDeck), "wdeck_"), CardField("kind", PICK, _of(CardKind), "wkind_"),
        CardField("cost", NUMBER), CardField("value", NUMBER), CardField("letters", LETTERS), CardField("ranged", TICK),
        CardField("armor", NUMBER), CardField("effects", EFFECTS), CardField("unexhaust_price", NUMBER),
        CardField("stay_if", CONDITION), CardField("recruit_if", CONDITION), *_END,
    ),
    "perk": (
        *_NAME, CardField("letters", LETTERS), CardField("effects", EFFECTS), CardField("inside_action", TICK), *_END,
    ),
    "survivor": (
        *_NAME, CardField("letter", LETTERS), CardField("hp_max", NUMBER), CardField("start_card", TEXT),
        CardField("start_traits", MANY, _of(Trait), "wtrait_"),
        CardField("locked_traits", MANY, _of(Trait), "wtrait_"), CardField("note", TEXT), CardField("open", TICK),
    ),
    "quest": (
        CardField("number", NUMBER), CardField("name", TEXT), CardField("on_stage", EFFECTS),
        CardField("marker", TICK), CardField("note", TEXT), CardField("open", TICK),
    ),
    "encounter": (
        CardField("number", NUMBER), *_NAME, CardField("back", PICK, _of(EncounterIcon), "wencounter_"),
        CardField("note", TEXT), CardField("open", TICK),
    ),
    "scenario": (
        *_NAME, CardField("star", TEXT), CardField("shield", TEXT), CardField("star_tokens", TEXT),
        CardField("shield_tokens", TEXT), CardField("opening_quests", NUMBERS),
        CardField("setup_notes", SPACES), CardField("start_tile", TEXT),
        CardField("start_spaces", SPACES), CardField("spaces", SPACES),
    ),
    RESULT: (CardField("results", EFFECTS), CardField("level", NUMBER)),
    HEAD: (
        *(CardField(die, TEXT) for die in DICE), CardField("settings.influence", NUMBERS),
        *(CardField(f"settings.{key}", NUMBER) for key in (
            "hp_max", "rads_max", "agenda_limit", "inventory_limit", "shop_size", "camp_heal", "start_caps", "actions",
        )),
        CardField("settings.special_supply", NUMBERS), CardField("settings.solo_substitute_space", TEXT),
        CardField("settings.locked_traits", MANY, _of(Trait), "wtrait_"),
        *(CardField(f"box.{key}", NUMBER) for key in (
            "loot", "asset", "unique", "perks", "critter", "human", "robot", "monster", "super-mutant",
            "settlement_stars", "wasteland_stars",
        )),
        CardField("box.agendas", NUMBERS),
        *(CardField(f"box.{icon.value}_numbers", NUMBERS) for icon in EncounterIcon),
    ),
}  # fmt: skip
"""The fields of each kind but tiles, whose form is a picture."""
PARTS: Final[dict[str, tuple[CardPart, ...]]] = {
    "agenda": (
        CardPart("bonuses", (CardField("pays", NUMBER), CardField("when", CONDITION), CardField("group", TEXT))),
    ),
    "card": (
        CardPart("abilities", (
            CardField("timing", PICK, _of(Timing), "wtime_"), CardField("price", PICK, _of(Price), "wprice_"),
            CardField("caps", NUMBER), CardField("effects", EFFECTS),
        )),
    ),
    "quest": (
        CardPart("objective", (
            CardField("steps", STEPS), CardField("results", EFFECTS), CardField("requires", CONDITIONS),
            CardField("triggered", TICK), CardField("when", TEXT),
        )),
    ),
    "encounter": (
        CardPart("option", (
            CardField("text", TEXT), CardField("steps", STEPS), CardField("succeed", EFFECTS),
            CardField("fail", EFFECTS), CardField("results", EFFECTS), CardField("requires", CONDITIONS),
            CardField("forced_if", CONDITION),
        )),
    ),
    "scenario": (
        CardPart("track", (CardField("X", NUMBER), CardField("Y", NUMBER))),
        CardPart("enemies", (CardField("type", PICK, _of(EnemyType), "wtype_"), CardField("at", TEXT))),
    ),
}  # fmt: skip
