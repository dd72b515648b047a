"""What an item does, out of its fields: six kinds of effect, each with its moment and its uses."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from companion.cards import fields as read
from companion.cards.effects import (
    Act,
    Action,
    Counted,
    CountsAsTrained,
    ExchangeOnce,
    ItemEffect,
    Letter,
    Reroll,
    RollBonus,
    ScorePer,
    Use,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.cards.fields import Fields


class EffectKind(StrEnum):
    """The six kinds of effect."""

    ROLL_BONUS = "roll_bonus"
    REROLL = "reroll"
    LETTER = "letter"
    EXCHANGE = "exchange"
    ACTION = "action"
    SCORE_PER = "score_per"


class Moment(StrEnum):
    """When an item works (I2)."""

    BEFORE_ROLL = "before-roll"
    AFTER_ROLL = "after-roll"
    PLACEMENT = "placement"
    BUILD = "build"
    ANY_TIME = "any-time"
    END_OF_GAME = "end-of-game"


class Needed(StrEnum):
    """In place of a letter: the one that a threat needs."""

    OF_THE_THREAT = "of-the-threat"


PARAMETERS: Final[Mapping[EffectKind, tuple[str, ...]]] = {
    EffectKind.ROLL_BONUS: ("bonus",),
    EffectKind.REROLL: (),
    EffectKind.LETTER: ("letter", "pay"),
    EffectKind.EXCHANGE: ("pay", "gain"),
    EffectKind.ACTION: ("action", "amount"),
    EffectKind.SCORE_PER: ("counted", "per", "happiness"),
}
"""What an effect says besides its use and its moment."""
EFFECT_FIELDS: Final = (
    *("effect", "use", "when"),
    *dict.fromkeys(name for names in PARAMETERS.values() for name in names),
)
_ONCE: Final = (Use.EXHAUST, Use.DISCARD)
_LIMITS: Final[Mapping[EffectKind | Action, tuple[Moment, tuple[Use, ...]]]] = {
    EffectKind.ROLL_BONUS: (Moment.BEFORE_ROLL, tuple(Use)),
    EffectKind.REROLL: (Moment.AFTER_ROLL, _ONCE),
    EffectKind.LETTER: (Moment.PLACEMENT, _ONCE),
    EffectKind.EXCHANGE: (Moment.ANY_TIME, _ONCE),
    EffectKind.SCORE_PER: (Moment.END_OF_GAME, (Use.PASSIVE,)),
    Action.READY: (Moment.ANY_TIME, _ONCE),
    Action.HEAL: (Moment.ANY_TIME, _ONCE),
    Action.SWAP: (Moment.ANY_TIME, _ONCE),
    Action.DISCOUNT: (Moment.BUILD, _ONCE),
}
_AMOUNT: Final = read.whole(1, 10)


def moment_of(effect: str, action: str) -> str:
    """When an item of this effect works; empty for what is no effect."""
    limits = {str(known): str(moment) for known, (moment, _) in _LIMITS.items()}
    return limits.get(action if effect == EffectKind.ACTION else effect, "")


def item_effect(fields: Fields) -> ItemEffect | None:
    """The effect that an item's fields describe; None when one of them is at fault."""
    kind = fields.take("effect", read.one_of(*EffectKind))
    action = fields.take("action", read.one_of(*Action)) if kind is EffectKind.ACTION else None
    limits = action if kind is EffectKind.ACTION else kind
    if kind is None or limits is None:
        fields.taken.update(fields.table.fields)
        return None
    moment, uses = _LIMITS[limits]
    fields.take("when", read.one_of(moment))
    use = fields.take("use", read.one_of(*uses))
    return _effect(kind, action, use, fields)


def _effect(kind: EffectKind, action: Action | None, use: Use | None, fields: Fields) -> ItemEffect | None:
    match kind:
        case EffectKind.ROLL_BONUS:
            bonus = fields.take("bonus", _AMOUNT)
            return RollBonus(use, bonus) if use and bonus else None
        case EffectKind.REROLL:
            return Reroll(use) if use else None
        case EffectKind.LETTER:
            return _letter(use, fields)
        case EffectKind.EXCHANGE:
            pay, gain = fields.take("pay", read.pay), fields.take("gain", read.gain)
            return ExchangeOnce(use, pay, gain) if use and pay and gain else None
        case EffectKind.ACTION:
            amount = fields.take("amount", _AMOUNT) if action is Action.DISCOUNT else 1
            return Act(use, action, amount) if use and action and amount else None
        case EffectKind.SCORE_PER:
            return _score(fields)


def _letter(use: Use | None, fields: Fields) -> ItemEffect | None:
    letter = fields.take("letter", read.one_of(*Letter, Needed.OF_THE_THREAT))
    pay = fields.maybe("pay", read.pay)
    if not use or letter is None:
        return None
    return CountsAsTrained(use, letter if isinstance(letter, Letter) else None, pay)


def _score(fields: Fields) -> ItemEffect | None:
    counted = fields.take("counted", read.one_of(*Counted))
    per, happiness = fields.take("per", _AMOUNT), fields.take("happiness", _AMOUNT)
    return ScorePer(counted, per, happiness) if counted and per and happiness else None
