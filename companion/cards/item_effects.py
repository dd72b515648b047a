"""What items do: every effect described once, for the loader, the rules, pages, printed cards and bots."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, get_args

from companion.cards.effects import Gain, Letter, Pay

if TYPE_CHECKING:
    from collections.abc import Callable


class ItemFamily(StrEnum):
    """The four families of items."""

    WEAPON = "weapon"
    OUTFIT = "outfit"
    PET = "pet"
    OTHER = "other"


class Use(StrEnum):
    """What becomes of an item when it works (I2)."""

    EXHAUST = "exhaust"
    PASSIVE = "passive"
    DISCARD = "discard"


class EffectTime(StrEnum):
    """When an item works (I2)."""

    BEFORE_ROLL = "before-roll"
    AFTER_ROLL = "after-roll"
    PLACEMENT = "placement"
    BUILD = "build"
    ANY_TIME = "any-time"
    END_OF_GAME = "end-of-game"


class Action(StrEnum):
    """What an `action` item does."""

    READY = "ready"
    HEAL = "heal"
    SWAP = "swap"
    DISCOUNT = "discount"

    @property
    def when(self) -> EffectTime:
        return EffectTime.BUILD if self is Action.DISCOUNT else EffectTime.ANY_TIME


class Counted(StrEnum):
    """What a `score_per` item counts at the end of the game."""

    WEAPONS = "weapons"
    OUTFITS = "outfits"
    PETS = "pets"
    WATER = "water"
    FOOD = "food"
    ENERGY = "energy"
    ROOMS = "rooms"
    DWELLERS = "dwellers"


class EffectSign(NamedTuple):
    """A sign printed on an item's card, and what is written on it."""

    shape: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class BaseEffect:
    """What an item does, as its class describes it: cards, pages, printed sheets and bots know no more of an effect.

    Each field is read from the card's file by its type (`READERS` in assemble.py) and is a figure of the sentence
    `effect_<sentence>` in pages/items.toml of every language. Only the rules carry an effect out (games/shelter).
    """

    kind: ClassVar[str]
    """What `effect` says in the card's file."""
    when: ClassVar[EffectTime]
    uses: ClassVar[tuple[Use, ...]] = (Use.EXHAUST, Use.DISCARD)
    """What may become of the card; it is told where there is more than one."""

    @property
    def sentence(self) -> str:
        return self.kind

    def drawn(self) -> tuple[EffectSign | Pay | Gain, ...]:
        """Return what is printed on its card, from left to right."""
        return (EffectSign(self.kind),)


@dataclass(frozen=True, slots=True)
class RollBonus(BaseEffect):
    """Adds to a fight's roll: before the roll when exhausted, always when passive (I5)."""

    kind = "roll_bonus"
    when = EffectTime.BEFORE_ROLL
    uses = tuple(Use)

    use: Use
    bonus: int

    def drawn(self) -> tuple[EffectSign, ...]:
        return (EffectSign("fight", f"+{self.bonus}"),)


@dataclass(frozen=True, slots=True)
class Reroll(BaseEffect):
    """After a fight's roll: roll again."""

    kind = "reroll"
    when = EffectTime.AFTER_ROLL

    use: Use

    def drawn(self) -> tuple[EffectSign, ...]:
        return (EffectSign("fight"), EffectSign("again"))


@dataclass(frozen=True, slots=True)
class CountsAsTrained(BaseEffect):
    """At a placement: the dweller counts as trained in a letter.

    Without a letter: in the one that a threat needs (and on threats only), for the price of `pay`.
    """

    kind = "letter"
    when = EffectTime.PLACEMENT

    use: Use
    letter: Letter | None
    pay: Pay | None = None

    @property
    def sentence(self) -> str:
        return "letter" if self.letter else "letter_of_threat"

    def drawn(self) -> tuple[EffectSign | Pay, ...]:
        trained = EffectSign("train", self.letter or "?")
        return (trained,) if self.pay is None else (self.pay, EffectSign("to"), trained)


@dataclass(frozen=True, slots=True)
class ExchangeOnce(BaseEffect):
    """Any time: pay cubes to gain cubes, in the one direction."""

    kind = "exchange"
    when = EffectTime.ANY_TIME

    use: Use
    pay: Pay
    gain: Gain

    def drawn(self) -> tuple[EffectSign | Pay | Gain, ...]:
        return (self.pay, EffectSign("to"), self.gain)


@dataclass(frozen=True, slots=True)
class Act(BaseEffect):
    """An action: any time, but for the discount, which works while building; `amount` is what a discount saves."""

    kind = "action"
    when = EffectTime.ANY_TIME

    use: Use
    action: Action
    amount: int = 1

    @property
    def sentence(self) -> str:
        return self.action

    def drawn(self) -> tuple[EffectSign, ...]:
        match self.action:
            case Action.DISCOUNT:
                return (EffectSign("build", f"-{self.amount}"),)
            case Action.SWAP:
                return (EffectSign("item"), EffectSign("both"), EffectSign("item"))
            case Action.READY | Action.HEAL:
                return (EffectSign(self.action),)


@dataclass(frozen=True, slots=True)
class ScorePer(BaseEffect):
    """End of the game: `happiness` for every full `per` of what is counted."""

    kind = "score_per"
    when = EffectTime.END_OF_GAME
    uses = (Use.PASSIVE,)

    counted: Counted
    per: int
    happiness: int = 1
    use: Use = Use.PASSIVE

    @property
    def sentence(self) -> str:
        return "score_per" if self.per > 1 else "score_per_each"

    def drawn(self) -> tuple[EffectSign, ...]:
        counted = EffectSign(_SHAPES.get(self.counted, self.counted), str(self.per) if self.per > 1 else "")
        return (counted, EffectSign("to"), EffectSign("happiness", str(self.happiness) if self.happiness > 1 else ""))


_SHAPES: Final = {
    Counted.WEAPONS: "weapon",
    Counted.OUTFITS: "outfit",
    Counted.PETS: "pet",
    Counted.ROOMS: "room",
    Counted.DWELLERS: "people",
}
"""What is counted at the end, where its sign has another name."""

AnyTimeEffect = ExchangeOnce | Act
"""What a player may do between moves: `companion/games/shelter/cards/items.py` carries it out."""
ItemEffect = RollBonus | Reroll | CountsAsTrained | AnyTimeEffect | ScorePer
EFFECTS: Final[dict[str, type[ItemEffect]]] = {effect.kind: effect for effect in get_args(ItemEffect)}
"""Every effect by what the files of the cards call it."""


def sentence_of(effect: ItemEffect, text: Callable[..., str]) -> str:
    """Return what an item does, and what becomes of the card; `text` gives a catalogue's line with its fields."""
    figures = {one.name: _figure(getattr(effect, one.name), text) for one in fields(effect)}
    told = text(f"effect_{effect.sentence}", **figures)
    return f"{told} {text(f'use_{effect.use}')}" if len(effect.uses) > 1 else told


def _figure(value: object, text: Callable[..., str]) -> str:
    match value:
        case Pay() | Gain():
            return text("amount_of_resource", n=value.amount, resource=text(f"resource_{value.resource}"))
        case Counted():
            return text(f"counted_{value}")
        case _:
            return str(value)
