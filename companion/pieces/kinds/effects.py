"""Describe what an item does: in signs, and in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards import effects as fx
from companion.pieces.drawing.signs import TO, Sign, signs_of

if TYPE_CHECKING:
    from collections.abc import Mapping


_Used = fx.RollBonus | fx.Reroll | fx.CountsAsTrained | fx.ExchangeOnce | fx.Act

COUNTED: Final = {
    fx.Counted.WEAPONS: "slingshot",
    fx.Counted.OUTFITS: "woollen-cape",
    fx.Counted.PETS: "squirrel",
    fx.Counted.WATER: "water",
    fx.Counted.FOOD: "food",
    fx.Counted.ENERGY: "energy",
    fx.Counted.ROOMS: "build",
    fx.Counted.DWELLERS: "dweller",
}
"""The picture of what is counted at the end."""


def effect_words(effect: fx.ItemEffect, words: PrintedWords) -> str:
    """Return the sentence, and how the item is used."""
    use = "" if isinstance(effect, fx.ScorePer) else words.say(f"use-{effect.use.value}")
    return f"{_sentence(effect, words)} {use}".strip()


def _sentence(effect: fx.ItemEffect, words: PrintedWords) -> str:
    match effect:
        case fx.RollBonus():
            return words.say("effect-bonus", n=effect.bonus)
        case fx.Reroll():
            return words.say("effect-reroll")
        case fx.CountsAsTrained(letter=None):
            return words.say("effect-any-letter")
        case fx.CountsAsTrained():
            return words.say("effect-letter", letter=effect.letter)
        case fx.ExchangeOnce():
            return words.say("effect-exchange")
        case fx.Act():
            return words.say(f"effect-{effect.action.value}", n=effect.amount)
        case fx.ScorePer():
            counted = words.say(f"counted-{effect.counted.value}")
            key = "effect-score" if effect.per > 1 else "effect-score-each"
            return words.say(key, n=effect.happiness, per=effect.per, counted=counted)


def effect_signs(effect: fx.ItemEffect) -> list[Sign]:
    """Return the signs: how it is used, and what it does."""
    if isinstance(effect, fx.ScorePer):
        counted = Sign(COUNTED[effect.counted], str(effect.per) if effect.per > 1 else "")
        return [counted, TO, Sign("happiness", str(effect.happiness) if effect.happiness > 1 else "")]
    return [Sign(effect.use.value), TO, *_done(effect)]


def _done(effect: _Used) -> list[Sign]:
    match effect:
        case fx.RollBonus():
            return [Sign("fight", f"+{effect.bonus}")]
        case fx.Reroll():
            return [Sign("fight"), Sign("refresh")]
        case fx.CountsAsTrained():
            paid = [] if effect.pay is None else [*signs_of(effect.pay), TO]
            return [*paid, Sign("train", effect.letter.value if effect.letter else "*")]
        case fx.ExchangeOnce():
            return [*signs_of(effect.pay), TO, *signs_of(effect.gain)]
        case fx.Act(action=fx.Action.DISCOUNT):
            return [Sign("build", f"-{effect.amount}")]
        case fx.Act(action=fx.Action.SWAP):
            return [Sign("item"), Sign("both"), Sign("item")]
        case fx.Act():
            return [Sign(effect.action.value)]


@dataclass(frozen=True, slots=True)
class PrintedWords:
    """The words of one language: those of the sheets, and the names of the cards."""

    language: str
    texts: Mapping[str, str]
    names: Mapping[str, str]

    def say(self, key: str, **fields: object) -> str:
        """Return a text with its fields filled in."""
        return self.texts[key].format(**fields)

    def name(self, card: str) -> str:
        """Return a card's name; a card without one is called by its id."""
        return self.names.get(card) or card.replace("-", " ").capitalize()
