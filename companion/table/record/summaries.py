"""Past games in short, for lists of them: what was read of a game once is not replayed again.

Everything here can be found anew from the record. What does not verify, or was made by another version, is.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, astuple, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, cast

from companion.canonical import seal, unseal
from companion.table.record.history import Deed, Story, StoryStep
from companion.version import version

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from companion.table.record.entries import LastEntry
    from companion.table.record.open_game import OpenGameState

FILE: Final = "summaries.sqlite3"
_FORMAT: Final = 2
_SCHEMA: Final = "CREATE TABLE IF NOT EXISTS summaries (game TEXT PRIMARY KEY, last TEXT, result TEXT, story TEXT)"
_STATE: Final = ("version", "id", "game", "round", "phase", "turn", "order", "result", "together", "house_call")
"""What a list of games shows of their states; of the players it shows the names."""


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """How somebody ended a game."""

    colour: str
    name: str
    happiness: int
    won: bool


@dataclass(frozen=True, slots=True)
class GameSummary:
    """Whether a game is over, and how."""

    game: str
    over: bool
    scores: tuple[PlayerScore, ...] = ()
    began: str = ""
    plays: str = ""
    won: bool = False
    """Whether anybody has won."""
    names: tuple[tuple[str, str], ...] = ()
    """What the players were called, by colour."""
    points: int | None = None
    """What an evening is worth whose chance other tables have too."""
    week: str = ""
    campaign: tuple[str, str, int] | None = None
    deeds: tuple[Deed, ...] = ()


def result_of(story: Story) -> GameSummary:
    """Return how a game ended; one that is not over, or whose players do not score happiness, has no scores."""
    state = story.state
    result = state["result"] if state is not None else None
    about = story.campaign
    campaign = None if about is None else (about["id"], about["run"] or story.game, about["evening"])
    if state is None or not result:
        return GameSummary(story.game, over=False, week=story.week, campaign=campaign)
    scores = cast("dict[str, dict[str, int]]", result.get("scores", {}))
    return GameSummary(
        story.game,
        over=True,
        scores=tuple(
            PlayerScore(colour, state["players"][colour]["name"], score["happiness"], colour in result["winners"])
            for colour, score in scores.items()
            if "happiness" in score
        ),
        began=story.steps[0].at if story.steps else "",
        plays=state["game"],
        won=bool(result["winners"]),
        names=tuple((colour, player["name"]) for colour, player in state["players"].items()),
        points=story.points,
        week=story.week,
        campaign=campaign,
        deeds=story.deeds,
    )


class Summaries:
    """The past games of a folder in short. A disk that does not take them costs time, nothing else."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def results(self, games: Mapping[str, LastEntry]) -> dict[str, GameSummary]:
        """Return the results that are known, of games that have not grown since."""
        found = {}
        with suppress(sqlite3.Error), self._open() as db:
            for game, last, text in db.execute("SELECT game, last, result FROM summaries"):
                raw = unseal(text)
                if game in games and raw is not None and _is_of(raw, games[game], last):
                    found[game] = _summary(raw)
        return found

    def story(self, last: LastEntry) -> Story | None:
        """Return a game in short: its steps tell rounds and standings, its state what `_STATE` names."""
        with suppress(sqlite3.Error), self._open() as db:
            row = db.execute("SELECT story FROM summaries WHERE game = ? AND last = ?", last[::2]).fetchone()
            raw = unseal(row[0]) if row is not None else None
            if raw is not None and _is_of(raw, last, last.hash):
                return _parsed(raw)
        return None

    def keep(self, last: LastEntry, story: Story) -> None:
        made = {"of": last.hash, "by": _maker(), "game": story.game}
        result = result_of(story)
        short = {**made, **_told(result)}
        row = (story.game, last.hash, seal(short), seal({**made, **_shortened(story)}))
        try:
            with self._open() as db, db:
                db.execute("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?)", row)
        except sqlite3.OperationalError:
            return  # busy, or no room: it is found again
        except sqlite3.DatabaseError:
            with suppress(OSError):
                self._path.unlink()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path)) as db:
            db.execute("PRAGMA synchronous=OFF")
            db.execute(_SCHEMA)
            yield db


def _maker() -> str:
    return f"{version()}/{_FORMAT}"


def _told(result: GameSummary) -> dict[str, object]:
    """Return a summary as it is kept; `game` is there already."""
    kept = asdict(result)
    return {**kept, "scores": [astuple(one) for one in result.scores]}


def _summary(raw: Mapping[str, Any]) -> GameSummary:
    kept = {key: raw[key] for key in ("game", "over", "began", "plays", "won", "points", "week")}
    return GameSummary(
        **kept,
        scores=tuple(PlayerScore(*one) for one in raw["scores"]),
        names=tuple((colour, name) for colour, name in raw["names"]),
        campaign=None if raw["campaign"] is None else tuple(raw["campaign"]),
        deeds=tuple(Deed(*one) for one in raw["deeds"]),
    )


def _is_of(raw: Mapping[str, object], last: LastEntry, found: object) -> bool:
    return (raw["of"], raw["by"], raw["game"], found) == (last.hash, _maker(), last.game, last.hash)


def _shortened(story: Story) -> dict[str, object]:
    runs = groupby(story.steps, key=lambda step: (step.round, [step.standing.get(one, 0) for one in story.colours]))
    state = story.state
    return {
        "began": story.steps[0].at if story.steps else "",
        "week": story.week,
        "campaign": story.campaign,
        "points": story.points,
        "deeds": story.deeds,
        "colours": story.colours,
        "steps": [[number, standing, sum(1 for _ in steps)] for (number, standing), steps in runs],
        "state": None if state is None else _shortened_state(state),
        "trouble": story.trouble,
        "measure": story.measure,
        "standing": story.standing,
    }


def _shortened_state(state: OpenGameState) -> dict[str, object]:
    whole = cast("Mapping[str, object]", state)
    players = {colour: {"name": player["name"]} for colour, player in state["players"].items()}
    return {**{key: whole[key] for key in _STATE if key in whole}, "players": players}


def _parsed(raw: Mapping[str, Any]) -> Story:
    steps: list[StoryStep] = []
    for number, standings, times in raw["steps"]:
        standing = dict(zip(raw["colours"], standings, strict=True))
        steps += [_step(len(steps), raw["began"], number, standing)] * times
    story = Story(raw["game"], raw["colours"], steps, raw["state"], raw["trouble"], raw["measure"], raw["standing"])
    story.week, story.campaign, story.points = raw["week"], raw["campaign"], raw["points"]
    story.deeds = tuple(Deed(*one) for one in raw["deeds"])
    return story


def _step(nth: int, at: str, number: int, standing: dict[str, int]) -> StoryStep:
    return StoryStep(nth, at, "", "", {}, (), None, None, number, "", "", standing)
