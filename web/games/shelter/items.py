"""What an item does, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards import effects as fx

if TYPE_CHECKING:
    from web.base.words import Words
    from web.pages.cards.view import Cards


def sentence(words: Words, cards: Cards, item: str) -> str:
    """The effect of an item, and what becomes of the card."""
    card = cards.items.get(item)
    if card is None:
        return words.text("item_unknown")
    effect = card.effect
    told = _effect(words, effect)
    if isinstance(effect, fx.ScorePer):
        return told
    return f"{told} {words.text(f'use_{effect.use.value}')}"


def _effect(words: Words, effect: fx.ItemEffect) -> str:
    match effect:
        case fx.RollBonus():
            return words.text("effect_bonus", n=effect.bonus)
        case fx.Reroll():
            return words.text("effect_reroll")
        case fx.CountsAsTrained(letter=None):
            return words.text("effect_any_letter")
        case fx.CountsAsTrained():
            return words.text("effect_letter", letter=effect.letter)
        case fx.ExchangeOnce(pay=pay, gain=gain):
            paid = words.text(f"resource_{pay.resource.value}")
            gained = words.text(f"resource_{gain.resource.value}")
            return words.text("effect_exchange", pay=pay.amount, paid=paid, gain=gain.amount, gained=gained)
        case fx.Act():
            return words.text(f"effect_{effect.action.value}")
        case fx.ScorePer():
            counted = words.text(f"counted_{effect.counted.value}")
            key = "effect_score" if effect.per > 1 else "effect_score_each"
            return words.text(key, n=effect.happiness, per=effect.per, counted=counted)
