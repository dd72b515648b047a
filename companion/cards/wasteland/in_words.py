"""What is printed on cards, in words, for pages and paper: results, conditions, abilities, prices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from companion.cards.wasteland.types import Asks, Condition, Does, Effect, Instruction
from companion.cards.wasteland.words import Price

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.cards.wasteland.types import (
        Agenda,
        Amount,
        Bonus,
        CardAbility,
        EncounterArrow,
        Objective,
        Perk,
        WastelandCard,
        WastelandPack,
    )


CATALOGUE: Final = "wasteland-homemade"
"""The catalogue (languages/*/cards) of what stands on the cards of our own pack, by what stands there in English."""


class Words(Protocol):
    """The texts of a reader's language."""

    def text(self, key: str, **fields: object) -> str: ...

    def count(self, key: str, number: int) -> str: ...


class Names(Protocol):
    """What cards, factions and spaces are called there, and what stands on the cards."""

    def of(self, thing: str | None) -> str: ...

    def faction(self, faction: str) -> str: ...

    def space(self, name: str | None) -> str: ...

    def kind(self, kind: str) -> str: ...

    def told(self, text: str) -> str:
        """Return a text of a card in the reader's language, as far as it is known."""


MANUAL: Final = "manual"
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
        return names.told(one.word)
    number = amount(words, one.amount, signed=one.does in SIGNED)
    return words.text(f"weff_{one.does.value}", n=number, what=_about(words, names, one.does, one.word))


def _about(words: Words, names: Names, does: Does, word: str) -> str:
    if does in (Does.BECOME, Does.LOSE, Does.LOCK):
        return trait(words, word)
    if does is Does.POWER:
        return names.faction(word)
    if does in (Does.LAY, Does.TAKE):
        faction, _, at = word.partition(" ")
        return f"{names.faction(faction)} ({names.space(at)})" if at else names.faction(faction)
    if does is Does.DRAW:
        return words.text(f"wdeck_{word}")
    return names.of(word) if word else ""


def trait(words: Words, name: str) -> str:
    return words.text(f"wtrait_{name.replace('-', '_')}")


def condition(words: Words, names: Names, one: Condition) -> str:
    if one.asks is Asks.MANUAL:
        return names.told(one.word)
    what = one.word
    if one.asks in (Asks.TRAIT, Asks.NOT):
        what = trait(words, one.word)
    elif one.asks in (Asks.HAS, Asks.EQUIPPED, Asks.COUNT):
        what = words.text(f"wkind_{one.word}")
    elif one.asks in (Asks.TOKEN, Asks.TOKENS):
        what = names.faction(one.word)
    elif one.asks is Asks.SPACE:
        what = names.space(one.word)
    span = str(one.low) if one.low == one.high else f"{one.low}+" if one.high >= MOST else f"{one.low}-{one.high}"
    return words.text(f"wcond_{one.asks.value.replace('-', '_')}", what=what, n=span)


def bonus(words: Words, names: Names, one: Bonus) -> str:
    return f"+{one.influence}: {condition(words, names, one.when)}"


def agenda(words: Words, names: Names, one: Agenda) -> list[str]:
    mark = [names.faction(one.faction.value)] if one.faction else []
    return [*mark, *(bonus(words, names, line) for line in one.bonuses), *([names.told(one.note)] if one.note else [])]


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
    return " · ".join([*parts, *([names.told(one.note)] if one.note else [])])


def perk(words: Words, names: Names, one: Perk) -> str:
    return " · ".join([" ".join(one.letters), results(words, names, one.effects)])


def step(words: Words, names: Names, one: Instruction) -> str:
    """Return one instruction of an objective or an option."""
    if one.kind.value == "manual":
        return names.told(one.word)
    what = names.kind(one.word) if one.word else " ".join(one.letters)
    return words.text(f"wstep_{one.kind.value.replace('-', '_')}", what=what, n=amount(words, one.amount))


def option(words: Words, names: Names, one: EncounterArrow) -> str:
    """Return one arrow of an encounter: what it takes; outcomes are read afterwards."""
    needs = [condition(words, names, each) for each in one.requires]
    forced = [words.text("wforced", what=condition(words, names, one.forced_if))] if one.forced_if else []
    return " · ".join([*forced, *needs, *(step(words, names, each) for each in one.steps)]) or words.text("wno_test")


def objective(words: Words, names: Names, one: Objective) -> str:
    """Return an objective of a quest in one line: what it takes, and what comes of it."""
    needs = [condition(words, names, each) for each in one.requires]
    steps = [step(words, names, each) for each in one.steps]
    when = [names.told(one.when) or words.text("wtriggered")] if one.triggered else []
    return f"{' · '.join([*when, *needs, *steps])} → {results(words, names, one.results)}"


def follows(words: Words, names: Names, one: EncounterArrow) -> list[str]:
    """Return what comes of an arrow: of success, of failure, and in any case."""
    parts = (("wread_succeed", one.succeed), ("wread_fail", one.fail), ("wread_then", one.results))
    return [words.text(key, what=results(words, names, told)) for key, told in parts if told]


def texts_of(pack: WastelandPack) -> list[str]:
    """Return every text that stands on a pack's pieces, once: names, stories, and what only people can do or see."""
    piles = (pack.characters, pack.cards, pack.perks, pack.agendas, pack.enemies, pack.encounters, pack.quests)
    found = [text for pile in piles for one in pile for text in (one.name, one.note)]
    for scenario in pack.scenarios:
        found += [scenario.name, *scenario.factions, *scenario.tokens, *scenario.setup_notes]
    for encounter in pack.encounters:
        for arrow in encounter.options:
            found += [
                arrow.text,
                *_by_people((*arrow.requires, *arrow.steps, *arrow.succeed, *arrow.fail, *arrow.results)),
            ]
    for quest in pack.quests:
        for one in quest.objectives:
            found += [one.when, *_by_people((*one.requires, *one.steps, *one.results))]
    for agenda in pack.agendas:
        found += _by_people(tuple(line.when for line in agenda.bonuses))
    for card in pack.cards:
        conditions = tuple(one for one in (card.stay_if, card.recruit_if) if one is not None)
        found += _by_people((*conditions, *card.effects, *(one for each in card.abilities for one in each.effects)))
    found += _by_people(tuple(one for perk in pack.perks for one in perk.effects))
    return list(dict.fromkeys(text for text in found if text))


def _by_people(parts: tuple[Condition | Effect | Instruction, ...]) -> list[str]:
    return [one.word for one in parts if _kind(one) == MANUAL]


def _kind(one: Condition | Effect | Instruction) -> str:
    match one:
        case Condition():
            return one.asks.value
        case Effect():
            return one.does.value
        case Instruction():
            return one.kind.value
