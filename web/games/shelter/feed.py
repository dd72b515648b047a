"""What just happened: the last events, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from companion.bots.policy import reason_texts
from companion.games.shelter import events as shelter
from companion.games.shelter.words import NO_CARD, RESOURCES, SPACE_NAMES
from companion.table.session import events as table
from web.base.words import name_of
from web.games.feed import MINUS, FeedLine, newest
from web.games.shelter import odds
from web.games.shelter.cards import card_name, space_name, vault_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState

MOST: Final = 5


def lines(words: Words, cards: PackCards, recent: Sequence[Snapshot], most: int = MOST) -> list[FeedLine]:
    return newest(lambda snapshot: _lines(words, cards, snapshot), recent, most)


def _lines(words: Words, cards: PackCards, snapshot: Snapshot) -> list[FeedLine]:
    told: list[FeedLine] = []
    state, rolls, landed = vault_state(snapshot.state), 0, 0
    for event in snapshot.events:
        text, effect = None, None
        if isinstance(event, table.TableEvent):
            text = _of_table(words, cards, state, event)
        elif isinstance(event, shelter.Event):
            text, effect = _of_shelter(words, cards, state, event), _effect(event)
        colour = snapshot.by(event) or ""
        if text is not None or (effect is not None and (not told or told[-1].colour != colour)):
            told.append(FeedLine(colour, name_of(words, state, colour) if colour else "", text or ""))
        if effect is not None:
            told[-1].effects.append(effect)
        if isinstance(event, shelter.ThreatRolled):
            rolls, landed = rolls + 1, landed + (event.roll.threat != NO_CARD)
    if rolls:
        told.append(
            FeedLine("", "", words.count("happened_spawned", landed) if landed else words.text("happened_none_spawned"))
        )
    return told


def _effect(event: shelter.Event) -> tuple[str, str] | None:
    """Return what an event brings, as a pictogram with a sign."""
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


def _of_shelter(words: Words, cards: PackCards, state: VaultState, event: shelter.Event) -> str | None:
    """Return a line in words; None for what shows as pictograms or needs no line."""
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


def _place(words: Words, cards: PackCards, state: VaultState, space: int) -> str:
    return space_name(words, state, cards, SPACE_NAMES[space])


def _of_table(words: Words, cards: PackCards, state: VaultState, event: table.TableEvent) -> str | None:
    match event:
        case table.BotExplained(_, reason):
            if reason["why"] in reason_texts.SILENT:
                return None
            return words.text("happened_because", why=odds.because(words, cards, reason))
        case table.BotSeated(_, character):
            return words.text("happened_bot_seated", character=odds.character(words, character))
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


def changes(before: VaultState, after: VaultState, colour: str) -> list[tuple[str, str]]:
    """Return what a player has more or less of, as pictograms with a sign."""
    old, new = before["players"].get(colour), after["players"].get(colour)
    if not old or not new:
        return []
    pairs = [(name, new["resources"][name] - old["resources"][name]) for name in RESOURCES]
    pairs.append(("happiness", new["happiness"] - old["happiness"]))
    pairs.append(("dweller", new["total"] - old["total"]))
    pairs.append(("item", len(new["items"]) - len(old["items"])))
    return [(name, f"+{less}" if less > 0 else f"{MINUS}{-less}") for name, less in pairs if less]
