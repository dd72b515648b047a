"""The end of a game: the podium, how each score adds up, and the round that decided it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.base.words import name_of, spoken
from web.games import charts
from web.games.port import Page
from web.games.shelter.cards import vault_state

if TYPE_CHECKING:
    from companion.table.record.history import Story
    from web.base.words import Words
    from web.games.port import Reader
    from web.games.shelter.cards import VaultState


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    colour: str
    name: str
    happiness: int
    in_hand: int
    """Happiness before items were counted and threats taken off."""
    items: int
    threats: int
    rank: int
    won: bool
    mine: bool


@dataclass(frozen=True, slots=True)
class Decision:
    """What the round that decided it brought the winner, and who led until then."""

    round: int
    name: str
    gained: int
    leader: str
    by: int


def podium(words: Words, state: VaultState, me: str = "") -> list[PodiumPlace]:
    """Return the players by their result, winners first; who has as much is as high, unless a tie-break decided."""
    result = state["result"]
    if result is None:
        return []
    scores = result["scores"]
    ordered = sorted(scores, key=lambda colour: (colour not in result["winners"], -scores[colour]["happiness"]))
    places: list[PodiumPlace] = []
    for nth, colour in enumerate(ordered, 1):
        score, won, last = scores[colour], colour in result["winners"], places[-1] if places else None
        same = last is not None and (last.won, last.happiness) == (won, score["happiness"])
        places.append(
            PodiumPlace(
                colour=colour,
                name=name_of(words, state, colour),
                happiness=score["happiness"],
                in_hand=score["happiness"] - score["items"] - score["threats"],
                items=score["items"],
                threats=score["threats"],
                rank=last.rank if last is not None and same else nth,
                won=won,
                mine=colour == me,
            )
        )
    return places


def side_by_side(places: list[PodiumPlace]) -> list[PodiumPlace]:
    """Return the places as they stand: the second left of the first."""
    return [*places[1:2], *places[:1], *places[2:]]


def page_of(reader: Reader, me: str) -> Page | None:
    """Return the end of the game that is over; None without a result."""
    words, state = reader.words, vault_state(reader.state)
    places = podium(words, state, me)
    result = state["result"]
    if result is None or not places:
        return None
    story = reader.context.stories.story(state["id"] or "")
    number = charts.decided(story) if story else None
    mark = charts.end_of(story.steps, number) if story else None
    title, sub = _title(words, state, places)
    fields: dict[str, object] = {
        "title": title,
        "sub": sub,
        "places": places,
        "standing": side_by_side(places),
        "me": me,
        "hooray": any(one.mine and one.won for one in places),
        "decision": _decision(words, state, story, number) if story and number else None,
        "phone_chart": charts.chart(story.steps, story.colours, mark=mark) if story else None,
        "screen_chart": charts.chart(story.steps, story.colours, charts.SCREEN, mark) if story else None,
        "begins": name_of(words, state, state["first"]),
        "id": state["id"],
        "says": [spoken(title, sub, *(f"{one.name} {one.happiness}" for one in places))],
    }
    return Page("shelter/over.html", fields)


def _title(words: Words, state: VaultState, places: list[PodiumPlace]) -> tuple[str, str]:
    """Return who won and how, as one of the players reads it."""
    result = state["result"]
    decided = words.text(f"decided_{result['decided_by']}") if result else ""
    winners = [one for one in places if one.won]
    own = next((one for one in places if one.mine), None)
    if own is not None and own.won:
        title = words.text("you_won") if len(winners) == 1 else words.text("you_won_too")
        second = next((one for one in places if not one.won), None)
        ahead = own.happiness - second.happiness if second else 0
        return title, f"{decided}, {words.text('ahead_of', n=ahead, name=second.name)}" if second and ahead else decided
    names = ", ".join(one.name for one in winners)
    title = words.text("won" if len(winners) == 1 else "won_shared", names=names)
    return title, words.text("you_are", n=own.rank) if own is not None else decided


def _decision(words: Words, state: VaultState, story: Story, number: int) -> Decision | None:
    winner = state["result"]["winners"][0] if state["result"] else ""
    before = next((step.standing for step in reversed(story.steps) if 0 < step.round < number), {})
    after = next((step.standing for step in reversed(story.steps) if step.round == number), None)
    if after is None:
        return None
    others = {colour: happy for colour, happy in before.items() if colour != winner}
    leader = max(others, key=lambda colour: others[colour], default="")
    ahead = others.get(leader, 0) - before.get(winner, 0)
    return Decision(
        round=number,
        name=name_of(words, state, winner),
        gained=after[winner] - before.get(winner, 0),
        leader=name_of(words, state, leader) if ahead > 0 else "",
        by=max(ahead, 0),
    )
