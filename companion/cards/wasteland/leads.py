"""What cards and maps ask for has to be somewhere: spaces, enemy tokens, decks, cards by number.

What is there is read from the files as they are written: a record with faults of its own hides nothing of others.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from companion.cards.pack import Fault
from companion.cards.wasteland.tiles import written_spaces
from companion.cards.wasteland.types import Asks, Does, StepKind
from companion.cards.wasteland.words import Faction, TileBack

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from companion.cards.source import Source
    from companion.cards.wasteland.types import Effect, Instruction, QuestCard, Scenario, WastelandPack

FACTIONS = frozenset(one.value for one in Faction)


class Lead(NamedTuple):
    """Where something is asked for: table, its id or number, the part within; what is missing, and what would do."""

    key: str
    named: object
    part: tuple[str | int, ...]
    found: str
    expected: str


FILES = {
    "quest": "quests.toml",
    "encounter": "encounters.toml",
    "card": "cards.toml",
    "perk": "perks.toml",
    "scenario": "scenarios.toml",
    "tile": "tiles.toml",
}


def check_leads(pack: WastelandPack, sources: Mapping[str, Source], faults: list[Fault]) -> None:
    """Note everything that is asked for and found nowhere; where blanks stand for what nobody entered, they are it."""
    if pack.box is not None:
        return
    there = Written(sources)
    for lead in chain(_spaces(pack, there), _tokens(pack, there), _decks(pack, there), _numbers(pack, there)):
        source = sources[FILES[lead.key]]
        line = source.line((lead.key, there.place(lead.key, lead.named), *lead.part))
        faults.append(Fault(source.file, line, str(lead.named), lead.found, lead.expected))


class Written:
    """What the files have, faulty or not."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources
        self.types = {str(one.get("type")) for one in self.rows("enemies.toml", "enemy")}
        self.backs = {str(one.get("back")) for one in self.rows("encounters.toml", "encounter")}
        self.decks = {str(one.get("deck")) for one in self.rows("cards.toml", "card")}
        self.quests = {one.get("number") for one in self.rows("quests.toml", "quest")}
        self.encounters = {one.get("number") for one in self.rows("encounters.toml", "encounter")}
        tiles = sources.get("tiles.toml")
        self.spaces = dict(written_spaces(tiles)) if tiles is not None else {}
        self.tile_backs = {str(one.get("id")): str(one.get("back", "")) for one in self.rows("tiles.toml", "tile")}

    def rows(self, file: str, key: str) -> list[dict[str, object]]:
        source = self._sources.get(file)
        raw = source.data.get(key) if source is not None else None
        return [one for one in raw if isinstance(one, dict)] if isinstance(raw, list) else []

    def place(self, key: str, named: object) -> int:
        """Return which of the tables a record is."""
        rows = self.rows(FILES[key], key)
        return next((nth for nth, one in enumerate(rows) if named in (one.get("id"), one.get("number"))), 0)


# --- spaces -----------------------------------------------------------------------------------------------------------


def _spaces(pack: WastelandPack, there: Written) -> Iterator[Lead]:
    """Compare the spaces of quests with those of the scenarios in which they may be staged."""
    known = {sheet.id: _spaces_of(sheet, there) for sheet in pack.scenarios}
    staged = {sheet.id: _staged(sheet.opening_quests, pack.quests) for sheet in pack.scenarios}
    for quest in pack.quests:
        sheets = [sheet for sheet, numbers in staged.items() if quest.number in numbers]
        for nth, objective in enumerate(quest.objectives):
            for space in (one.word for one in objective.requires if one.asks is Asks.SPACE):
                missing = [one for one in sheets or known if not _has(known[one], space)]
                if missing and (sheets or len(missing) == len(known)):
                    where = f"a space of the map of {', '.join(missing)}"
                    yield Lead("quest", quest.number, ("objective", nth, "requires"), f"space {space}", where)


def _spaces_of(sheet: Scenario, there: Written) -> Collection[str] | None:
    """Return the spaces that a scenario may show; None without a map, where any name may be told by hand."""
    if not sheet.layout:
        return None
    laid = {one.tile for one in sheet.layout}
    backs = {one.back.value for one in sheet.layout if isinstance(one.back, TileBack)}
    may_lie = (tile for tile, back in there.tile_backs.items() if tile in laid or back in backs)
    return {space for tile in may_lie for space in there.spaces.get(tile, ())}


def _has(known: Collection[str] | None, space: str) -> bool:
    return known is None or space in known


def _staged(opening: Iterable[int], quests: Iterable[QuestCard]) -> set[int]:
    """Return the quests that a scenario opens with, and those that they stage one after the other."""
    by_number = {quest.number: quest for quest in quests}
    found, left = set(opening), list(opening)
    while left:
        quest = by_number.get(left.pop())
        objectives = () if quest is None else quest.objectives
        effects = [*(quest.on_stage if quest else ()), *(one for each in objectives for one in each.results)]
        new = {one.amount.number for one in effects if one.does is Does.STAGE} - found
        found |= new
        left += new
    return found


# --- enemy tokens -----------------------------------------------------------------------------------------------------


def _tokens(pack: WastelandPack, there: Written) -> Iterator[Lead]:
    """Note enemies that are placed, drawn or printed on a tile, of a type that has no token."""
    for sheet in pack.scenarios:
        for placed in sheet.enemies:
            if placed.type.value not in there.types | FACTIONS:
                yield _no_token("scenario", sheet.id, ("enemies",), placed.type.value)
    for tile in pack.tiles:
        for nth, space in enumerate(tile.spaces):
            for enemy in space.enemies:
                if enemy is not None and enemy.value not in there.types:
                    yield _no_token("tile", tile.id, ("space", nth, "enemies"), enemy.value)
    for key, named, part, step in _steps(pack):
        if step.kind is StepKind.DRAW_AND_FIGHT and step.word not in there.types | FACTIONS:
            yield _no_token(key, named, part, step.word)


def _no_token(key: str, named: object, part: tuple[str | int, ...], kind: str) -> Lead:
    return Lead(key, named, part, f"enemy {kind}", "a type with a token in enemies.toml")


def _steps(pack: WastelandPack) -> Iterator[tuple[str, object, tuple[str | int, ...], Instruction]]:
    for quest in pack.quests:
        for nth, objective in enumerate(quest.objectives):
            yield from (("quest", quest.number, ("objective", nth, "steps"), step) for step in objective.steps)
    for card in pack.encounters:
        for nth, option in enumerate(card.options):
            yield from (("encounter", card.id, ("option", nth, "steps"), step) for step in option.steps)


# --- decks and numbers ------------------------------------------------------------------------------------------------


def _decks(pack: WastelandPack, there: Written) -> Iterator[Lead]:
    """Note encounter icons and draws whose deck has no card; without any encounter all are read from the table."""
    for tile in pack.tiles if there.backs else ():
        for nth, space in enumerate(tile.spaces):
            if space.encounter is not None and space.encounter.value not in there.backs:
                found, expected = f"encounter {space.encounter}", "a deck with cards in encounters.toml"
                yield Lead("tile", tile.id, ("space", nth, "encounter"), found, expected)
    for key, named, part, effect in _effects(pack):
        if effect.does is Does.DRAW and effect.word in ("loot", "asset") and effect.word not in there.decks:
            yield Lead(key, named, part, f"draw {effect.word}", "a deck with cards in cards.toml")


def _numbers(pack: WastelandPack, there: Written) -> Iterator[Lead]:
    """Note numbers of the card library that no card has."""
    for key, named, part, effect in _effects(pack):
        number = effect.amount.number
        if effect.does is Does.STAGE and there.quests and number not in there.quests:
            yield Lead(key, named, part, f"stage {number}", "the number of a quest")
        if effect.does is Does.ADD and there.encounters and number not in there.encounters:
            yield Lead(key, named, part, f"add {number}", "the number of an encounter")


def _effects(pack: WastelandPack) -> Iterator[tuple[str, object, tuple[str | int, ...], Effect]]:
    for card in pack.cards:
        yield from (("card", card.id, ("effects",), one) for one in card.effects)
        yield from (("card", card.id, ("abilities",), one) for each in card.abilities for one in each.effects)
    for perk in pack.perks:
        yield from (("perk", perk.id, ("effects",), one) for one in perk.effects)
    for quest in pack.quests:
        yield from (("quest", quest.number, ("on_stage",), one) for one in quest.on_stage)
        for nth, objective in enumerate(quest.objectives):
            yield from (("quest", quest.number, ("objective", nth, "results"), one) for one in objective.results)
    for card_ in pack.encounters:
        for nth, option in enumerate(card_.options):
            for part, effects in (("succeed", option.succeed), ("fail", option.fail), ("results", option.results)):
                yield from (("encounter", card_.id, ("option", nth, part), one) for one in effects)
