"""What a game says in JSON: its moves, its events and what every game's state has."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, Required, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import ReadOnly  # mypy's own; nothing evaluates the annotations of a state

# What is read-only may be narrower in a game's own.


class MoveJson(TypedDict, total=False):
    """A move as the rules write it and the record holds it: `{"do": "roll", "by": "red"}`; a game adds its fields."""

    do: Required[ReadOnly[str]]
    by: ReadOnly[str | None]
    id: ReadOnly[int]
    """The choice that it answers; without one, the first that is open to `by`."""
    option: ReadOnly[str]
    space: ReadOnly[str]
    dwellers: ReadOnly[Sequence[str]]
    use: ReadOnly[Sequence[str]]
    """Items that help."""
    item: ReadOnly[str]
    set: ReadOnly[Mapping[str, object]]
    """What a correction changes, in the shape of the state."""
    dice: ReadOnly[Sequence[Sequence[int | str]]]
    """What was thrown on the real table, numbers or the names of faces."""
    drawn: ReadOnly[Sequence[str] | int]
    """The cards that were drawn from real decks; how many, where they are secret."""


class RelayJson(TypedDict):
    """What lies where, and in front of the players, to lay a frozen game again."""

    pieces: Sequence[Mapping[str, str | None]]
    boards: Mapping[str, Mapping[str, object]]


class EventJson(TypedDict):
    """An event as scripts and the broker read it: `{"event": "rolled", "by": "red", ...}`; a game adds its fields."""

    event: str
    by: NotRequired[str | None]
    """The colour whose event it is."""
    what: NotRequired[Sequence[object]]


class Choice(TypedDict):
    """A question that a player has to answer."""

    id: ReadOnly[int]
    by: ReadOnly[str | None]
    """Whose it is; None: anybody answers."""
    kind: ReadOnly[str]
    options: ReadOnly[Sequence[str]]
    clause: NotRequired[ReadOnly[str | None]]


class Player(TypedDict):
    """A player's board; a game adds what lies on its own."""

    name: NotRequired[ReadOnly[str]]
    """Added by the table, with `bot` where the game has bots."""
    bot: NotRequired[ReadOnly[str | None]]


class PlayedWith(TypedDict, total=False):
    """What was agreed on when the game began; a game adds its own."""

    pack: ReadOnly[str]


class Result(TypedDict):
    """How a game ended; a game adds its scores."""

    winners: ReadOnly[Sequence[str]]
    decided_by: NotRequired[ReadOnly[str]]


class State(TypedDict):
    """What the state of every game has; it holds no secret. A game's own inherits from it and says more exactly."""

    game: ReadOnly[str]
    round: ReadOnly[int]
    phase: ReadOnly[str]
    """Of the game's own; `setup`, `turn` and `over` mean the same in all of them."""
    turn: ReadOnly[str | None]
    order: ReadOnly[Sequence[str]]
    """The colours that play, clockwise."""
    pending: ReadOnly[Sequence[Choice]]
    players: ReadOnly[Mapping[str, Player]]
    options: NotRequired[ReadOnly[PlayedWith]]
    result: ReadOnly[Result | None]
    """None until the game is over."""
