"""Moves as values: one text form (JSON) that reads back equal, a public form without secrets, readers of the fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar, cast

from companion.cards.fields import UnfitError
from companion.cards.wasteland import notation
from companion.cards.wasteland.notation import face_name
from companion.cards.wasteland.words import EncounterIcon, EnemyType
from companion.games import fields
from companion.games.fields import malformed
from companion.games.json_types import MoveJson
from companion.games.wasteland.box import COLOUR_NUMBER, COLOURS, NOBODY
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import StrEnum

    from companion.cards.wasteland.types import DieFace, Effect, PlacedEnemy


if TYPE_CHECKING:
    Word = TypeVar("Word", bound=StrEnum)

Value = TypeVar("Value")
HIGHEST = 999
DICE = 3


class Goods(NamedTuple):
    """One side of a trade: cards by id, agendas by their place in the hand, Caps."""

    cards: tuple[str, ...] = ()
    agendas: tuple[int, ...] = ()
    caps: int = 0


def number(raw: object, field: str) -> int:
    """Read a number from 1 on, as on a list or a card."""
    return fields.whole(raw, field, 1, 10**6)


def level(raw: object, field: str) -> int:
    """Read a small number from 0 on."""
    return fields.whole(raw, field, 0, HIGHEST)


def colour(raw: object, field: str) -> int:
    if not isinstance(raw, str) or raw not in COLOUR_NUMBER:
        raise fields.malformed(field, raw, "one of " + ", ".join(COLOURS))
    return COLOUR_NUMBER[raw]


def _noted(raw: object, field: str, read: Callable[[object], Value]) -> Value:
    """Read something in the notation of the cards."""
    try:
        return read(raw)
    except UnfitError as unfit:
        raise fields.malformed(field, unfit.found or raw, unfit.expected) from unfit


def results(raw: object, field: str) -> tuple[Effect, ...]:
    """Read results as they are printed: xp 2, caps 3."""
    return _noted(raw, field, notation.lines(notation.effect))


def letters(raw: object, field: str) -> str:
    """Read letters of S.P.E.C.I.A.L."""
    return _noted(raw, field, notation.letters)


def throw(raw: object, field: str) -> tuple[DieFace, ...]:
    """Read dice as they lie, their faces in the notation of the cards."""
    faces = _noted(raw, field, notation.lines(notation.face))
    if not 1 <= len(faces) <= DICE:
        raise fields.malformed(field, raw, "one to three faces")
    return faces


def enemy_icons(raw: object, field: str) -> tuple[PlacedEnemy, ...]:
    return _noted(raw, field, notation.lines(notation.placed))


def placings(raw: object, field: str) -> dict[int, str]:
    """Read spaces by the numbers of enemies."""
    found = {}
    for key, at in fields.an_object(raw, field).items():
        if not key.isdecimal() or len(key) > DICE * 2:
            raise fields.malformed(field, key, "the number of an enemy")
        found[int(key)] = fields.text(at, field)
    return found


def terrain(raw: object, field: str) -> frozenset[str]:
    """Read what the entered space is like (W-MAP-2, W-MAP-3)."""
    kinds = frozenset(fields.texts(raw, field))
    if kinds - {"difficult", "irradiated"}:
        raise fields.malformed(field, raw, "difficult, irradiated or both")
    return kinds


def _one_of(choices: type[Word], raw: object, field: str) -> Word:
    for choice in choices:
        if raw == choice.value:
            return choice
    raise fields.malformed(field, raw, "one of " + ", ".join(choices))


def icon(raw: object, field: str) -> EncounterIcon:
    return _one_of(EncounterIcon, raw, field)


def enemy_type(raw: object, field: str) -> EnemyType:
    return _one_of(EnemyType, raw, field)


def goods(raw: object, field: str) -> Goods:
    found = fields.an_object(raw, field)
    if set(found) - {"cards", "agendas", "caps"}:
        raise fields.malformed(field, raw, "cards, agendas and caps")
    places = [number(one, f"{field}.agendas") for one in fields.a_list(found.get("agendas", []), f"{field}.agendas")]
    return Goods(
        tuple(fields.texts(found.get("cards", []), f"{field}.cards")),
        tuple(places),
        fields.whole(found.get("caps", 0), f"{field}.caps", 0, HIGHEST),
    )


Value_co = TypeVar("Value_co", covariant=True)
Other = TypeVar("Other")


class MoveField(NamedTuple, Generic[Value_co]):
    """A field of a move: its key, and how it is read."""

    key: str
    read: Callable[[object, str], Value_co]


OPTION: Final = MoveField("option", fields.text)
ID: Final = MoveField("id", number)
TO_SPACE: Final = MoveField("to", fields.text)
TO_PLAYER: Final = MoveField("to", colour)
TERRAIN: Final = MoveField("terrain", terrain)
ENEMIES: Final = MoveField("enemies", enemy_icons)
PLACED: Final = MoveField("placed", placings)
PLACE: Final = MoveField("place", number)
ICON: Final = MoveField("icon", icon)
LEVEL: Final = MoveField("level", level)
ENEMY: Final = MoveField("enemy", number)
QUEST: Final = MoveField("quest", number)
OBJECTIVE: Final = MoveField("objective", number)
CARD: Final = MoveField("card", fields.text)
AGENDA: Final = MoveField("agenda", number)
GIVE: Final = MoveField("give", goods)
TAKE: Final = MoveField("take", goods)
COUNT: Final = MoveField("count", level)
TYPE: Final = MoveField("type", enemy_type)
AT: Final = MoveField("at", fields.text)
FACEDOWN: Final = MoveField("facedown", fields.flag)
ALL: Final = MoveField("all", fields.flag)
RESULTS: Final = MoveField("results", results)
LETTERS: Final = MoveField("letters", letters)
DIFFICULTY: Final = MoveField("difficulty", level)
SET: Final = MoveField("set", fields.an_object)
KIND: Final = MoveField("kind", fields.text)
RECORD: Final = MoveField("record", fields.an_object)


class MoveFields:
    def __init__(self, *needed: MoveField[object], besides: tuple[MoveField[object], ...] = ()) -> None:
        self.needed = frozenset(field.key for field in needed)
        self.by_key = {field.key: field for field in (*needed, *besides)}


KINDS: Final[Mapping[str, MoveFields]] = {
    "choose": MoveFields(OPTION, besides=(ID,)),
    "end": MoveFields(),
    "move": MoveFields(),
    "step": MoveFields(TO_SPACE, besides=(TERRAIN,)),
    "walk": MoveFields(TO_SPACE),
    "explore": MoveFields(besides=(PLACE, ENEMIES, PLACED)),
    "encounter": MoveFields(ICON, besides=(LEVEL,)),
    "fight": MoveFields(ENEMY),
    "quest": MoveFields(QUEST, OBJECTIVE),
    "trigger": MoveFields(QUEST, OBJECTIVE),
    "camp": MoveFields(besides=(ALL,)),
    "equip": MoveFields(CARD),
    "unequip": MoveFields(CARD),
    "loyalty": MoveFields(besides=(AGENDA,)),
    "perk": MoveFields(CARD),
    "use": MoveFields(CARD),
    "offer": MoveFields(TO_PLAYER, besides=(GIVE, TAKE)),
    "show": MoveFields(TO_PLAYER, AGENDA),
    "answer": MoveFields(AGENDA, COUNT),
    "claim": MoveFields(),
    "reveal": MoveFields(),
    "enemy": MoveFields(TYPE, besides=(AT, FACEDOWN)),
    "result": MoveFields(RESULTS, besides=(LEVEL,)),
    "test": MoveFields(LETTERS, DIFFICULTY),
    "draw-fight": MoveFields(TYPE),
    "learn": MoveFields(KIND, RECORD),
    "correct": MoveFields(SET),
}
DOES: Final = tuple(KINDS)
_NOBODY_NEEDED: Final = frozenset({"reveal", "enemy", "correct", "choose", "learn"})
_ANY_MOVE: Final = frozenset({"do", "by", "dice", "drawn", "if_version"})
_SECRET: Final = frozenset({"answer", "show"})


class WastelandMoveJson(MoveJson, total=False):
    """A move as JSON; which fields it has, `KINDS` says."""

    by: str
    drawn: list[str] | int
    set: dict[str, object]
    to: str
    terrain: list[str]
    enemies: list[str]
    place: int
    placed: dict[str, str]
    icon: str
    level: int
    enemy: int
    quest: int
    objective: int
    card: str
    agenda: int
    give: dict[str, object]
    take: dict[str, object]
    count: int
    type: str
    at: str
    facedown: bool
    all: bool
    results: list[str]
    letters: str
    difficulty: int
    kind: str
    record: dict[str, object]


class WastelandMove:
    """One move. `args` holds its fields as they were written."""

    __slots__ = ("args", "by", "dice", "do", "drawn")

    def __init__(self, do: str, by: int = NOBODY, **args: object) -> None:
        self.do = do
        self.by = by
        self.args = args
        self.dice: tuple[tuple[DieFace, ...], ...] = ()
        self.drawn: tuple[str, ...] = ()
        for key, value in args.items():
            KINDS[do].by_key[key].read(value, key)

    def __getitem__(self, field: MoveField[Value_co]) -> Value_co:
        return field.read(self.args[field.key], field.key)

    def get(self, field: MoveField[Value_co], otherwise: Other) -> Value_co | Other:
        """Return a field, or something else where the move does not name it."""
        return self[field] if field.key in self.args else otherwise

    def as_json(self) -> WastelandMoveJson:
        move: dict[str, object] = {"do": self.do}
        if self.by != NOBODY:
            move["by"] = COLOURS[self.by]
        move.update(self.args)
        if self.dice:
            move["dice"] = [[face_name(face) for face in throw] for throw in self.dice]
        if self.drawn:
            move["drawn"] = list(self.drawn)
        return cast("WastelandMoveJson", move)  # the fields have been read when it was made

    def public(self) -> WastelandMoveJson:
        """Return the move as everybody may see it: without told cards, answers and hands."""
        move = self.as_json()
        if "drawn" in move:
            move["drawn"] = len(self.drawn)
        if self.do in _SECRET:
            return {"do": self.do, "by": move["by"]}
        if self.do == "correct":
            move["set"] = _without_hands(move["set"])
        return move

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WastelandMove) and self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash((self.do, self.by, str(sorted(self.args.items(), key=str))))

    def __repr__(self) -> str:
        return f"Move({self.public()})"


def _without_hands(change: Mapping[str, object]) -> dict[str, object]:
    players = change.get("players")
    return {**change, "players": _open_parts(players)} if isinstance(players, dict) else {**change}


def _open_parts(players: dict[str, object]) -> dict[str, object]:
    secret = ("hand", "answers", "revealed")
    return {
        name: {key: value for key, value in board.items() if key not in secret} if isinstance(board, dict) else board
        for name, board in players.items()
    }


def read(raw: object) -> WastelandMove:
    """Return a move from JSON, or refuse it and name the field."""
    if not isinstance(raw, dict):
        raise malformed("move", raw, "an object")
    do = raw.get("do")
    if not isinstance(do, str) or do not in KINDS:
        raise malformed("do", do, "one of " + ", ".join(DOES))
    kind = KINDS[do]
    for key in raw:
        if key not in kind.by_key and key not in _ANY_MOVE:
            raise malformed(str(key)[:60], key, f"a field of {do}")
    for key in kind.by_key:
        if key in kind.needed and raw.get(key) is None:
            raise malformed(key, None, f"a field of {do}")
    by = NOBODY if do in _NOBODY_NEEDED and raw.get("by") is None else colour(raw.get("by"), "by")
    move = WastelandMove(do, by, **{key: raw[key] for key in kind.by_key if raw.get(key) is not None})
    move.dice = tuple(throw(one, "dice") for one in fields.a_list(raw.get("dice", []), "dice"))
    move.drawn = tuple(fields.text(one, "drawn") for one in fields.a_list(raw.get("drawn", []), "drawn"))
    return move


def choose(by: int, option: str) -> WastelandMove:
    return WastelandMove("choose", by, option=option)


def refuse_unless_playing(seats: tuple[int, ...], seat: int, field: str = "by") -> None:
    if seat not in seats:
        who = "nobody" if seat == NOBODY else COLOURS[seat]
        raise Refusal("not_playing", "W-TURN-10", f"{who} is not playing.", field=field)
