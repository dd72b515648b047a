"""The end of a game as all pages show it: the podium, how each result adds up, and the round that decided it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from web.base.words import name_of, spoken
from web.games import charts
from web.games.port import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.table.record.history import Story, StoryStep
    from companion.table.session.state_view import SnapshotState
    from web.base.words import Words
    from web.games.charts import Chart

TEMPLATE: Final = "table/over.html"


class SumPart(NamedTuple):
    """One number that a result is made of; `name` where it stands in no column."""

    number: int
    kind: str = "whole"
    """`whole` is what it begins with, `more` and `less` are added to that."""
    name: str = ""

    @property
    def text(self) -> str:
        if self.kind == "whole" or not self.number:
            return str(self.number)
        return f"{self.number:+d}".replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    colour: str
    name: str
    points: int
    rank: int
    won: bool
    mine: bool
    columns: tuple[SumPart, ...] = ()
    """What the result is made of, by the same columns for everybody."""
    lines: tuple[SumPart, ...] = ()
    """What it is made of for this player alone, such as cards that were in hand."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the round that decided it brought the winner, and who led until then."""

    round: int
    name: str
    gained: int
    leader: str
    by: int


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game for one reader."""

    title: str
    sub: str
    me: str
    places: Sequence[PodiumPlace]
    """From the first to the last."""
    unit: str
    columns: tuple[str, ...]
    begins: str
    """Who begins the next game with the same people."""
    id: str
    has_steps: bool = False
    has_review: bool = False
    decision: Decision | None = None
    phone_chart: Chart | None = None
    screen_chart: Chart | None = None
    curve: str = ""
    """What the curve shows."""
    shared: Page | None = None
    """What all had to reach together, where it was no contest: a part of the page that the game brings."""

    @property
    def hooray(self) -> bool:
        return any(one.mine and one.won for one in self.places)

    @property
    def any_won(self) -> bool:
        """Whether somebody was better than others: then there are ranks."""
        return self.shared is None and any(one.won for one in self.places)

    @property
    def adds_up(self) -> bool:
        """Whether there is more to say of the results than the podium does."""
        return any(one.columns or one.lines for one in self.places)

    @property
    def standing(self) -> list[PodiumPlace]:
        """The places as they stand: the second left of the first."""
        return [*self.places[1:2], *self.places[:1], *self.places[2:]]

    def page(self) -> Page:
        says = spoken(self.title, self.sub, *(f"{one.name} {one.points}" for one in self.places))
        return Page(TEMPLATE, {"end": self, "says": [says]})


def podium(
    words: Words,
    state: SnapshotState,
    points: Mapping[str, int],
    me: str = "",
    columns: Mapping[str, tuple[SumPart, ...]] | None = None,
    lines: Mapping[str, tuple[SumPart, ...]] | None = None,
) -> list[PodiumPlace]:
    """Return the players by their result, winners first; who has as much is as high, unless a tie-break decided."""
    winners = state["result"]["winners"] if state["result"] else []
    places: list[PodiumPlace] = []
    for nth, colour in enumerate(sorted(points, key=lambda one: (one not in winners, -points[one])), 1):
        won, last = colour in winners, places[-1] if places else None
        same = last is not None and (last.won, last.points) == (won, points[colour])
        places.append(
            PodiumPlace(
                colour=colour,
                name=name_of(words, state, colour),
                points=points[colour],
                rank=last.rank if last is not None and same else nth,
                won=won,
                mine=colour == me,
                columns=(columns or {}).get(colour, ()),
                lines=(lines or {}).get(colour, ()),
            )
        )
    return places


def title(words: Words, places: Iterable[PodiumPlace], how: str) -> tuple[str, str]:
    """Return who won and how, as one of the players reads it; `how` is what decided it."""
    winners = [one for one in places if one.won]
    own = next((one for one in places if one.mine), None)
    if own is not None and own.won:
        found = words.text("you_won") if len(winners) == 1 else words.text("you_won_too")
        second = next((one for one in places if not one.won), None)
        ahead = words.text("ahead_of", n=own.points - second.points, name=second.name) if second else ""
        return found, ", ".join(part for part in (how, ahead if second and own.points > second.points else "") if part)
    names = ", ".join(one.name for one in winners)
    found = words.text("won" if len(winners) == 1 else "won_shared", names=names)
    return found, words.text("you_are", n=own.rank) if own is not None else how


def decision(words: Words, state: SnapshotState, story: Story) -> Decision | None:
    """Return the round that decided a game whose points everybody saw."""
    number = charts.decided(story)
    winner = state["result"]["winners"][0] if number and state["result"] else ""
    before = next((step.standing for step in reversed(story.steps) if 0 < step.round < (number or 0)), {})
    after = next((step.standing for step in reversed(story.steps) if step.round == number), None)
    if number is None or after is None:
        return None
    others = {colour: points for colour, points in before.items() if colour != winner}
    leader = max(others, key=lambda colour: others[colour], default="")
    ahead = others.get(leader, 0) - before.get(winner, 0)
    return Decision(
        round=number,
        name=name_of(words, state, winner),
        gained=after[winner] - before.get(winner, 0),
        leader=name_of(words, state, leader) if ahead > 0 else "",
        by=max(ahead, 0),
    )


def curves(
    story: Story, number: int | None, counted: Callable[[StoryStep], Mapping[str, int]] = charts.standing
) -> tuple[Chart, Chart]:
    """Return the curve of a game as phones and as the big screen draw it; `number` is the round to be marked."""
    mark, sizes = charts.end_of(story.steps, number), (charts.PHONE, charts.SCREEN)
    small, large = (charts.chart(story.steps, story.colours, size, mark, counted) for size in sizes)
    return small, large
