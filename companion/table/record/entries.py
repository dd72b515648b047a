"""Entries of the record as values, and what can be wrong with them: named, never repaired behind anybody's back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from sys import intern
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, NotRequired, TypedDict

from companion.canonical import NO_HASH, hash_of, is_writable, opened, sealed, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.cards.loader import PackJson
    from companion.fair.promise import PromiseJson
    from companion.games.json_types import MoveJson
    from companion.games.timeline import ChanceJson

FIXED: Final = frozenset({"game", "nth", "before", "kind"})
"""What every entry has; the rest depends on its kind."""


EntryKind = Literal["game", "move", "undo", "redo", "cards", "frozen", "ignored", "bot", "number", "resumed", "aside"]


class CampaignJson(TypedDict):
    """Which evening of a campaign a game is; `run` is the game that the campaign began with, empty in that game."""

    id: str
    run: str
    evening: int


class GameBody(TypedDict):
    """`game`: a new game and all that it is made of."""

    plays: str
    rules: int
    pack: PackJson
    setup: Mapping[str, object]
    seed: str
    """Where chance is promised, the secret behind the promise."""
    fair: NotRequired[PromiseJson]
    campaign: NotRequired[CampaignJson]
    chance: ChanceJson


class MoveBody(TypedDict):
    """`move`: a move of the rules."""

    move: MoveJson
    chance: NotRequired[ChanceJson]
    by: NotRequired[str]
    """Who said it: a seat, the host, the camera, a bot."""


class UndoBody(TypedDict):
    """`undo`: back by one move, or to the position after an entry."""

    to: NotRequired[int]


class CardsBody(TypedDict):
    """`cards`: on with corrected cards."""

    pack: PackJson


class FrozenJson(TypedDict):
    """What lies where while a game is put away."""

    phase: str
    pieces: Sequence[Mapping[str, str | None]]
    boards: Mapping[str, Mapping[str, object]]
    photo: str | None


class FrozenBody(TypedDict):
    """`frozen`: put away, or (None) taken up again."""

    frozen: FrozenJson | None


class IgnoredBody(TypedDict):
    """`ignored`: the key of a difference that nobody wants to hear of."""

    difference: str


class BotBody(TypedDict):
    """`bot`: who plays a seat from now on; None: people."""

    seat: str
    character: str | None


class NumberBody(TypedDict):
    """`number`: the phone of a seat has added a number to the chance of everything that is not made yet."""

    by: str
    number: str


class AsideBody(TypedDict):
    """`aside`: this entry and all from `since` on are set aside."""

    since: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of one game: the nth, its kind, and the text that was hashed."""

    game: str
    nth: int
    before: str
    kind: str
    text: str
    hash: str

    @property
    def body(self) -> dict[str, Any]:
        """Return what belongs to the kind, parsed anew: parsed, it takes ten times the room of the text."""
        return {key: value for key, value in json.loads(self.text).items() if key not in FIXED}

    @property
    def line(self) -> str:
        return sealed(self.text, self.hash)


class Placed(NamedTuple):
    """An entry whose hash is its own, and where it stood in its copy: the row or the line, counted from nought."""

    at: int
    entry: Entry


def written(game: str, nth: int, before: str, kind: str, body: Mapping[str, object]) -> Entry:
    """Return a new entry behind another."""
    text = text_of({**body, "game": game, "nth": nth, "before": before, "kind": kind})
    return Entry(game, nth, before, kind, text, hash_of(text))


def read_text(text: str, hash_: str) -> Entry | None:
    """Return the entry of a text, if the hash is the text's and the text is an entry's."""
    if hash_of(text) != hash_:
        return None
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict) or not set(raw) >= FIXED:
        return None
    if "\\u" in text and not is_writable(raw):  # half a character: no companion has written that
        return None
    game, nth, before, kind = raw["game"], raw["nth"], raw["before"], raw["kind"]
    if not isinstance(game, str) or type(nth) is not int or not isinstance(before, str) or not isinstance(kind, str):
        return None
    return Entry(game, nth, before, intern(kind), text, hash_)


def read_line(line: str) -> Entry | None:
    """Return the entry of a journal's line, if it verifies."""
    parts = opened(line)
    return None if parts is None else read_text(*parts)


class LastEntry(NamedTuple):
    """The end of a game: all that is needed to tell whether an entry stands behind it."""

    game: str
    nth: int
    hash: str


def follows(entry: Entry, last: Entry | LastEntry | None) -> bool:
    """Whether an entry stands directly behind another, or begins a game."""
    if last is None:
        return entry.nth == 0 and entry.before == NO_HASH and entry.kind == "game"
    return entry.nth == last.nth + 1 and entry.before == last.hash and entry.game == last.game


class DamageJson(TypedDict):
    file: str
    what: str
    message: str
    game: str | None
    nth: int | None
    harmless: bool


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is wrong: in which file, what, and from which entry of which game on."""

    file: str
    what: str
    message: str
    game: str | None = None
    nth: int | None = None
    harmless: bool = False
    """Whether the record is whole without what is damaged."""

    def __str__(self) -> str:
        place = "" if self.game is None else f" (game {self.game}, entry {self.nth})"
        return f"{self.file}: {self.message}{place}"

    def as_json(self) -> DamageJson:
        return {
            "file": self.file,
            "what": self.what,
            "message": self.message,
            "game": self.game,
            "nth": self.nth,
            "harmless": self.harmless,
        }


class RecordError(Exception):
    """Something about the record that a person can do something about."""


class RecordInUseError(RecordError):
    """Another companion writes to this record."""


class RecordDamagedError(RecordError):
    """The record does not verify; nothing is added to it until somebody has decided."""


class NotRecordedError(RecordError):
    """An entry did not get onto the disk, so what it tells has not happened."""


def cannot_be_written(folder: Path, why: object) -> str:
    """Return what to tell a person, and what can be done: that nothing can be written is no damage."""
    return (
        f"The record in {folder} cannot be written ({why}), and a table writes down every move. Nothing of it is lost:"
        f" companion games, replay, export and backup read it as it is. To play, make the folder and its files"
        f" writable for this user, or name another folder with --data."
    )
