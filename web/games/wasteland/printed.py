"""What is printed on cards, in words: results, conditions, abilities, prices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.types import Asks, Does
from companion.cards.wasteland.words import Price

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.cards.wasteland.types import (
        Agenda,
        Amount,
        Bonus,
        CardAbility,
        Condition,
        Effect,
        EncounterArrow,
        Instruction,
        Perk,
        WastelandCard,
    )
    from web.base.words import Words
    from web.games.wasteland.names import Names

MINUS: Final = "\N{MINUS SIGN}"
MOST: Final = 999
SIGNED: Final = (Does.CAPS, Does.RADS, Does.HIT)


def amount(words: Words, one: Amount, *, signed: bool = False) -> str:
    """Return a number, or the level of the icon with what is added to it."""
    if not one.of_level:
        return f"{one.number:+d}".replace("-", MINUS) if signed else str(one.number)
    more = f" {one.number:+d}".replace("-", MINUS) if one.number else ""
    return words.text("wlevel") + more


def results(words: Words, names: Names, effects: Iterable[Effect]) -> str:
    return " · ".join(result(words, names, one) for one in effects)


def result(words: Words, names: Names, one: Effect) -> str:
    if one.does is Does.MANUAL:
        return one.word
    number = amount(words, one.amount, signed=one.does in SIGNED)
    return words.text(f"weff_{one.does.value}", n=number, what=_about(words, names, one.does, one.word))


def _about(words: Words, names: Names, does: Does, word: str) -> str:
    if does in (Does.BECOME, Does.LOSE):
        return trait(words, word)
    if does is Does.POWER:
        return names.faction(word)
    if does is Does.DRAW:
        return words.text(f"wdeck_{word}")
    return names.of(word) if word else ""


def trait(words: Words, name: str) -> str:
    return words.text(f"wtrait_{name.replace('-', '_')}")


def condition(words: Words, names: Names, one: Condition) -> str:
    if one.asks is Asks.MANUAL:
        return one.word
    what = one.word
    if one.asks in (Asks.TRAIT, Asks.NOT):
        what = trait(words, one.word)
    elif one.asks in (Asks.HAS, Asks.EQUIPPED, Asks.COUNT):
        what = words.text(f"wkind_{one.word}")
    elif one.asks is Asks.SPACE:
        what = names.space(one.word)
    span = str(one.low) if one.low == one.high else f"{one.low}+" if one.high >= MOST else f"{one.low}-{one.high}"
    return words.text(f"wcond_{one.asks.value.replace('-', '_')}", what=what, n=span)


def bonus(words: Words, names: Names, one: Bonus) -> str:
    return f"+{one.influence}: {condition(words, names, one.when)}"


def agenda(words: Words, names: Names, one: Agenda) -> list[str]:
    mark = [names.faction(one.faction.value)] if one.faction else []
    return [*mark, *(bonus(words, names, line) for line in one.bonuses), *([one.note] if one.note else [])]


def ability(words: Words, names: Names, one: CardAbility) -> str:
    """Return when an ability works, for what price, and what it does."""
    price = [] if one.price is Price.NONE else [words.text(f"wprice_{one.price.value}")]
    if one.caps:
        price.append(words.count("wcaps", one.caps))
    paid = f" ({', '.join(price)})" if price else ""
    when = one.timing.value.replace("-", "_")
    return f"{words.text(f'wtime_{when}')}{paid}: {results(words, names, one.effects)}"


def card(words: Words, names: Names, one: WastelandCard) -> str:
    parts = [words.text(f"wkind_{one.kind.value}")]
    if one.letters:
        parts.append(" ".join(one.letters))
    if one.ranged:
        parts.append(words.text("wability_ranged"))
    if one.armor:
        parts.append(words.text("warmor", n=one.armor))
    parts += [ability(words, names, each) for each in one.abilities]
    parts += [results(words, names, one.effects)] if one.effects else []
    if one.stay_if is not None:
        parts.append(words.text("wstays_if", what=condition(words, names, one.stay_if)))
    return " · ".join([*parts, *([one.note] if one.note else [])])


def perk(words: Words, names: Names, one: Perk) -> str:
    return " · ".join([" ".join(one.letters), results(words, names, one.effects)])


def step(words: Words, names: Names, one: Instruction) -> str:
    """Return one instruction of an objective or an option."""
    if one.kind.value == "manual":
        return one.word
    what = names.kind(one.word) if one.word else " ".join(one.letters)
    return words.text(f"wstep_{one.kind.value.replace('-', '_')}", what=what, n=amount(words, one.amount))


def option(words: Words, names: Names, one: EncounterArrow) -> str:
    """Return one arrow of an encounter: what it takes; outcomes are read afterwards."""
    needs = [condition(words, names, each) for each in one.requires]
    forced = [words.text("wforced", what=condition(words, names, one.forced_if))] if one.forced_if else []
    return " · ".join([*forced, *needs, *(step(words, names, each) for each in one.steps)]) or words.text("wno_test")
