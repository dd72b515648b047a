"""What one card says about another: every name leads somewhere, or a fault where it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.faults import Fault
from companion.cards.wasteland.types import Does
from companion.cards.wasteland.words import CardDeck, CardKind, EnemyType, Faction

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.cards.source import Source
    from companion.cards.wasteland.pack import WastelandPack
    from companion.cards.wasteland.types import Effect

Problem = tuple[str, str, int, str, str]
"""File, key of the table, number of the table, what was found, what was expected."""


def check_references(pack: WastelandPack, sources: Mapping[str, Source], faults: list[Fault]) -> None:
    """Note every reference that leads nowhere."""
    for file, key, number, found, expected in (*_survivors(pack), *_scenarios(pack), *_effects(pack), *_decks(pack)):
        source = sources[file]
        table = source.table(key, number)
        named = table.fields.get("id", table.fields.get("number"))
        faults.append(Fault(source.file, table.line, str(named.raw) if named else "", found, expected))


def _survivors(pack: WastelandPack) -> Iterator[Problem]:
    characters = {card.id for card in pack.cards if card.deck is CardDeck.CHARACTER}
    for number, one in enumerate(pack.characters):
        if one.start_card and one.start_card not in characters:
            yield "survivors.toml", "survivor", number, f"start card {one.start_card}", "a card of the deck character"


def _scenarios(pack: WastelandPack) -> Iterator[Problem]:
    quests = {quest.number for quest in pack.quests}
    factions = {enemy.type for enemy in pack.enemies if enemy.type.value in list(Faction)}
    for number, sheet in enumerate(pack.scenarios):
        for quest in sheet.opening_quests:
            if quest not in quests:
                yield "scenarios.toml", "scenario", number, f"opening quest {quest}", "the number of a quest"
        for placed in sheet.enemies:
            if placed.type.value in list(Faction) and placed.type not in factions:
                yield "scenarios.toml", "scenario", number, f"a token of {placed.type}", "a faction with an enemy"


def _effects(pack: WastelandPack) -> Iterator[Problem]:
    uniques = {card.id for card in pack.cards if card.deck is CardDeck.UNIQUE}
    for file, key, number, effect in _all_effects(pack):
        if effect.does is Does.UNIQUE and effect.word not in uniques:
            yield file, key, number, f"unique {effect.word}", "the id of a unique asset"


def _all_effects(pack: WastelandPack) -> Iterator[tuple[str, str, int, Effect]]:
    for number, card in enumerate(pack.cards):
        for effects in (card.effects, *(ability.effects for ability in card.abilities)):
            yield from (("cards.toml", "card", number, effect) for effect in effects)
    for number, quest in enumerate(pack.quests):
        for effects in (quest.on_stage, *(objective.results for objective in quest.objectives)):
            yield from (("quests.toml", "quest", number, effect) for effect in effects)
    for number, encounter in enumerate(pack.encounters):
        for option in encounter.options:
            for effects in (option.succeed, option.fail, option.results):
                yield from (("encounters.toml", "encounter", number, effect) for effect in effects)


def _decks(pack: WastelandPack) -> Iterator[Problem]:
    for number, card in enumerate(pack.cards):
        if card.kind is CardKind.ABILITY and card.deck is not CardDeck.CHARACTER:
            yield "cards.toml", "card", number, "an ability in a deck", "kind ability only with deck character"
        if card.kind is CardKind.EVENT and card.deck is not CardDeck.LOOT:
            yield "cards.toml", "card", number, "an event outside the loot", "kind event only with deck loot"
    for number, enemy in enumerate(pack.enemies):
        if enemy.level_letter and enemy.type not in (EnemyType.STAR, EnemyType.SHIELD):
            yield "enemies.toml", "enemy", number, f"level {enemy.level_letter}", "a number for an ordinary enemy"
