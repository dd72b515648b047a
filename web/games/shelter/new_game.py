"""The questions before a game, one step after the other: who plays, how the elevators lie, which cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.bots.policy.characters import CHARACTERS
from companion.games.shelter.readings import BOOKS, GROUPS
from companion.games.shelter.words import COLOURS
from web.games.forms import LONGEST_NAME
from web.games.shelter.readings import OWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.table.session.state_view import SnapshotState

WHO, VAULT, CARDS = "who", "vault", "cards"
STEPS: Final = (WHO, VAULT, CARDS)
FEWEST: Final = 2
TOP: Final = 2
"""The first level that belongs to somebody."""
FOR_A_START: Final = "homemade"
"""The pack that the first evening is offered: everybody can print it."""


class NewPlayer(NamedTuple):
    """One of the four colours: whether somebody plays it, and who."""

    colour: str
    name: str
    plays: bool
    bot: str
    place: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """What has been answered so far, and what is asked now."""

    step: str
    wrong: bool
    """Whether more have to play before anything else is asked."""
    players: tuple[NewPlayer, ...]
    levels: tuple[str, ...]
    """Colours in the order of their elevators, from the top."""
    first: str
    cards: str
    pack: str
    book: str
    """The book whose house rules the game is begun with."""
    rules: frozenset[str]
    """The house rules that are ticked besides."""
    language: str
    moved: str
    """The colour whose elevator has just been moved, which keeps the focus."""

    @property
    def playing(self) -> list[NewPlayer]:
        """Who plays, clockwise."""
        return sorted((one for one in self.players if one.plays), key=lambda one: one.place)

    @property
    def agreed(self) -> frozenset[str]:
        """Every house rule of the book and of those ticked besides."""
        return BOOKS.get(self.book, frozenset()) | self.rules

    @property
    def before(self) -> str:
        """The step before this one, empty before the first."""
        return (("", *STEPS)[STEPS.index(self.step)]) if self.step in STEPS else ""

    def carried(self) -> list[tuple[str, str]]:
        """Return what the form takes along of the other steps."""
        found = []
        if self.step != WHO:
            for one in self.playing:
                found += [(f"plays_{one.colour}", "on"), (f"name_{one.colour}", one.name)]
                if self.step != CARDS and one.bot:
                    found.append((f"bot_{one.colour}", one.bot))
        found += [(f"level_{colour}", str(TOP + number)) for number, colour in enumerate(self.levels)]
        if self.step != VAULT:
            found += [(f"place_{one.colour}", str(one.place)) for one in self.players if self.levels]
            found.append(("first", self.first))
        if self.step != CARDS:
            found += [("cards", self.cards), ("pack", self.pack), ("language", self.language), ("book", self.book)]
            found += [(f"rule_{rule}", "on") for rule in sorted(self.rules)]
        return [one for one in found if one[1]]


def new_game(state: SnapshotState, asked: Mapping[str, str], packs: Sequence[str]) -> NewGame:
    """Return the step that is asked for with the answers so far; a first step begins with who played last."""
    wanted = VAULT if asked.get("up") else asked.get("step", "")
    answers = asked if wanted else _as_last(state)
    players = tuple(_player(answers, colour, number) for number, colour in enumerate(COLOURS, 1))
    playing = [one.colour for one in players if one.plays]
    too_few = len(playing) < FEWEST
    levels = _moved(_levels(answers, playing), asked.get("up", ""))
    first, pack = answers.get("first", ""), answers.get("pack", "")
    return NewGame(
        step=WHO if too_few or wanted not in STEPS else wanted,
        wrong=too_few and wanted in STEPS[1:],
        players=players,
        levels=tuple(levels),
        first=first if first in playing else next(iter(playing), ""),
        cards="table" if answers.get("cards") == "table" else "companion",
        pack=pack if pack in packs else FOR_A_START,
        book=answers.get("book", "") if answers.get("book") in BOOKS else OWN,
        rules=frozenset(rule for rules in GROUPS.values() for rule in rules if answers.get(f"rule_{rule}")),
        language=answers.get("language", ""),
        moved=asked.get("up", ""),
    )


def _as_last(state: SnapshotState) -> Mapping[str, str]:
    """Return the answers that would seat those who played last."""
    found: dict[str, str] = {}
    for place, colour in enumerate(state["order"], 1):
        player = state["players"][colour]
        found |= {f"plays_{colour}": "on", f"name_{colour}": player.get("name") or "", f"place_{colour}": str(place)}
        found[f"bot_{colour}"] = player.get("bot") or ""
    return found


def _player(answers: Mapping[str, str], colour: str, number: int) -> NewPlayer:
    bot = answers.get(f"bot_{colour}", "")
    bot = bot if bot in CHARACTERS else ""
    place = answers.get(f"place_{colour}", "")
    return NewPlayer(
        colour=colour,
        name=answers.get(f"name_{colour}", "").strip()[:LONGEST_NAME],
        plays=bool(answers.get(f"plays_{colour}")) or bool(bot),
        bot=bot,
        place=int(place) if place in {"1", "2", "3", "4"} else number,
    )


def _levels(answers: Mapping[str, str], playing: Sequence[str]) -> list[str]:
    """Return who plays in the order of their levels; who has none yet comes last."""
    return sorted(playing, key=lambda colour: answers.get(f"level_{colour}") or "9")


def _moved(levels: list[str], up: str) -> list[str]:
    """Return the levels with one colour a level higher."""
    at = levels.index(up) if up in levels else 0
    if at:
        levels[at - 1 : at + 1] = [levels[at], levels[at - 1]]
    return levels
