"""What happened: the last events, the way back through a game, and the games of the record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never, cast

from companion.bots.policy.reason_texts import SILENT, because
from companion.cards.wasteland import in_words
from companion.games.wasteland import events as wasteland
from companion.games.wasteland.position import Reminder
from companion.table.record.export import formats_of
from companion.table.session import events as table
from web.base.words import name_of
from web.games.charts import chart, standing
from web.games.feed import FeedLine, newest
from web.games.port import HistoryEntry, PastGame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.games.api import Event
    from companion.games.wasteland.state_types import WastelandState
    from companion.table.record.history import Story, StoryStep
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.wasteland.names import Names


MOST: Final = 7


def lines(words: Words, names: Names, recent: Sequence[Snapshot], most: int = MOST) -> list[FeedLine]:
    """Return the newest first; events without words of their own have no line."""
    return newest(lambda snapshot: happened(words, names, snapshot), recent, most)


def happened(words: Words, names: Names, snapshot: Snapshot) -> list[FeedLine]:
    """Return the lines of one snapshot, in order."""
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
        case table.BotExplained(reason=reason):
            told = because(words.language, reason, names.of)
            return None if reason["why"] in SILENT else words.text("happened_because", why=told)
        case table.BotSeated(character=character):
            return words.text("happened_bot_seated", character=words.text(f"bot_{character}"))
        case table.BotLeft():
            return words.text("happened_bot_left")
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
    match event:
        case (
            wasteland.CardEvent() | wasteland.EquipmentChanged() | wasteland.PerkEvent() | wasteland.TraitEvent()
            | wasteland.QuestEvent() | wasteland.QuestPursued() | wasteland.EnemyEvent() | wasteland.EnemyWoken()
            | wasteland.EnemyKilled() | wasteland.FightBegun() | wasteland.AgendaRevealed()
            | wasteland.FactionAdvanced() | wasteland.LoyaltyDeclared() | wasteland.TileFlipped()
            | wasteland.CardLearned()
        ):  # fmt: skip
            return {"what": event.name if isinstance(event, wasteland.CardLearned) else _what(words, names, event)}
        case wasteland.EnemyMoved() | wasteland.SurvivorMoved() | wasteland.TokenEvent():
            return {"what": _mover(names, event), "at": names.space(event.at)}
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


def _mover(names: Names, event: wasteland.EnemyMoved | wasteland.SurvivorMoved | wasteland.TokenEvent) -> str:
    match event:
        case wasteland.EnemyMoved():
            return names.enemy(event.number)
        case wasteland.SurvivorMoved():
            return ""
        case wasteland.TokenEvent():
            return names.faction(event.faction)
        case _:
            assert_never(event)


ThingEvent = (
    wasteland.CardEvent | wasteland.EquipmentChanged | wasteland.PerkEvent | wasteland.TraitEvent | wasteland.QuestEvent
    | wasteland.QuestPursued | wasteland.EnemyEvent | wasteland.EnemyWoken | wasteland.EnemyKilled
    | wasteland.FightBegun | wasteland.AgendaRevealed | wasteland.FactionAdvanced | wasteland.LoyaltyDeclared
    | wasteland.TileFlipped
)  # fmt: skip


def _what(words: Words, names: Names, event: ThingEvent) -> str:
    match event:
        case wasteland.CardEvent() | wasteland.EquipmentChanged():
            return names.of(event.card)
        case wasteland.PerkEvent():
            return names.of(event.perk)
        case wasteland.TraitEvent():
            return in_words.trait(words, event.trait)
        case wasteland.QuestEvent() | wasteland.QuestPursued():
            return names.quest(event.number)
        case wasteland.EnemyEvent():
            return names.enemy(event.number)
        case wasteland.EnemyWoken() | wasteland.EnemyKilled() | wasteland.FightBegun():
            return names.of(event.enemy)
        case wasteland.AgendaRevealed():
            return names.of(event.agenda)
        case wasteland.TileFlipped():
            return names.tile(event.tile)
        case wasteland.FactionAdvanced() | wasteland.LoyaltyDeclared():
            return names.faction(event.faction) if event.faction else ""
        case _:
            assert_never(event)


def _needed(event: wasteland.EnemyHits | wasteland.SurvivorHits | wasteland.SkillTestJudged) -> int:
    match event:
        case wasteland.EnemyHits():
            return event.level
        case wasteland.SurvivorHits():
            return event.needed
        case wasteland.SkillTestJudged():
            return event.difficulty
        case _:
            assert_never(event)


GAME: Final = "wasteland"


def past_game(words: Words, story: Story, *, current: bool) -> PastGame:
    """Return a game as the history shows it: influence at the end, remaining HP before."""
    state = cast("WastelandState", story.state or {})
    result = state["result"]
    numbers = result["influence"] if result else story.standing
    return PastGame(
        game=story.game,
        began=story.steps[0].at[:16].replace("T", " "),
        round=state["round"],
        players=[
            (
                colour,
                name_of(words, state, colour),
                numbers.get(colour, 0),
                result is not None and colour in result["winners"],
            )
            for colour in story.colours
        ],
        chart=chart(story.steps, story.colours, counted=_influence if story.over else standing),
        current=current,
        over=story.over,
        trouble=story.trouble is not None,
        kinds=formats_of(story),
        name=words.text("wname"),
        unit=words.text("winfluence" if story.over else "wremaining"),
        curve=words.text("wcurve_influence" if story.over else "wcurve"),
    )


def _influence(step: StoryStep) -> Mapping[str, int]:
    """Return what every hand was worth: told once the game is over."""
    return step.tally


def history_entries(words: Words, names: Names, story: Story) -> list[HistoryEntry]:
    """Return the entries of the record, the newest first."""
    playing = story.state["players"] if story.state else {}
    return [
        HistoryEntry(
            step.nth, step.by if step.by in playing else "", _text_of_step(words, names, step, playing), step.round
        )
        for step in reversed(story.steps)
    ]


def _text_of_step(words: Words, names: Names, step: StoryStep, playing: object) -> str:
    who = names.player(step.by) if isinstance(playing, dict) and step.by in playing else ""
    key = f"wdid_{step.do.replace('-', '_')}"
    done = words.text(key) if words.has(key) else step.do
    what = " ".join(_word(words, names, word) for word in step.values)
    return " ".join(part for part in (f"{who}:" if who else "", done, what) if part)


def _word(words: Words, names: Names, word: str) -> str:
    key = f"wopt_{word.replace('-', '_')}"
    if words.has(key):
        return words.text(key)
    verb, _, thing = word.partition(":")
    return names.of(thing or verb)
