"""One record of each kind: its fields taken and checked; None where one of them is at fault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards import fields as read
from companion.cards.fields import Fields
from companion.cards.wasteland import notation
from companion.cards.wasteland.types import (
    Agenda,
    Character,
    Encounter,
    EncounterArrow,
    Enemy,
    Objective,
    Perk,
    QuestCard,
    Scenario,
    WastelandCard,
)
from companion.cards.wasteland.words import Ability, Area, CardDeck, CardKind, EncounterIcon, EnemyType, Faction, Trait

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards.source import Source
    from companion.cards.wasteland.types import Effect, Instruction, TrackSpace

_COUNT: Final = read.whole(0, 99)
_EFFECTS: Final = notation.lines(notation.effect)
_CONDITIONS: Final = notation.lines(notation.condition)
_STEPS: Final = notation.lines(notation.step)
_NUMBER: Final = read.whole(1, 999)
_TWO: Final = 2


def _copies(fields: Fields) -> int:
    found = fields.maybe("count", _COUNT)
    return 1 if found is None else found


def _note(fields: Fields) -> str:
    return fields.maybe("note", read.text) or ""


def agenda(_source: Source, _number: int, fields: Fields) -> Agenda | None:
    name, card = fields.take("name", read.text), fields.take("id", read.card_id)
    players = fields.maybe("min_players", read.whole(1, 4))
    base = fields.maybe("base", read.whole(0, 9))
    faction = fields.maybe("faction", read.one_of(*Faction))
    activates = fields.take("activates", notation.lines(read.one_of(*EnemyType)))
    bonuses = fields.maybe("bonuses", notation.lines(notation.bonus))
    count, note = _copies(fields), _note(fields)
    if name is None or card is None or activates is None:
        return None
    base = 1 if base is None else base
    return Agenda(card, name, count, players or 1, base, faction, activates, bonuses or (), note)


def _level(raw: object) -> tuple[int, str]:
    if raw in ("X", "Y"):
        return 0, str(raw)
    return read.whole(0, 9)(raw), ""


def _two_abilities(raw: object) -> tuple[Ability, ...]:
    found = notation.lines(read.one_of(*Ability))(raw)
    if len(found) > _TWO:
        raise read.UnfitError("two abilities at most")
    return found


def enemy(_source: Source, _number: int, fields: Fields) -> Enemy | None:
    name, card = fields.take("name", read.text), fields.take("id", read.card_id)
    kind, level = fields.take("type", read.one_of(*EnemyType)), fields.take("level", _level)
    areas = fields.take("areas", notation.lines(read.one_of(*Area)))
    abilities = fields.maybe("abilities", _two_abilities) or ()
    count, note = _copies(fields), _note(fields)
    if name is None or card is None or kind is None or level is None or areas is None:
        return None
    return Enemy(card, name, count, kind, *level, frozenset(areas), frozenset(abilities), note)


def card(_source: Source, _number: int, fields: Fields) -> WastelandCard | None:
    name, card_id = fields.take("name", read.text), fields.take("id", read.card_id)
    deck, kind = fields.take("deck", read.one_of(*CardDeck)), fields.take("kind", read.one_of(*CardKind))
    price = read.whole(0, 99)
    cost, value = fields.maybe("cost", price), fields.maybe("value", price)
    unexhaust = fields.maybe("unexhaust_price", price)
    abilities = fields.maybe("abilities", notation.lines(notation.ability)) or ()
    effects = fields.maybe("effects", _EFFECTS) or ()
    letters = (fields.maybe("letters", notation.letters) or "") if kind in (CardKind.WEAPON, CardKind.APPAREL) else ""
    ranged = bool(fields.maybe("ranged", read.truth)) if kind is CardKind.WEAPON else False
    armor = fields.maybe("armor", read.whole(0, 9)) or 0
    companion = kind is CardKind.COMPANION
    stay = fields.maybe("stay_if", notation.condition) if companion else None
    recruit = fields.maybe("recruit_if", notation.condition) if companion else None
    count, note = _copies(fields), _note(fields)
    if name is None or card_id is None or deck is None or kind is None:
        return None
    return WastelandCard(
        card_id, name, count, deck, kind, cost, value, letters, ranged, armor, abilities, effects, unexhaust, stay,
        recruit, note,
    )  # fmt: skip


def perk(_source: Source, _number: int, fields: Fields) -> Perk | None:
    name, card_id = fields.take("name", read.text), fields.take("id", read.card_id)
    letters, effects = fields.take("letters", notation.letters), fields.take("effects", _EFFECTS)
    inside = fields.maybe("inside_action", read.truth)
    count, note = _copies(fields), _note(fields)
    if name is None or card_id is None or letters is None or effects is None:
        return None
    return Perk(card_id, name, count, letters, effects, bool(inside), note)


def _parts(source: Source, key: str, number: int, part: str, fields: Fields) -> list[Fields]:
    """Read the tables inside a record, such as the objectives of a quest; one that is open may have none yet."""
    unfinished = fields.table.fields.get("open")
    raw = (fields.maybe if unfinished and unfinished.raw is True else fields.take)(part, _tables)
    return [Fields(source.table(key, number, part, one), fields.card, fields.faults) for one in range(len(raw or ()))]


def _tables(raw: object) -> list[object]:
    if not isinstance(raw, list) or not raw or not all(isinstance(one, dict) for one in raw):
        raise read.UnfitError("tables")
    return raw


def quest(source: Source, number: int, fields: Fields) -> QuestCard | None:
    named, name = fields.take("number", _NUMBER), fields.take("name", read.text)
    on_stage, marker = fields.maybe("on_stage", _EFFECTS), fields.maybe("marker", read.truth)
    objectives = [_objective(part) for part in _parts(source, "quest", number, "objective", fields)]
    note, more = _note(fields), fields.maybe("open", read.truth)
    if named is None or name is None:
        return None
    return QuestCard(named, name, on_stage or (), bool(marker), tuple(objectives), note, bool(more))


def _objective(fields: Fields) -> Objective:
    triggered, when = fields.maybe("triggered", read.truth), fields.maybe("when", read.text)
    requires, steps = fields.maybe("requires", _CONDITIONS), fields.maybe("steps", _STEPS)
    results = fields.take("results", _EFFECTS)
    fields.finish()
    return Objective(bool(triggered), when or "", requires or (), steps or (), results or ())


def encounter(source: Source, number: int, fields: Fields) -> Encounter | None:
    card_id, name = fields.take("id", read.card_id), fields.take("name", read.text)
    back, library = fields.take("back", read.one_of(*EncounterIcon)), fields.maybe("number", _NUMBER)
    options = [_option(part) for part in _parts(source, "encounter", number, "option", fields)]
    note, more = _note(fields), fields.maybe("open", read.truth)
    if card_id is None or name is None or back is None:
        return None
    return Encounter(card_id, name, library or 0, back, tuple(options), note, bool(more))


def _option(fields: Fields) -> EncounterArrow:
    requires, forced = fields.maybe("requires", _CONDITIONS), fields.maybe("forced_if", notation.condition)
    steps: tuple[Instruction, ...] = fields.maybe("steps", _STEPS) or ()
    succeed: tuple[Effect, ...]
    succeed, fail, results = (fields.maybe(key, _EFFECTS) or () for key in ("succeed", "fail", "results"))
    text = fields.maybe("text", read.text) or ""
    fields.finish()
    return EncounterArrow(requires or (), forced, steps, succeed, fail, results, text)


def character(_source: Source, _number: int, fields: Fields) -> Character | None:
    card_id, name = fields.take("id", read.card_id), fields.take("name", read.text)
    unfinished = bool(fields.maybe("open", read.truth))
    letter = (fields.maybe if unfinished else fields.take)("letter", notation.letters)
    hp_max = fields.maybe("hp_max", read.whole(1, 30))
    start_card = fields.maybe("start_card", read.card_id)
    traits = fields.maybe("start_traits", notation.lines(read.one_of(*Trait)))
    locked = fields.maybe("locked_traits", notation.lines(read.one_of(*(traits or Trait)))) or ()
    note = _note(fields)
    if card_id is None or name is None or (letter is None and not unfinished):
        return None
    return Character(
        card_id, name, letter[0] if letter else "", hp_max or 0, start_card or "", traits or (), note, locked
    )


def scenario(_source: Source, _number: int, fields: Fields) -> Scenario | None:
    card_id, name = fields.take("id", read.card_id), fields.take("name", read.text)
    star, shield = fields.take("star", read.text), fields.take("shield", read.text)
    track = fields.take("track", _track)
    quests = fields.maybe("opening_quests", notation.lines(_NUMBER))
    spaces_of: Callable[[object], tuple[str, ...]] = notation.lines(notation.space)
    layout = fields.maybe("layout", notation.lines(notation.tile_place)) or ()
    start_tile = fields.take("start_tile", notation.space) if "layout" in fields.table.fields else None
    start: tuple[str, ...] | None = ()
    spaces: tuple[str, ...] | None = ()
    if start_tile is None:
        start, spaces = fields.take("start_spaces", spaces_of), fields.maybe("spaces", spaces_of)
    enemies = fields.maybe("enemies", notation.lines(notation.placed))
    notes = fields.maybe("setup_notes", notation.lines(read.text))
    tokens = (fields.maybe("star_tokens", read.text) or "", fields.maybe("shield_tokens", read.text) or "")
    if card_id is None or name is None or star is None or shield is None or track is None:
        return None
    if not start and not start_tile:
        return None
    return Scenario(
        card_id, name, (star, shield), track, quests or (), start or (), spaces or (), enemies or (), notes or (),
        layout, start_tile or "", tokens,
    )  # fmt: skip


def _track(raw: object) -> tuple[TrackSpace, ...]:
    spaces = notation.lines(notation.track_space)(raw)
    if len(spaces) < _TWO:
        raise read.UnfitError("two spaces at least")
    return spaces
