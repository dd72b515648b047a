"""The questions before a game, one step after the other: who plays, what the game itself asks, and then more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.api import COLOURS
from companion.games.registry import game_of
from web.games.forms import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from companion.table.session.state_view import SnapshotState

WHO: Final = "who"
"""The first step of every game."""
LAST: Final = "last"
"""What asks for the last step of a game, whichever that is."""
PHONES: Final = "phones"
"""What comes when the game has begun."""
Fields = list[tuple[str, str]]


class NewPlayer(NamedTuple):
    """One of the four colours: whether somebody plays it, and who."""

    colour: str
    name: str
    plays: bool
    bot: str
    place: int


@dataclass(frozen=True, slots=True)
class Answers:
    """What has been answered so far, and which step is asked for."""

    game: str
    steps: tuple[str, ...]
    step: str
    wrong: bool
    """Whether more have to play before anything else is asked."""
    values: Mapping[str, str]
    players: tuple[NewPlayer, ...]
    fewest: int
    """So many have to play."""

    @property
    def playing(self) -> list[NewPlayer]:
        """Who plays, clockwise."""
        return sorted((one for one in self.players if one.plays), key=lambda one: one.place)

    @property
    def colours(self) -> list[str]:
        """Who plays, in the order of the colours."""
        return [one.colour for one in self.players if one.plays]

    def value(self, name: str, known: Sequence[str], otherwise: str = "") -> str:
        """Return an answer that is one of those known."""
        found = self.values.get(name, "")
        return found if found in known else otherwise


@dataclass(frozen=True, slots=True)
class Asking:
    """One step of the questions as a page asks it."""

    answers: Answers
    around: str
    """The step that asks how they sit."""
    fields: Mapping[str, Fields]
    """What each step asks; a form takes along what the others have asked."""

    @property
    def game(self) -> str:
        return self.answers.game

    @property
    def steps(self) -> tuple[str, ...]:
        """All steps, with what comes when the game has begun."""
        return (*self.answers.steps, PHONES)

    @property
    def step(self) -> str:
        return self.answers.step

    @property
    def is_last(self) -> bool:
        return self.step == self.answers.steps[-1]

    @property
    def before(self) -> str:
        """The step before this one, empty before the first."""
        return ("", *self.steps)[self.steps.index(self.step)]

    @property
    def after(self) -> str:
        return self.steps[self.steps.index(self.step) + 1]

    @property
    def title(self) -> str:
        return game_of(self.game).title

    @property
    def fewest(self) -> int:
        return self.answers.fewest

    @property
    def has_bots(self) -> bool:
        return game_of(self.game).has_bots

    @property
    def characters(self) -> tuple[str, ...]:
        """Whom a bot may be in this game."""
        return game_of(self.game).characters

    @property
    def language(self) -> str:
        return self.answers.values.get("language", "")

    def carried(self) -> Fields:
        """Return what the form takes along of the other steps."""
        found: Fields = [("game", self.game)]
        for one in self.answers.playing if self.step != WHO else ():
            found += [(f"plays_{one.colour}", "on"), (f"name_{one.colour}", one.name)]
            if not self.is_last and one.bot:
                found.append((f"bot_{one.colour}", one.bot))
        if self.step != self.around:
            found += [(f"place_{one.colour}", str(one.place)) for one in self.answers.players]
        for step, fields in self.fields.items():
            found += fields if step != self.step else []
        if not self.is_last:
            found.append(("language", self.language))
        return [one for one in found if one[1]]


def answers_of(
    game: str, state: SnapshotState, asked: Mapping[str, str], steps: tuple[str, ...], fewest: int | None = None
) -> Answers:
    """Return the step that is asked for with the answers so far; a first step begins with who played last."""
    wanted = steps[-1] if asked.get("step") == LAST else asked.get("step", "")
    values = asked if wanted else as_last(state)
    bots = game_of(game).characters if game_of(game).has_bots else ()
    players = tuple(_player(values, colour, number, bots) for number, colour in enumerate(COLOURS, 1))
    fewest = fewest or game_of(game).seats[0]
    too_few = sum(one.plays for one in players) < fewest
    step = WHO if too_few or wanted not in steps else wanted
    return Answers(game, steps, step, too_few and wanted in steps[1:], values, players, fewest)


def as_last(state: SnapshotState) -> Mapping[str, str]:
    """Return the answers that would seat those who played last."""
    found: dict[str, str] = {}
    for place, colour in enumerate(state["order"], 1):
        player = state["players"][colour]
        found |= {f"plays_{colour}": "on", f"name_{colour}": player.get("name") or "", f"place_{colour}": str(place)}
        found[f"bot_{colour}"] = player.get("bot") or ""
    return found


def _player(values: Mapping[str, str], colour: str, number: int, bots: Collection[str]) -> NewPlayer:
    bot = values.get(f"bot_{colour}", "")
    bot = bot if bot in bots else ""
    place = values.get(f"place_{colour}", "")
    return NewPlayer(
        colour=colour,
        name=values.get(f"name_{colour}", "").strip()[:LONGEST_NAME],
        plays=bool(values.get(f"plays_{colour}")) or bool(bot),
        bot=bot,
        place=int(place) if place in {"1", "2", "3", "4"} else number,
    )
