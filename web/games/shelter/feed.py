"""What happened: the last events, a line each, the way back through a game, and past games with their people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, assert_never

from companion.bots.policy import reason_texts
from companion.games.shelter import events as shelter
from companion.games.shelter.words import LETTERS, NO_CARD, RESOURCES, SPACE_NAMES
from companion.table.record.export import formats_of
from companion.table.session import events as table
from web.base.words import name_of
from web.games import chairs
from web.games.charts import chart, decided
from web.games.feed import MINUS, FeedLine, newest
from web.games.port import HistoryEntry, PastGame
from web.games.shelter import odds, status
from web.games.shelter.cards import card_name, room_name, side_name, space_name, vault_state
from web.games.shelter.seat.placements import dweller_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.json_types import MoveJson
    from companion.table.record.history import Story, StoryStep
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState


MOST: Final = 5
OfTheEvening = shelter.BrokeIn | shelter.InvaderMoved | shelter.CrisisTurned | shelter.HouseCallTurned


def lines(words: Words, cards: PackCards, recent: Sequence[Snapshot], most: int = MOST) -> list[FeedLine]:
    return newest(lambda snapshot: happened(words, cards, snapshot), recent, most)


def happened(words: Words, cards: PackCards, snapshot: Snapshot) -> list[FeedLine]:
    told: list[FeedLine] = []
    state, rolls, landed = vault_state(snapshot.state), 0, 0
    for event in snapshot.events:
        text, brought = None, None
        if isinstance(event, table.TableEvent):
            text = _of_table(words, cards, state, event)
        elif isinstance(event, shelter.Event):
            text, brought = _of_shelter(words, cards, state, event), effect(event)
        colour = snapshot.by(event) or ""
        if text is not None or (brought is not None and (not told or told[-1].colour != colour)):
            told.append(FeedLine(colour, name_of(words, state, colour) if colour else "", text or ""))
        if brought is not None:
            told[-1].effects.append(brought)
        if isinstance(event, shelter.ThreatRolled):
            rolls, landed = rolls + 1, landed + (event.roll.threat != NO_CARD)
    if rolls:
        told.append(
            FeedLine("", "", words.count("happened_spawned", landed) if landed else words.text("happened_none_spawned"))
        )
    return told


def effect(event: shelter.Event) -> tuple[str, str] | None:
    """Return what an event brings, as a pictogram with a sign."""
    match event:
        case shelter.CubesPaid(_, resource, amount) | shelter.CubesStolen(_, resource, amount):
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
        case shelter.BrokeIn() | shelter.InvaderMoved() | shelter.CrisisTurned() | shelter.HouseCallTurned():
            return _of_the_evening(words, cards, state, event)
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
        case shelter.DwellerTrained(_, letter) | shelter.TrainingLost(_, letter):
            return words.text(key, letter=letter)
        case shelter.RoundBegun(number):
            return words.text(key, n=number)
        case shelter.IncomeDue(_, _, again):
            return words.text(key) if again else None
        case (
            shelter.TurnPassed() | shelter.IncomeTaken() | shelter.IncomeDeclined() | shelter.IncomeLapsed()
            | shelter.FirstPlayerGained() | shelter.LastRound() | shelter.RecordCorrected()
            | shelter.DwellersRecalled() | shelter.TrackRefreshed() | shelter.GameOver() | shelter.DwellerStruck()
        ):  # fmt: skip
            return words.text(key)
        case (
            shelter.CubesPaid() | shelter.CubesGained() | shelter.CubesLost() | shelter.HappinessGained()
            | shelter.DwellerGained() | shelter.ItemGained() | shelter.ThreatDefeated()
            | shelter.ChoiceLost() | shelter.ChoiceDropped() | shelter.ThreatRolled() | shelter.CardDrawn()
            | shelter.DeckRenewed() | shelter.CubesStolen()
        ):  # fmt: skip
            return None
        case _:
            assert_never(event)


def _of_the_evening(words: Words, cards: PackCards, state: VaultState, event: OfTheEvening) -> str:
    if isinstance(event, shelter.HouseCallTurned):
        return status.house_call(words, state)
    key = f"happened_{shelter.NAMES[type(event)]}"
    if isinstance(event, shelter.CrisisTurned):
        return words.text(key, crisis=words.text(f"crisis_{event.crisis}"))
    space = event.to if isinstance(event, shelter.InvaderMoved) else event.space
    name = SPACE_NAMES[space]
    place = ", ".join(filter(None, (room_name(words, state, cards, name), side_name(words, name))))
    return words.text(key, place=place, card=card_name(words, cards, event.threat))


def _place(words: Words, cards: PackCards, state: VaultState, space: int) -> str:
    """Return the exact place: on a room or a threat there are two spaces."""
    name = SPACE_NAMES[space]
    return ", ".join(filter(None, (space_name(words, state, cards, name), side_name(words, name))))


def _of_table(words: Words, cards: PackCards, state: VaultState, event: table.TableEvent) -> str | None:
    match event:
        case table.BotExplained(_, reason):
            if reason["why"] in reason_texts.SILENT:
                return None
            return words.text("happened_because", why=odds.because(words, cards, reason))
        case table.BotSeated(_, character):
            return words.text("happened_bot_seated", character=chairs.character(words, character))
        case table.BotLeft():
            return words.text("happened_bot_left")
        case table.BotSuggested(_, move):
            return words.text("happened_suggested", place=space_name(words, state, cards, move["space"]))
        case table.SeatLeft() | table.SeatReturned():
            return words.text(f"happened_{table.serialize(event)['event']}")
        case table.MoveUndone() | table.MoveRedone() | table.GameStarted() | table.GameFrozen() | table.GameThawed():
            return words.text(f"happened_{table.serialize(event)['event']}")
        case (
            table.DeviceReported() | table.SettingsChanged() | table.MoveRefused() | table.DiceThrown()
            | table.DiceUnsure() | table.DisagreementResolved() | table.GameChosen() | table.CardsEdited()
            | table.TroubleDecided() | table.HandsAsked()
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


ROLLED: Final = re.compile(r"\d\+\d")


def past(words: Words, story: Story, *, current: bool) -> PastGame | None:
    """Return a game as the history shows it; None where not even its first entry can be replayed."""
    state = story.state
    if state is None or not story.steps:
        return None
    winners = state["result"]["winners"] if state["result"] else []
    return PastGame(
        game=story.game,
        began=story.steps[0].at[:16].replace("T", " "),
        round=state["round"],
        players=[
            (colour, name_of(words, state, colour), story.standing[colour], colour in winners)
            for colour in state["players"]
        ],
        chart=chart(story.steps, story.colours),
        current=current,
        trouble=story.trouble is not None,
        decided=decided(story),
        kinds=formats_of(story),
        over=story.over,
        name=_called(words, story, vault_state(state)),
        told=status.told_together(words, vault_state(state), story.week, _taken_back(story)),
        has_steps=True,
        has_review=story.over,
        curve=words.text("curve"),
    )


def _called(words: Words, story: Story, state: VaultState) -> str:
    """Return what a past game is called: the week whose challenge it was, and how it was played together."""
    evening = words.text("campaign_evening", n=story.campaign["evening"]) if story.campaign else ""
    return " · ".join(part for part in (story.week, evening, status.played_together(words, state)) if part)


def _taken_back(story: Story) -> int:
    return sum(step.kind == "undo" for step in story.steps)


def entries(words: Words, story: Story, cards: PackCards) -> list[HistoryEntry]:
    if story.state is None:
        return []
    state = vault_state(story.state)
    return [
        HistoryEntry(
            step.nth, step.by if step.by in state["players"] else "", text_of(words, state, cards, step), step.round
        )
        for step in reversed(story.steps)
    ]


def text_of(words: Words, state: VaultState, cards: PackCards, step: StoryStep) -> str:
    who = name_of(words, state, step.by) if step.by in state["players"] else ""
    done = words.text(f"did_{step.do}") if words.has(f"did_{step.do}") else step.do
    told = (_what(words, state, cards, word) for word in step.values)
    what = " ".join(word for word in told if word)
    return " ".join(part for part in (f"{who}:" if who else "", done, what) if part)


def _what(words: Words, state: VaultState, cards: PackCards, word: str) -> str:
    """Return one word of the contract in the reader's own; empty where it says nothing to a reader."""
    room, _, side = word.partition("@")
    card = word.removeprefix("use:")
    if word[:1].isdigit() and word[1:2] == ":":
        return space_name(words, state, cards, word)
    if side and room in cards:
        return f"{card_name(words, cards, room)}, {words.text(f'side_{side}')}"
    if card in cards:
        return card_name(words, cards, card)
    if ROLLED.fullmatch(word) or "->" in word:
        return word
    if word in LETTERS or word.startswith("injured"):
        return dweller_name(words, word).lower()
    key = next((key for key in (f"resource_{word}", f"option_{word}") if words.has(key)), "")
    return words.text(key).lower() if key and word != "plain" else ""


def move_text(words: Words, state: VaultState, cards: PackCards, move: MoveJson) -> str:
    """Return a move that somebody may or might make: who goes where, whoever moves."""
    match move["do"]:
        case "place":
            figures = " + ".join(dweller_name(words, one) for one in move.get("dwellers", ["plain"]))
            worn = [card_name(words, cards, item) for item in move.get("use", ())]
            space = move["space"]
            threat = state["threats"].get(space)
            place = [card_name(words, cards, threat)] if threat else []
            place += [room_name(words, state, cards, space), side_name(words, space)]
            place.append(words.text("level", n=space.partition(":")[0]))
            return f"{', '.join([figures, *worn])} → {', '.join(filter(None, place))}"
        case "pass":
            return words.text("pass")
        case "use":
            return f"{words.text('use')}: {card_name(words, cards, move['item'])}"
        case _:
            told = _what(words, state, cards, str(move.get("option", "")))
            return told[:1].upper() + told[1:] or words.text("option_decline")


def rounds(story: Story) -> list[tuple[int, int]]:
    """Return each round and the step with which it begins."""
    found: dict[int, int] = {}
    for at, step in enumerate(story.steps):
        found.setdefault(step.round, at)
    return [(number, at) for number, at in found.items() if number]
