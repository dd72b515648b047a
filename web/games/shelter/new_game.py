"""What Fallout Shelter asks before a game: how the elevators lie, who begins, and which cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.evenings.campaigns import call_of, campaigns
from companion.cards.evenings.house_calls import as_json, house_calls, our_calls
from companion.cards.pack import PackFaults
from companion.cards.together import DIFFICULTIES, FEWEST_TOGETHER
from companion.games.shelter.readings import BOOKS, GROUPS
from companion.refusal import Refusal
from web.games.asking import WHO, Asking, answers_of
from web.games.shelter.readings import OWN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.cards.evenings.campaigns import Campaign
    from companion.cards.evenings.house_calls import HouseCall
    from companion.table.session.state_view import SnapshotState
    from web.games.asking import Answers, NewPlayer
    from web.games.port import NextEvening

VAULT, CARDS = "vault", "cards"
TOGETHER: Final = DIFFICULTIES
STEPS: Final = (WHO, VAULT, CARDS)
TOP: Final = 2
"""The first level that belongs to somebody."""
FOR_A_START: Final = "homemade"
"""The pack that the first evening is offered: everybody can print it."""


@dataclass(frozen=True, slots=True)
class VaultGame:
    """What has been answered of this game so far."""

    answers: Answers
    levels: tuple[str, ...]
    """Colours in the order of their elevators, from the top."""
    first: str
    cards: str
    pack: str
    book: str
    """The book whose house rules the game is begun with."""
    rules: frozenset[str]
    """The house rules that are ticked besides."""
    together: str
    """The difficulty of a game against the wasteland; empty where everybody plays for themselves."""
    house_call: bool
    """Whether a twist is drawn for the evening."""
    moved: str
    """The colour whose elevator has just been moved, which keeps the focus."""

    @property
    def playing(self) -> list[NewPlayer]:
        return self.answers.playing

    @property
    def agreed(self) -> frozenset[str]:
        """Every house rule of the book and of those ticked besides."""
        return BOOKS.get(self.book, frozenset()) | self.rules

    def player(self, colour: str) -> NewPlayer:
        return next(one for one in self.answers.players if one.colour == colour)

    def asking(self) -> Asking:
        """Return the step with what it takes along; the order of the elevators goes through all of them."""
        levels = [(f"level_{colour}", str(TOP + number)) for number, colour in enumerate(self.levels)]
        rules = [(f"rule_{rule}", "on") for rule in sorted(self.rules)]
        fields = {
            "": levels,
            WHO: [("together", self.together), ("house_call", "on" if self.house_call else "")],
            VAULT: [("first", self.first)],
            CARDS: [("cards", self.cards), ("pack", self.pack), ("book", self.book), *rules],
        }
        return Asking(self.answers, VAULT, fields)


def new_game(game: str, state: SnapshotState, asked: Mapping[str, str], packs: Sequence[str]) -> VaultGame:
    """Return the answers so far; to move an elevator is a step back to where it lies."""
    up = asked.get("up", "")
    together = asked.get("together", "") if asked.get("step") else _as_last(state)
    together = together if together in TOGETHER else ""
    fewest = FEWEST_TOGETHER if together else None
    answers = answers_of(game, state, {**asked, "step": VAULT} if up else asked, STEPS, fewest)
    return VaultGame(
        answers=answers,
        levels=tuple(_moved(_levels(answers), up)),
        first=answers.value("first", answers.colours, next(iter(answers.colours), "")),
        cards=answers.value("cards", ("table",), "companion"),
        pack=answers.value("pack", packs, FOR_A_START),
        book=answers.value("book", tuple(BOOKS), OWN),
        rules=frozenset(rule for rules in GROUPS.values() for rule in rules if answers.values.get(f"rule_{rule}")),
        together=together,
        house_call=bool(answers.values.get("house_call")) if asked.get("step") else "house_call" in state,
        moved=up,
    )


def _as_last(state: SnapshotState) -> str:
    """Return how the last game was played."""
    last: object = state.get("together")
    return str(last.get("difficulty", "")) if isinstance(last, dict) else ""


def _levels(answers: Answers) -> list[str]:
    """Return who plays in the order of their levels; who has none yet comes last."""
    return sorted(answers.colours, key=lambda colour: answers.values.get(f"level_{colour}") or "9")


def _moved(levels: list[str], up: str) -> list[str]:
    """Return the levels with one colour a level higher."""
    at = levels.index(up) if up in levels else 0
    if at:
        levels[at - 1 : at + 1] = [levels[at], levels[at - 1]]
    return levels


# --- evenings that differ ---------------------------------------------------------------------------------------------


def with_house_calls(setup: dict[str, object], folder: Path) -> dict[str, object]:
    """Return a setup that wants a house call (`true`) with all that there are: the record keeps what was drawn from."""
    if setup.get("house_calls") is not True:
        return setup
    return {**setup, "house_calls": [as_json(call) for call in calls_in(folder)]}


def calls_in(folder: Path) -> tuple[HouseCall, ...]:
    """Return all house calls, or refuse an owner's file that has faults."""
    try:
        return house_calls(folder)
    except PackFaults as faults:
        raise Refusal("house_call_faults", "W1", str(faults), why=str(faults.faults[0])) from faults


def week_setup(seats: list[str]) -> dict[str, object]:
    """Return the challenge of a week: together at the middle difficulty, with a house call of ours."""
    calls = [as_json(call) for call in our_calls()]
    return {**_together(seats, "normal"), "cards": "companion", "house_calls": calls}


def _together(seats: list[str], difficulty: str) -> dict[str, object]:
    return {"players": seats, "levels": seats, "first": seats[0], "together": difficulty}


def campaigns_in(folder: Path) -> tuple[Campaign, ...]:
    """Return all campaigns, or refuse an owner's file that has faults."""
    try:
        return campaigns(folder)
    except PackFaults as faults:
        raise Refusal("house_call_faults", "W1", str(faults), why=str(faults.faults[0])) from faults


def campaign_setup(
    evening: NextEvening, known: Sequence[Campaign], form: Mapping[str, str]
) -> dict[str, object] | None:
    """Return an evening of a campaign as a game is begun with it; None where there is no such campaign."""
    campaign = next((one for one in known if one.id == evening.campaign), None)
    if campaign is None or not 1 <= evening.number <= len(campaign.evenings):
        return None
    setup = _together(list(evening.names), campaign.evenings[evening.number - 1].together)
    call = call_of(campaign, evening.number, evening.won_before)
    cards = "table" if form.get("cards") == "table" else "companion"
    names = {colour: name for colour, name in evening.names.items() if name}
    calls = {} if call is None else {"house_calls": [as_json(call)]}
    return {**setup, **calls, "cards": cards, "names": names}
