"""One line for an effect, a condition, a step, a bonus, an ability or a face: read, or unfit."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, TypeVar

from companion.cards.fields import UnfitError
from companion.cards.wasteland.types import (
    Amount,
    Asks,
    Bonus,
    CardAbility,
    Condition,
    DieFace,
    Does,
    Effect,
    Instruction,
    PlacedEnemy,
    StepKind,
    TilePlace,
    TrackSpace,
)
from companion.cards.wasteland.words import (
    LETTERS,
    Area,
    CardKind,
    EncounterIcon,
    EnemyType,
    Faction,
    Price,
    TileBack,
    Timing,
    Trait,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import StrEnum

    Word = TypeVar("Word", bound=StrEnum)

Value = TypeVar("Value")

_AMOUNT: Final = re.compile(r"(?P<level>LEVEL)?(?P<number>[+-]?[0-9]{1,3})?")
_FACE: Final = re.compile(r"(?P<areas>h?b?a?l?)(?P<hits>[0-3])")
_RANGE: Final = re.compile(r"(?P<low>[0-9]{1,3})(-(?P<high>[0-9]{1,3}))?")
_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_AREA_OF: Final = {"h": Area.HEAD, "b": Area.BODY, "a": Area.ARMS, "l": Area.LEGS}
_TILE_PLACE: Final = re.compile(r"(?P<tile>\S+) at (?P<column>[0-9]{1,2}) (?P<row>[0-9]{1,2})")
_PLACED_TILE: Final = "a tile, or a back, and its column and row (old-mill at 2 1, dangerous at 0 3)"
_ENCOUNTER: Final = "an encounter icon and its level (settlement 2)"
_ENEMY_ICON: Final = "critter, human, robot, monster, super-mutant or random"
_PLAIN: Final = frozenset({Does.TRASH})
_DRAWN: Final = ("agenda", "loot", "asset")
_SIGNED: Final = frozenset({Does.CAPS, Does.RADS, Does.HIT})
_ABOUT_TRAITS: Final = frozenset({Does.BECOME, Does.LOSE, Does.LOCK})
_ABOUT_TOKENS: Final = frozenset({Does.LAY, Does.TAKE})
_EFFECT: Final = "a result (xp 2, caps -1, draw loot 2, become vilified, power star 1, manual ...)"
_CONDITION: Final = "a condition (trait idolized, letter S, caps 5-9, equipped companion, manual ...)"
_STEP: Final = "a step (test CI 3, draw-and-fight critter, pay 2, manual ...)"


def line(read: Callable[[str], Value], expected: str) -> Callable[[object], Value]:
    """Return a reader of one line."""

    def of(raw: object) -> Value:
        if not isinstance(raw, str) or not raw.strip() or not raw.isprintable():
            raise UnfitError(expected)
        return read(raw.strip())

    return of


def lines(read: Callable[[object], Value]) -> Callable[[object], tuple[Value, ...]]:
    """Return a reader of a list, which tells what is wrong with an entry by its number."""

    def of(raw: object) -> tuple[Value, ...]:
        if not isinstance(raw, list):
            raise UnfitError("a list")
        found = []
        for number, entry in enumerate(raw, 1):
            try:
                found.append(read(entry))
            except UnfitError as unfit:
                raise UnfitError(unfit.expected, f"entry {number} ({str(entry)[:40]!r})") from unfit
        return tuple(found)

    return of


def word(choices: type[Word], text: str, expected: str) -> Word:
    """Return a reader of one of these words."""
    for choice in choices:
        if choice.value == text:
            return choice
    raise UnfitError(expected)


def space_id(text: str) -> str:
    """Return a space as the rules name it: small letters of any script, digits and single hyphens."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())
    kept = "".join(one if one.isalnum() or unicodedata.category(one)[0] == "M" else " " for one in folded)
    return "-".join(kept.split())


def space(raw: object) -> str:
    """Read a space that is written as the rules name it."""
    if not isinstance(raw, str) or not raw or space_id(raw) != raw:
        raise UnfitError("a space in small letters of any script, digits and single hyphens (old-mill)")
    return raw


def letters(raw: object) -> str:
    """Read S.P.E.C.I.A.L. letters, each once, in the order of the board."""
    if not isinstance(raw, str) or not raw or any(raw.count(one) != 1 or one not in LETTERS for one in raw):
        raise UnfitError("letters of SPECIAL, each once")
    return "".join(sorted(raw, key=LETTERS.index))


def _amount(text: str, expected: str) -> Amount:
    match = _AMOUNT.fullmatch(text)
    if not match or not text:
        raise UnfitError(expected)
    return Amount(int(match["number"] or 0), bool(match["level"]))


def _read_effect(text: str) -> Effect:
    first, _, rest = text.partition(" ")
    does = word(Does, first, _EFFECT)
    rest = rest.strip()
    if does is Does.MANUAL:
        return Effect(does, word=rest)
    if does in _PLAIN:
        if rest:
            raise UnfitError(f"nothing behind {first}")
        return Effect(does)
    if does in _ABOUT_TRAITS:
        return Effect(does, word=word(Trait, rest, f"a trait behind {first}").value)
    if does in _ABOUT_TOKENS:
        return Effect(does, word=_token(first, rest))
    if does is Does.UNIQUE:
        if not _ID.fullmatch(rest):
            raise UnfitError("the id of a unique asset behind unique")
        return Effect(does, word=rest)
    return _counted(does, rest.split())


def _token(first: str, rest: str) -> str:
    """Read a faction, and the space where it is not the survivor's own (star, shield market)."""
    faction, _, at = rest.partition(" ")
    kind = word(Faction, faction, f"star or shield behind {first}").value
    return f"{kind} {space(at)}" if at else kind


def _counted(does: Does, words: list[str]) -> Effect:
    about = ""
    if does is Does.DRAW:
        if not words or words[0] not in _DRAWN:
            raise UnfitError(f"one of {', '.join(_DRAWN)} behind draw")
        about, words = words[0], words[1:]
    elif does is Does.POWER:
        about = word(Faction, words[0] if words else "", "star or shield behind power").value
        words = words[1:]
    if len(words) > 1 or (not words and does not in (Does.DRAW, Does.POWER, Does.EXHAUST, Does.UNEXHAUST, Does.KILL)):
        raise UnfitError(f"one number behind {does}")
    amount = _amount(words[0], f"a number, LEVEL or LEVEL+1 behind {does}") if words else Amount()
    if amount.number < 0 and not amount.of_level and does not in _SIGNED:
        raise UnfitError(f"no minus behind {does}")
    return Effect(does, amount, about)


def _range(text: str, expected: str) -> tuple[int, int]:
    match = _RANGE.fullmatch(text)
    if not match:
        raise UnfitError(expected)
    return int(match["low"]), int(match["high"]) if match["high"] else 999


def _read_condition(text: str) -> Condition:
    first, _, rest = text.partition(" ")
    asks, rest = word(Asks, first, _CONDITION), rest.strip()
    match asks:
        case Asks.TRAIT | Asks.NOT:
            return Condition(asks, word(Trait, rest, f"a trait behind {first}").value)
        case Asks.LETTER:
            return Condition(asks, letters(rest))
        case Asks.LETTERS | Asks.CAPS | Asks.ARMOR | Asks.PERKS:
            return Condition(asks, "", *_range(rest, f"a number or a range (5-9) behind {first}"))
        case Asks.TOKEN:
            return Condition(asks, word(Faction, rest, f"star or shield behind {first}").value)
        case Asks.TOKENS:
            faction, _, number = rest.partition(" ")
            expected = f"star or shield and a number or a range behind {first}"
            return Condition(asks, word(Faction, faction, expected).value, *_range(number, expected))
        case Asks.HAS | Asks.EQUIPPED | Asks.COUNT:
            return Condition(asks, word(CardKind, rest, f"a kind of card behind {first}").value)
        case Asks.LEAD | Asks.WITH_SURVIVOR:
            if rest:
                raise UnfitError(f"nothing behind {first}")
            return Condition(asks)
        case Asks.SPACE | Asks.MANUAL:
            return Condition(asks, rest)


def _read_step(text: str) -> Instruction:
    first, *rest = text.split()
    kind = word(StepKind, first, _STEP)
    match kind, rest:
        case ((StepKind.TEST | StepKind.HELPER_TEST), [named, number]):
            return Instruction(kind, letters(named), _amount(number, f"a difficulty behind {first} {named}"))
        case ((StepKind.FIGHT | StepKind.DRAW_AND_FIGHT), [enemy]):
            return Instruction(kind, word=word(EnemyType, enemy, f"an enemy type behind {first}").value)
        case StepKind.PAY, [number]:
            return Instruction(kind, amount=_amount(number, "a number of Caps behind pay"))
        case StepKind.MANUAL, _:
            return Instruction(kind, word=" ".join(rest))
        case _:
            raise UnfitError(_STEP)


def _read_bonus(text: str) -> Bonus:
    number, colon, rest = text.partition(":")
    when, _, group = rest.partition("/")
    if not colon or not number.strip().isdecimal():
        raise UnfitError("influence, a colon and a condition (2: caps 10-14 /a)")
    return Bonus(int(number), _read_condition(when.strip()), group.strip())


def _read_ability(text: str) -> CardAbility:
    head, colon, rest = text.partition(":")
    expected = "timing, price and effects (own-turn, exhaust, caps 1: heal 2; xp 1)"
    first, *prices = (part.strip() for part in head.split(","))
    if not colon or not rest.strip():
        raise UnfitError(expected)
    timing, price, caps = word(Timing, first, expected), Price.NONE, 0
    for part in prices:
        if part.startswith("caps ") and part[5:].isdecimal():
            caps = int(part[5:])
        else:
            price = word(Price, part, expected)
    return CardAbility(timing, price, caps, tuple(_read_effect(one.strip()) for one in rest.split(";")))


def _read_face(text: str) -> DieFace:
    match = _FACE.fullmatch(text)
    if not match:
        raise UnfitError("a face: its filled areas out of h, b, a, l and its hits (hb1, 0)")
    return DieFace(frozenset(_AREA_OF[sign] for sign in match["areas"]), int(match["hits"]))


def face_name(face: DieFace) -> str:
    """Return the text of a face, which reads back equal."""
    return "".join(sign for sign, area in _AREA_OF.items() if area in face.areas) + str(face.hits)


def _read_placed(text: str) -> PlacedEnemy:
    kind, _, at = text.partition(" at ")
    if not at:
        raise UnfitError("an enemy type and a space (critter at old-mill)")
    return PlacedEnemy(word(EnemyType, kind, "an enemy type before at"), space(at))


def _read_tile_place(text: str) -> TilePlace:
    match = _TILE_PLACE.fullmatch(text)
    if not match:
        raise UnfitError(_PLACED_TILE)
    tile, at = match["tile"], (int(match["column"]), int(match["row"]))
    backs = [back for back in TileBack if back.value == tile]
    return TilePlace("", backs[0], *at) if backs else TilePlace(space(tile), None, *at)


def _read_encounter(text: str) -> tuple[EncounterIcon, int | None]:
    first, _, level = text.partition(" ")
    if level and not (level.isdecimal() and len(level) == 1):
        raise UnfitError(_ENCOUNTER)
    return word(EncounterIcon, first, _ENCOUNTER), int(level) if level else None


def _read_enemy_icon(text: str) -> EnemyType | None:
    """Read an enemy icon; a random one is None."""
    found = None if text == "random" else word(EnemyType, text, _ENEMY_ICON)
    if found in (EnemyType.STAR, EnemyType.SHIELD):
        raise UnfitError(_ENEMY_ICON)
    return found


def track_space(raw: object) -> TrackSpace:
    """Read a space of the power track: a table with X and Y."""
    expected = "a table with X and Y as numbers ({X = 1, Y = 2})"
    if not isinstance(raw, dict) or set(raw) - {"X", "Y"}:
        raise UnfitError(expected)
    x, y = raw.get("X", 0), raw.get("Y", 0)
    if not all(type(one) is int and 0 <= one <= 9 for one in (x, y)):  # noqa: PLR2004 - no enemy is above 9
        raise UnfitError(expected)
    return TrackSpace(int(x), int(y))


effect = line(_read_effect, _EFFECT)
condition = line(_read_condition, _CONDITION)
step = line(_read_step, _STEP)
bonus = line(_read_bonus, "a bonus (2: trait idolized)")
ability = line(_read_ability, "an ability (own-turn, exhaust: heal 2)")
face = line(_read_face, "a face (hb1)")
tile_place = line(_read_tile_place, _PLACED_TILE)
encounter_icon = line(_read_encounter, _ENCOUNTER)
enemy_icon = line(_read_enemy_icon, _ENEMY_ICON)
placed = line(_read_placed, "a placed enemy (critter at old-mill)")
