"""What just happened, a line an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from companion.games.wasteland import events as wasteland
from companion.games.wasteland.reminders import Reminder
from companion.table.session import events as table
from web.base.feed import FeedLine, newest
from web.games.wasteland import printed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.api import Event
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.wasteland.names import Names

MOST: Final = 7


def lines(words: Words, names: Names, recent: Sequence[Snapshot], most: int = MOST) -> list[FeedLine]:
    """Return the newest first; events without words of their own have no line."""
    return newest(lambda snapshot: _lines(words, names, snapshot), recent, most)


def _lines(words: Words, names: Names, snapshot: Snapshot) -> list[FeedLine]:
    found = []
    for event in snapshot.events:
        text = _text(words, names, event)
        if text is not None:
            by = snapshot.by(event) or ""
            found.append(FeedLine(by, names.player(by) if by else "", text))
    return found


def _text(words: Words, names: Names, event: Event) -> str | None:
    match event:
        case table.MoveUndone():
            return words.text("wev_undone")
        case table.MoveRedone():
            return words.text("wev_redone")
        case _ if isinstance(event, wasteland.WastelandEvent):
            key = f"wev_{_name(event)}"
            return words.text(key, **_fields(words, names, event)) if words.has(key) else None
        case _:
            return None


def _name(event: wasteland.WastelandEvent) -> str:
    """Return the name of an event, or of its outcome where there are words for both."""
    match event:
        case wasteland.SkillTestJudged(success=success):
            return "tested_well" if success else "tested_badly"
        case wasteland.SurvivorHits(killed=killed):
            return "hits_kill" if killed else "hits_short"
        case _:
            return event.event


def _fields(words: Words, names: Names, event: wasteland.WastelandEvent) -> dict[str, object]:
    """Return what an event holds, in words."""
    match event:
        case (
            wasteland.CardEvent() | wasteland.EquipmentChanged() | wasteland.PerkEvent() | wasteland.TraitEvent()
            | wasteland.QuestEvent() | wasteland.QuestPursued() | wasteland.EnemyEvent() | wasteland.EnemyWoken()
            | wasteland.EnemyKilled() | wasteland.FightBegun() | wasteland.AgendaRevealed()
            | wasteland.FactionAdvanced() | wasteland.LoyaltyDeclared()
        ):  # fmt: skip
            return {"what": _what(words, names, event)}
        case wasteland.EnemyMoved() | wasteland.SurvivorMoved():
            what = names.enemy(event.number) if isinstance(event, wasteland.EnemyMoved) else ""
            return {"what": what, "at": names.space(event.at)}
        case wasteland.TypeActivated() | wasteland.EnemyPlaced():
            return {"type": names.kind(event.type)}
        case wasteland.TradeEvent():
            return {"to": names.player(event.to)}
        case wasteland.LetterKept():
            return {"letter": event.letter}
        case wasteland.DamageTaken() | wasteland.DamageHealed() | wasteland.XpGained():
            return {"n": event.amount}
        case wasteland.RadsChanged() | wasteland.CapsChanged():
            return {"n": f"{event.amount:+d}"}
        case wasteland.EnemyHits() | wasteland.SurvivorHits() | wasteland.SkillTestJudged():
            return {"n": event.hits, "of": _needed(event)}
        case (
            wasteland.PlainEvent() | wasteland.HandEvent() | wasteland.TurnBegun() | wasteland.SurvivorChosen()
            | wasteland.SurvivorPlaced() | wasteland.LettersDrawn() | wasteland.CardTurned() | wasteland.ShopVisited()
            | wasteland.DiceLaid() | wasteland.SkillTested() | wasteland.HelpWasted() | wasteland.StackEmpty()
            | wasteland.EncounterOpened() | wasteland.ArrowChosen() | wasteland.EncounterAdded()
            | wasteland.BoardCorrected() | wasteland.PowerEnd() | wasteland.WastelandOver() | Reminder()
        ):  # fmt: skip
            return {}
        case _:
            assert_never(event)


ThingEvent = (
    wasteland.CardEvent | wasteland.EquipmentChanged | wasteland.PerkEvent | wasteland.TraitEvent | wasteland.QuestEvent
    | wasteland.QuestPursued | wasteland.EnemyEvent | wasteland.EnemyWoken | wasteland.EnemyKilled
    | wasteland.FightBegun | wasteland.AgendaRevealed | wasteland.FactionAdvanced | wasteland.LoyaltyDeclared
)  # fmt: skip


def _what(words: Words, names: Names, event: ThingEvent) -> str:
    """Return what an event is about."""
    match event:
        case wasteland.CardEvent() | wasteland.EquipmentChanged():
            return names.of(event.card)
        case wasteland.PerkEvent():
            return names.of(event.perk)
        case wasteland.TraitEvent():
            return printed.trait(words, event.trait)
        case wasteland.QuestEvent() | wasteland.QuestPursued():
            return names.quest(event.number)
        case wasteland.EnemyEvent():
            return names.enemy(event.number)
        case wasteland.EnemyWoken() | wasteland.EnemyKilled() | wasteland.FightBegun():
            return names.of(event.enemy)
        case wasteland.AgendaRevealed():
            return names.of(event.agenda)
        case wasteland.FactionAdvanced() | wasteland.LoyaltyDeclared():
            return names.faction(event.faction) if event.faction else ""
        case _:
            assert_never(event)


def _needed(event: wasteland.EnemyHits | wasteland.SurvivorHits | wasteland.SkillTestJudged) -> int:
    """Return what the hits are measured by."""
    match event:
        case wasteland.EnemyHits():
            return event.level
        case wasteland.SurvivorHits():
            return event.needed
        case wasteland.SkillTestJudged():
            return event.difficulty
        case _:
            assert_never(event)
