"""What one card says about another: every name leads somewhere, or a fault where it was written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from companion.cards import fields as read
from companion.cards.fields import Fields
from companion.cards.pack import Fault
from companion.cards.wasteland import blanks, kinds, notation, tiles
from companion.cards.wasteland.leads import check_leads
from companion.cards.wasteland.types import Does, WastelandPack, WastelandSettings
from companion.cards.wasteland.words import CardDeck, CardKind, EnemyType, Faction, Trait

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from companion.cards.source import Source, SourceField
    from companion.cards.wasteland.types import DieFace, Effect, PlacedEnemy, Scenario


Problem = tuple[str, str, int, str, str]
"""File, key of the table, number of the table, what was found, what was expected."""


def check_references(pack: WastelandPack, sources: Mapping[str, Source], faults: list[Fault]) -> None:
    """Note every reference to something that is not there."""
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
    if pack.box is not None:
        return  # blanks stand for quests and tokens that nobody entered
    quests = {quest.number for quest in pack.quests}
    factions = {enemy.type for enemy in pack.enemies if enemy.type.value in list(Faction)}
    for number, sheet in enumerate(pack.scenarios):
        for quest in sheet.opening_quests:
            if quest not in quests:
                yield "scenarios.toml", "scenario", number, f"opening quest {quest}", "the number of a quest"
        for placed in sheet.enemies:
            if placed.type.value in list(Faction) and placed.type not in factions and not _is_marker(sheet, placed):
                yield "scenarios.toml", "scenario", number, f"a token of {placed.type}", "a faction with an enemy"


def _is_marker(sheet: Scenario, placed: PlacedEnemy) -> bool:
    """Return whether the tokens of that faction are no enemies in this scenario."""
    return bool(sheet.tokens[tuple(Faction).index(Faction(placed.type.value))])


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


Value = TypeVar("Value")

NEEDED: Final = ("pack.toml", "agendas.toml", "enemies.toml", "cards.toml", "survivors.toml", "scenarios.toml")
OPTIONAL: Final = ("perks.toml", "quests.toml", "encounters.toml", "tiles.toml")
FOR_BLANKS: Final = frozenset({"agenda", "enemy", "card"})
"""Tables that a pack may lack which counts what lies in the box."""
_SETTINGS: Final[Mapping[str, tuple[int, int]]] = {
    "hp_max": (1, 30), "rads_max": (1, 30), "agenda_limit": (1, 9), "inventory_limit": (0, 9), "shop_size": (0, 9),
    "camp_heal": (0, 9), "start_caps": (0, 99), "actions": (1, 9),
}  # fmt: skip


class Assembly:
    """One reading of one pack."""

    def __init__(self, sources: Mapping[str, Source], faults: list[Fault], *, counted: bool = False) -> None:
        self.sources = sources
        self.faults = faults
        self.counted = counted
        """Whether blanks stand for what is not entered."""

    def records(self, file: str, key: str, make: Callable[[Source, int, Fields], Value | None]) -> tuple[Value, ...]:
        """Return what the tables `[[key]]` of a file say, each named by its `id` or `number`."""
        found = [made for made in self._made(file, key, make) if made is not None]
        if file in self.sources:
            Fields(self.sources[file].table(), "", self.faults, {key}).finish()
        return tuple(found)

    def _made(self, file: str, key: str, make: Callable[[Source, int, Fields], Value | None]) -> Iterator[Value | None]:
        source = self.sources.get(file)
        if source is None:
            return
        raw = source.data.get(key)
        if raw is None and self.counted and key in FOR_BLANKS:
            return
        if not isinstance(raw, list) or not raw or not all(isinstance(entry, dict) for entry in raw):
            self.faults.append(Fault(source.file, source.line((key,)), "", f"no tables {key}", f"[[{key}]] tables"))
            return
        met: dict[object, SourceField] = {}
        for number in range(len(raw)):
            table = source.table(key, number)
            named = table.fields.get("id", table.fields.get("number"))
            fields = Fields(table, str(named.raw)[:60] if named else f"{key} {number + 1}", self.faults)
            if named is not None:
                self._meet(fields.card, named, met)
            yield make(source, number, fields)
            fields.finish()

    def _meet(self, card: str, written: SourceField, met: dict[object, SourceField]) -> None:
        first = met.setdefault(card, written)
        if first is not written or blanks.is_blank(card):
            taken = f"an id taken at {first.file}:{first.line}" if first is not written else "the id of a blank"
            self.faults.append(Fault(written.file, written.line, card, taken, "an id of its own"))


def assemble(sources: Mapping[str, Source], faults: list[Fault], *, kept: bool = False) -> WastelandPack:
    """Return the pack that the sources describe; it means something only if no fault was added to the list.

    A pack that a record has `kept` was played with: what its cards ask for need not be there.
    """
    head = sources.get("pack.toml")
    counts = None if head is None else blanks.counts_of(head, faults)
    assembly = Assembly(sources, faults, counted=counts is not None)
    pack_id, verified, settings, dice = _head(sources, faults)
    pack = WastelandPack(
        id=pack_id,
        verified=verified,
        settings=settings,
        dice=dice,
        agendas=assembly.records("agendas.toml", "agenda", kinds.agenda),
        enemies=assembly.records("enemies.toml", "enemy", kinds.enemy),
        cards=assembly.records("cards.toml", "card", kinds.card),
        perks=assembly.records("perks.toml", "perk", kinds.perk),
        quests=assembly.records("quests.toml", "quest", kinds.quest),
        encounters=assembly.records("encounters.toml", "encounter", kinds.encounter),
        characters=assembly.records("survivors.toml", "survivor", kinds.character),
        scenarios=assembly.records("scenarios.toml", "scenario", kinds.scenario),
        tiles=assembly.records("tiles.toml", "tile", tiles.tile),
        box=counts,
    )
    references = not faults
    tiles.check_maps(pack, sources, faults)
    if not kept:
        check_leads(pack, sources, faults)
    if references:
        check_references(pack, sources, faults)
    if faults:
        return pack
    laid = {one.id: one for one in pack.tiles}
    return replace(pack, scenarios=tuple(tiles.with_spaces(sheet, laid) for sheet in pack.scenarios))


def _head(
    sources: Mapping[str, Source], faults: list[Fault]
) -> tuple[str, bool, WastelandSettings, tuple[tuple[DieFace, ...], ...]]:
    if "pack.toml" not in sources:
        return "", False, WastelandSettings(), ()
    source = sources["pack.toml"]
    fields = Fields(source.table(), "", faults)
    pack_id, verified = fields.take("id", read.card_id), fields.take("verified", read.truth)
    dice = fields.maybe("dice", _dice)
    fields.taken |= {"settings", blanks.TABLE}
    fields.finish()
    return pack_id or "", bool(verified), _settings(Fields(source.table("settings"), "settings", faults)), dice or ()


def _settings(fields: Fields) -> WastelandSettings:
    plain = {key: fields.maybe(key, read.whole(*limits)) for key, limits in _SETTINGS.items()}
    given = {key: value for key, value in plain.items() if value is not None}
    influence = fields.maybe("influence", _numbers(4, 1, 99))
    supply = fields.maybe("special_supply", _numbers(7, 0, 99))
    locked = fields.maybe("locked_traits", notation.lines(read.one_of(*Trait)))
    substitute = fields.maybe("solo_substitute_space", read.text)
    fields.finish()
    normal = WastelandSettings()
    return WastelandSettings(
        **given,
        influence=(influence[0], influence[1], influence[2], influence[3]) if influence else normal.influence,
        special_supply=supply or normal.special_supply,
        locked_traits=locked or (),
        solo_substitute_space=substitute or normal.solo_substitute_space,
    )


def _numbers(count: int, low: int, high: int) -> Callable[[object], tuple[int, ...]]:
    def of(raw: object) -> tuple[int, ...]:
        if not isinstance(raw, list) or len(raw) != count or any(type(one) is not int for one in raw):
            raise read.UnfitError(f"{count} whole numbers from {low} to {high}")
        if any(not low <= one <= high for one in raw):
            raise read.UnfitError(f"{count} whole numbers from {low} to {high}")
        return tuple(raw)

    return of


def _dice(raw: object) -> tuple[tuple[DieFace, ...], ...]:
    """Read three dice with the same number of faces, though not the same faces (A-40)."""
    dice = notation.lines(notation.lines(notation.face))(raw)
    if len(dice) != 3 or not dice[0] or len({len(die) for die in dice}) != 1:  # noqa: PLR2004 - W-DICE-1
        raise read.UnfitError("three dice with equally many faces")
    return dice
