"""What just happened: the last events, a line each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, assert_never

from companion.bots.policy import reason_texts
from companion.games.shelter import events as shelter
from companion.games.shelter.words import NO_CARD, SPACE_NAMES
from companion.table.session import events as table
from web.games.shelter.icons import card_name, space_name
from web.pages.bots import view
from web.pages.play.people import name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.pages.cards.view import Cards

MOST: Final = 5
MINUS: Final = "\N{MINUS SIGN}"
NO_MOVES: Final = (
    table.DeviceReported,
    table.DiceThrown,
    table.DiceUnsure,
    table.MoveRefused,
    table.SettingsChanged,
)
"""What happens at the table without anybody's move."""


@dataclass(slots=True)
class Line:
    """One thing that happened: who, what, and what it brought as pictograms with a sign."""

    colour: str
    who: str
    text: str
    effects: list[tuple[str, str]] = field(default_factory=list)


def lines(words: Words, cards: Cards, recent: Sequence[Snapshot], most: int = MOST) -> list[Line]:
    """The newest first."""
    return newest(lambda snapshot: _lines(words, cards, snapshot), recent, most)


def newest(told: Callable[[Snapshot], list[Line]], recent: Sequence[Snapshot], most: int) -> list[Line]:
    """As many lines as there is room for, the newest first, in any game's words; many events have no line."""
    found: list[Line] = []
    for snapshot in reversed(recent):
        found += reversed(told(snapshot))
        if len(found) >= most:
            break
    return found[:most]


def last_to_move(state: dict[str, Any], recent: Sequence[Snapshot]) -> str:
    """Whose move was the last one, if it was a player's; what bots have answered at once goes back with it."""
    bot_seats = {colour for colour, player in state["players"].items() if player.get("bot")}
    for snapshot in reversed(recent):
        first = snapshot.events[0]
        by = snapshot.by(first)
        if by not in bot_seats and not isinstance(first, NO_MOVES):
            return by or ""
    return ""


def _lines(words: Words, cards: Cards, snapshot: Snapshot) -> list[Line]:
    told: list[Line] = []
    state, rolls, landed = snapshot.state, 0, 0
    for event in snapshot.events:
        text, effect = None, None
        if isinstance(event, table.TableEvent):
            text = _of_table(words, cards, state, event)
        elif isinstance(event, shelter.Event):
            text, effect = _of_shelter(words, cards, state, event), _effect(event)
        colour = snapshot.by(event) or ""
        if text is not None or (effect is not None and (not told or told[-1].colour != colour)):
            told.append(Line(colour, name_of(words, state, colour) if colour else "", text or ""))
        if effect is not None:
            told[-1].effects.append(effect)
        if isinstance(event, shelter.ThreatRolled):
            rolls, landed = rolls + 1, landed + (event.roll.threat != NO_CARD)
    if rolls:
        told.append(
            Line("", "", words.count("happened_spawned", landed) if landed else words.text("happened_none_spawned"))
        )
    return told


def _effect(event: shelter.Event) -> tuple[str, str] | None:
    """What an event brings, as a pictogram with a sign."""
    match event:
        case shelter.CubesPaid(_, resource, amount):
            return resource, f"{MINUS}{amount}"
        case shelter.CubesGained(_, resource, amount):
            return resource, f"+{amount}"
        case shelter.HappinessGained(_, amount):
            return "happiness", f"+{amount}"
        case shelter.DwellerGained():
            return "dweller", "+1"
        case shelter.ItemGained():
            return "item", "+1"
        case _:
            return None


def _of_shelter(words: Words, cards: Cards, state: dict[str, Any], event: shelter.Event) -> str | None:
    """A line in words; None for what shows as pictograms or needs no line."""
    key = f"happened_{shelter.NAMES[type(event)]}"
    match event:
        case (
            shelter.DwellersPlaced(_, space)
            | shelter.FightWon(_, space)
            | shelter.FightLost(_, space)
            | shelter.DwellersInjured(_, space)
            | shelter.DwellerHealed(_, space)
        ):
            return words.text(key, place=_place(words, cards, state, space)) if space >= 0 else None
        case shelter.FightRolled(_, space, dice, bonus, number):
            shown = {"dice": " + ".join(map(str, dice)), "total": sum(dice) + bonus, "n": number}
            return words.text(key, place=_place(words, cards, state, space), **shown)
        case (
            shelter.RoomBuilt(_, card)
            | shelter.ItemUsed(_, card)
            | shelter.ItemDiscarded(_, card)
            | shelter.ItemReadied(_, card)
        ):
            return words.text(key, card=card_name(words, cards, card))
        case shelter.DwellerTrained(_, letter):
            return words.text(key, letter=letter)
        case shelter.RoundBegun(number):
            return words.text(key, n=number)
        case (
            shelter.TurnPassed() | shelter.IncomeTaken() | shelter.IncomeDeclined()
            | shelter.FirstPlayerGained() | shelter.LastRound() | shelter.RecordCorrected()
            | shelter.DwellersRecalled() | shelter.TrackRefreshed() | shelter.GameOver()
        ):  # fmt: skip
            return words.text(key)
        case (
            shelter.CubesPaid() | shelter.CubesGained() | shelter.CubesLost() | shelter.HappinessGained()
            | shelter.DwellerGained() | shelter.ItemGained() | shelter.ThreatDefeated() | shelter.IncomeLapsed()
            | shelter.ChoiceLost() | shelter.ChoiceDropped() | shelter.ThreatRolled() | shelter.CardDrawn()
            | shelter.DeckRenewed()
        ):  # fmt: skip
            return None
        case _:
            assert_never(event)


def _place(words: Words, cards: Cards, state: dict[str, Any], space: int) -> str:
    return space_name(words, state, cards, SPACE_NAMES[space])


def _of_table(words: Words, cards: Cards, state: dict[str, Any], event: table.TableEvent) -> str | None:
    match event:
        case table.BotExplained(_, reason):
            if reason["why"] in reason_texts.SILENT:
                return None
            return words.text("happened_because", why=view.because(words, cards, reason))
        case table.BotSeated(_, character):
            return words.text("happened_bot_seated", character=view.character(words, character))
        case table.BotLeft():
            return words.text("happened_bot_left")
        case table.BotSuggested(_, move):
            return words.text("happened_suggested", place=space_name(words, state, cards, move["space"]))
        case table.MoveUndone() | table.MoveRedone() | table.GameStarted() | table.GameFrozen() | table.GameThawed():
            return words.text(f"happened_{table.serialize(event)['event']}")
        case (
            table.DeviceReported() | table.SettingsChanged() | table.MoveRefused() | table.DiceThrown()
            | table.DiceUnsure() | table.DisagreementResolved() | table.GameChosen() | table.CardsEdited()
            | table.TroubleDecided()
        ):  # fmt: skip
            return None
        case _:
            assert_never(event)
