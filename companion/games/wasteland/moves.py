"""Moves as values: one text form (JSON) that reads back equal, and a public form without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.cards.wasteland.notation import face_name
from companion.games.wasteland import fields
from companion.games.wasteland.fields import malformed
from companion.games.wasteland.words import COLOURS, NOBODY
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.cards.wasteland.types import Face

Reader = tuple["Callable[[Any, str], Any]", bool]
"""How a field is read, and whether it must be there."""

_SPEC: Final[Mapping[str, Mapping[str, Reader]]] = {
    "choose": {"option": (fields.text, True), "id": (fields.number, False)},
    "end": {},
    "move": {},
    "step": {"to": (fields.text, True), "terrain": (fields.terrain, False)},
    "explore": {"enemies": (fields.enemy_icons, False), "placed": (fields.placings, False)},
    "encounter": {"icon": (fields.icon, True), "level": (fields.level, False)},
    "fight": {"enemy": (fields.number, True)},
    "quest": {"quest": (fields.number, True), "objective": (fields.number, True)},
    "trigger": {"quest": (fields.number, True), "objective": (fields.number, True)},
    "camp": {},
    "equip": {"card": (fields.text, True)},
    "unequip": {"card": (fields.text, True)},
    "loyalty": {"agenda": (fields.number, False)},
    "perk": {"card": (fields.text, True)},
    "use": {"card": (fields.text, True)},
    "offer": {"to": (fields.colour, True), "give": (fields.goods, False), "take": (fields.goods, False)},
    "show": {"to": (fields.colour, True), "agenda": (fields.number, True)},
    "answer": {"agenda": (fields.number, True), "count": (fields.level, True)},
    "claim": {},
    "reveal": {},
    "enemy": {"type": (fields.enemy_type, True), "at": (fields.text, False), "facedown": (fields.flag, False)},
    "result": {"results": (fields.results, True), "level": (fields.level, False)},
    "test": {"letters": (fields.letters, True), "difficulty": (fields.level, True)},
    "draw-fight": {"type": (fields.enemy_type, True)},
    "correct": {"set": (fields.an_object, True)},
}
DOES: Final = tuple(_SPEC)
_NOBODY_NEEDED: Final = frozenset({"reveal", "enemy", "correct", "choose"})
_ANY_MOVE: Final = frozenset({"do", "by", "dice", "drawn", "if_version"})
_SECRET: Final = frozenset({"answer", "show"})


class WastelandMove:
    """One move. `args` holds its fields as they were written."""

    __slots__ = ("args", "by", "dice", "do", "drawn", "read")

    def __init__(self, do: str, by: int = NOBODY, **args: Any) -> None:
        self.do = do
        self.by = by
        self.args: dict[str, Any] = args
        self.read: dict[str, Any] = {}
        self.dice: tuple[tuple[Face, ...], ...] = ()
        self.drawn: tuple[str, ...] = ()
        for key, value in args.items():
            self.read[key] = _SPEC[do][key][0](value, key)

    def get(self, key: str, otherwise: Any = None) -> Any:
        """A field as the rules read it."""
        return self.read.get(key, otherwise)

    def as_json(self) -> dict[str, Any]:
        """The move in the shape of its documentation."""
        move: dict[str, Any] = {"do": self.do}
        if self.by != NOBODY:
            move["by"] = COLOURS[self.by]
        move.update(self.args)
        if self.dice:
            move["dice"] = [[face_name(face) for face in throw] for throw in self.dice]
        if self.drawn:
            move["drawn"] = list(self.drawn)
        return move

    def public(self) -> dict[str, Any]:
        """The move as everybody may see it: without told cards, answers and hands."""
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


def _without_hands(change: dict[str, Any]) -> dict[str, Any]:
    players = change.get("players")
    if not isinstance(players, dict):
        return change
    shown = {
        name: {key: value for key, value in board.items() if key not in ("hand", "answers", "revealed")}
        if isinstance(board, dict)
        else board
        for name, board in players.items()
    }
    return {**change, "players": shown}


def read(raw: object) -> WastelandMove:
    """A move from JSON, or a refusal that names the field."""
    if not isinstance(raw, dict):
        raise malformed("move", raw, "an object")
    do = raw.get("do")
    if not isinstance(do, str) or do not in _SPEC:
        raise malformed("do", do, "one of " + ", ".join(DOES))
    spec = _SPEC[do]
    for key in raw:
        if key not in spec and key not in _ANY_MOVE:
            raise malformed(str(key)[:60], key, f"a field of {do}")
    for key, (_, needed) in spec.items():
        if needed and raw.get(key) is None:
            raise malformed(key, None, f"a field of {do}")
    by = NOBODY if do in _NOBODY_NEEDED and raw.get("by") is None else fields.colour(raw.get("by"), "by")
    move = WastelandMove(do, by, **{key: raw[key] for key in spec if raw.get(key) is not None})
    move.dice = tuple(fields.throw(one, "dice") for one in fields.a_list(raw.get("dice", []), "dice"))
    move.drawn = tuple(fields.text(one, "drawn") for one in fields.a_list(raw.get("drawn", []), "drawn"))
    return move


def choose(by: int, option: str) -> WastelandMove:
    """An answer to the open choice."""
    return WastelandMove("choose", by, option=option)


def refuse_unless_playing(seats: tuple[int, ...], seat: int, field: str = "by") -> None:
    """Only who plays has a seat."""
    if seat not in seats:
        who = "nobody" if seat == NOBODY else COLOURS[seat]
        raise Refusal("not_playing", "W-TURN-10", f"{who} is not playing.", field=field)
