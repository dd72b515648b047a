"""The pages of a game that has none of its own, made from what every game says of itself (`Game.view` and `spoken`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.registry import game_of
from companion.refusal import Refusal
from companion.table.record.export import formats_of
from companion.table.session import events as table
from companion.table.session.intents import StartGame
from web.base.words import Words, name_of, spoken
from web.games import charts, endings
from web.games.asking import WHO, Asking, answers_of
from web.games.endings import Ending
from web.games.feed import MOST_MISSED, FeedLine, last_to_move, missed_events, newest
from web.games.forms import players_of
from web.games.port import GamePages, Head, HistoryEntry, Page, PastGame, Reader

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.games.api import Text
    from companion.games.json_types import MoveJson
    from companion.table.record.history import Story, StoryStep
    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state_view import SnapshotState
    from web.games.feed import MissedEvents

MOST = 5
MORE = "more"
"""The last step of the questions before a game."""
PUT_AWAY = ("frozen", "over")
"""Phases in which it is nobody's turn."""


class ScoreLine(NamedTuple):
    colour: str
    name: str
    numbers: tuple[int | str, ...]
    on_turn: bool
    won: bool


class LabelledMove(NamedTuple):
    label: str
    move: MoveJson


class GenericPages(GamePages):
    """Status, seat with a button for each legal move, big screen, and the history of moves."""

    asks = (WHO, MORE)

    def __init__(self, name: str) -> None:
        self.game = game_of(name)

    def own_words(self, words: Words) -> Words:
        return words.with_texts(self.game.words(words.language))

    def head(self, words: Words, state: SnapshotState) -> Head:
        own = self.own_words(words)
        view = self.game.view(state, [], None)
        title = said(own, view.title)
        if state["result"]:
            title = _won(own, state)
        elif state["phase"] == "frozen":
            title = words.text("title_frozen")
        return Head(
            round=words.text("round", n=state["round"]) if state["round"] else "",
            phase=_named(own, "phase", state["phase"]),
            camera=state["table"]["camera"],
            camera_text=words.text(f"camera_{state['table']['camera']}"),
            colour=(state["turn"] or "") if state["phase"] not in PUT_AWAY else "",
            title=title,
            sub=said(own, view.lines[0]) if view.lines else "",
            last_round=False,
        )

    def status(self, reader: Reader) -> Page:
        return Page("generic/status.html", self._shown(reader, None, []))

    def seat(self, reader: Reader, colour: str) -> Page:
        mine = colour in reader.who.seats or reader.who.host
        legal = [offer.move for offer in reader.context.legal(colour, reader.who.seats & {colour})] if mine else []
        fields = {
            "colour": colour,
            "name": name_of(reader.words, reader.state, colour),
            "mine": mine,
            "can_undo": mine and last_to_move(reader.state, reader.recent()) == colour,
        }
        return Page("generic/seat.html", {**self._shown(reader, colour, legal), **fields})

    def screen(self, reader: Reader) -> Page:
        return Page("generic/screen.html", self._shown(reader, None, []))

    def _shown(self, reader: Reader, seat: str | None, legal: Sequence[MoveJson]) -> dict[str, object]:
        state, own = reader.state, self.own_words(reader.words)
        view = self.game.view(state, legal, seat)
        head = self.head(reader.words, state)
        winners = state["result"]["winners"] if state["result"] else []
        return {
            "state": state,
            "head": head,
            "title": self.game.title,
            "tell": spoken(head.title, head.sub),
            "call": f"turn{state['version']}" if state["turn"] in reader.who.seats else "",
            "lines": [said(own, line) for line in view.lines],
            "columns": [said(own, column) for column in view.columns],
            "rows": [
                ScoreLine(
                    row.colour,
                    name_of(own, state, row.colour),
                    row.numbers,
                    state["turn"] == row.colour,
                    row.colour in winners,
                )
                for row in view.rows
            ],
            "buttons": [LabelledMove(said(own, button.label), button.move) for button in view.buttons],
            "feed": self._lines(own, reader.recent(), MOST),
        }

    def _lines(self, own: Words, recent: Sequence[Snapshot], most: int) -> list[FeedLine]:
        return newest(lambda snapshot: self._of(own, snapshot), recent, most)

    def _of(self, own: Words, snapshot: Snapshot) -> list[FeedLine]:
        """What the game says aloud of its events, and the table of its own."""
        found = []
        for event in snapshot.events:
            if isinstance(event, table.TableEvent):
                key = f"happened_{table.serialize(event)['event']}"
                text = own.text(key) if isinstance(event, table.MoveUndone | table.MoveRedone) else ""
            else:
                line = self.game.spoken(event, snapshot.state)
                text = said(own, line) if line is not None else ""
            if text:
                found.append(FeedLine("", "", text))
        return found

    def happened(self, reader: Reader, snapshot: Snapshot) -> list[FeedLine]:
        return self._of(self.own_words(reader.words), snapshot)

    def ending(self, reader: Reader, me: str) -> Page | None:
        """Return who won and where the others stand, by what the game counts."""
        words, state = self.own_words(reader.words), reader.state
        if not state["result"]:
            return None
        places = endings.podium(words, state, self.game.standing(state), me)
        title, sub = endings.title(words, places, "") if state["result"]["winners"] else (_won(words, state), "")
        story = reader.context.stories.story(state["id"] or "")
        decision = endings.decision(words, state, story) if story else None
        small, large = endings.curves(story, decision.round if decision else None) if story else (None, None)
        measure = _named(words, self.game.measure)
        return Ending(
            title=title,
            sub=sub,
            me=me,
            places=places,
            unit=measure,
            columns=(),
            begins=name_of(words, state, state["order"][0]),
            id=state["id"] or "",
            has_steps=self.has_steps,
            decision=decision,
            phone_chart=small,
            screen_chart=large,
            curve=measure,
        ).page()

    def again(self, reader: Reader, setup: dict[str, object]) -> StartGame:
        return self.start(reader, setup, "")

    def missed(self, reader: Reader, colour: str, since: int | None) -> MissedEvents:
        own = self.own_words(reader.words)
        return missed_events(
            lambda recent: self._lines(own, recent, MOST_MISSED + 1),
            lambda *_: [],
            reader.context.session.snapshots.all_newer_than(0, 0),
            colour,
            since,
        )

    def past(self, words: Words, story: Story, *, current: bool) -> PastGame | None:
        state = story.state
        if state is None or not story.steps:
            return None
        winners = state["result"]["winners"] if state["result"] else []
        own = self.own_words(words)
        measure = _named(own, self.game.measure)
        return PastGame(
            game=story.game,
            began=story.steps[0].at[:16].replace("T", " "),
            round=state["round"],
            players=[
                (colour, name_of(words, state, colour), story.standing.get(colour, 0), colour in winners)
                for colour in story.colours
            ],
            chart=charts.chart(story.steps, story.colours),
            current=current,
            trouble=story.trouble is not None,
            kinds=formats_of(story),
            over=story.over,
            name=self.game.title,
            unit=measure,
            curve=measure,
        )

    def entries(self, reader: Reader) -> list[HistoryEntry]:
        story = reader.context.stories.story(reader.state["id"] or "")
        own, players = self.own_words(reader.words), reader.state["players"]
        return [
            HistoryEntry(step.nth, step.by if step.by in players else "", _done(own, reader.state, step), step.round)
            for step in reversed(story.steps if story else [])
        ]

    def start(self, reader: Reader, setup: object, pack: object) -> StartGame:
        if not isinstance(setup, dict) or not isinstance(pack, str) or pack not in ("", *self.game.packs()):
            packs = list(self.game.packs())
            raise Refusal("malformed", None, "setup is an object and pack one of the game's.", packs=packs)
        return StartGame(setup, plays=self.game.name, pack=pack, speaker=reader.who)

    def new_game(self, reader: Reader, asked: Mapping[str, str]) -> Page:
        answers, packs = answers_of(self.game.name, reader.state, asked, self.asks), self.game.packs()
        pack = answers.value("pack", packs, next(iter(packs), ""))
        ask = Asking(answers, MORE, {MORE: [("pack", pack)]})
        return Page("generic/new.html", {"ask": ask, "packs": packs, "pack": pack})

    def setup_of(self, form: Mapping[str, str]) -> dict[str, object]:
        """Players clockwise, and the names that they gave."""
        seated, names = players_of(form)
        return {"players": seated, "names": names}


def said(words: Words, text: Text) -> str:
    """Return a line of a game in the reader's words; its key where it has none."""
    fields = {
        key: ", ".join(map(str, field)) if isinstance(field, tuple) else field for key, field in text.fields.items()
    }
    return words.text(text.key, **fields) if words.has(text.key) else text.key.replace("_", " ")


def _named(words: Words, *parts: str) -> str:
    key = "_".join(parts)
    return words.text(key) if words.has(key) else parts[-1].replace("_", " ")


def _won(words: Words, state: SnapshotState) -> str:
    result = state["result"]
    winners = [name_of(words, state, colour) for colour in result["winners"]] if result else []
    key = "won" if len(winners) == 1 else "won_shared"
    return words.text(key, names=", ".join(winners)) if winners else words.text("phase_over")


def _done(words: Words, state: SnapshotState, step: StoryStep) -> str:
    who = f"{name_of(words, state, step.by)}:" if step.by in state["players"] else ""
    return " ".join(part for part in (who, _named(words, "did", step.do), *step.values) if part)


def pages_for(name: str) -> GenericPages:
    return GenericPages(name)
