"""What a family takes away from an evening: a picture for the chat, the play for BG Stats, a text for BoardGameGeek."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from flask import Blueprint, Response, render_template

from companion.games.registry import game_of
from companion.refusal import Refusal
from web.base.preferences import words
from web.base.request import context, reader
from web.games.port import pages_of
from web.pages.join import qr

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.record.history import Story
    from web.games.port import PastGame

blueprint = Blueprint("take", __name__, url_prefix="/history")
BG_STATS: Final = "https://app.bgstatsapp.com/createPlay.html?data="
"""It opens the app where it is installed, which asks before it keeps anything; nothing is sent by us."""
OURS: Final = "table-companion"
PIXELS_PER_MM: Final = 8
HOUR: Final = 3600
KINDS: Final = {"svg": "image/svg+xml", "png": "image/png"}
MOST_PICTURES: Final = 8
"""So many stay in memory: a picture takes a Pi a second or two, and anybody may ask for it."""


class Drawn(NamedTuple):
    """What a picture shows: a game up to an entry, in the words of a language."""

    folder: str
    game: str
    last: int
    language: str
    kind: str


_pictures: dict[Drawn, bytes] = {}
_drawing = threading.Lock()


def _ended(game: str) -> tuple[Story, PastGame, str]:
    """Return a game that has its result, as the history lists it, and its name."""
    story = context().stories.story(game)
    state = story.state if story is not None and story.over else None
    past = pages_of(state["game"]).past(words(), story, current=False) if story and state else None
    if story is None or state is None or past is None:
        raise Refusal("no_such_game", None, "There is no such game that is over.")
    return story, past, game_of(state["game"]).title


@blueprint.get("/<game>/take")
def page(game: str) -> ResponseReturnValue:
    story, past, title = _ended(game)
    link = play_link(story, past, title)
    return render_template("take/take.html", past=past, link=link, code=qr(link, error="l"), text=told(past, title))


@blueprint.get("/<game>/picture.<kind>")
def picture(game: str, kind: str) -> ResponseReturnValue:
    """Draw who played, how it ended, and the table at the end."""
    story, past, title = _ended(game)
    if kind not in KINDS:
        raise Refusal("no_picture", None, "A picture is an svg or a png.", kinds=sorted(KINDS))
    drawn = Drawn(str(context().folder), game, story.steps[-1].nth, words().language, kind)
    with _drawing:  # whoever asks again and again, in however many windows, has it drawn once
        made = _pictures.pop(drawn, None) or _draw(kind, story, past, title)
        _pictures[drawn] = made
        while len(_pictures) > MOST_PICTURES:
            del _pictures[next(iter(_pictures))]
    response = Response(made, mimetype=KINDS[kind])
    response.headers["Content-Disposition"] = f'inline; filename="{game}.{kind}"'
    response.cache_control.max_age = HOUR
    response.cache_control.private = True
    return response


def _draw(kind: str, story: Story, past: PastGame, title: str) -> bytes:
    from companion.pieces.drawing.pen import OverflowingError  # noqa: PLC0415 - only a picture needs the pen
    from companion.pieces.drawing.raster import png_of  # noqa: PLC0415
    from companion.pieces.drawing.svg import svg_of  # noqa: PLC0415
    from web.games.keepsake import FinalScore, keepsake  # noqa: PLC0415

    results = [FinalScore(colour, name, number, won) for colour, name, number, won in past.players]
    results.sort(key=lambda one: (not one.won, -one.points))
    table = pages_of(story.state["game"]).table_picture(reader(), story) if story.state else None
    piece = keepsake(_who_won(past), f"{title} · {past.began}", results, table)
    try:
        return png_of(piece, PIXELS_PER_MM) if kind == "png" else svg_of(piece, _who_won(past)).encode()
    except OverflowingError as error:
        raise Refusal("no_picture", None, f"It cannot be drawn: {error}.") from error


def _who_won(past: PastGame) -> str:
    winners = [name for _, name, _, won in past.players if won]
    return (
        words().text("won" if len(winners) == 1 else "won_shared", names=", ".join(winners)) if winners else past.name
    )


def told(past: PastGame, title: str) -> str:
    """Return the evening as a few lines of plain text."""
    texts = words()
    ranked = sorted(past.players, key=lambda one: (not one[3], -one[2]))
    lines = [
        f"{title}, {past.began[:10]}",
        *([past.name] if past.told else []),
        *(f"{'* ' if won else ''}{name}: {n}" for _, name, n, won in ranked),
    ]
    lines += past.told or [texts.text("round", n=past.round)]
    if past.decided:
        lines.append(texts.text("decided_round", n=past.decided))
    return "\n".join(lines)


def play_link(story: Story, past: PastGame, title: str) -> str:
    """Return the link that hands a play over to BG Stats, in the form that the app has published."""
    began, ended = (_utc(step.at) for step in (story.steps[0], story.steps[-1]))
    ranked = sorted({number for *_, number, _ in past.players}, reverse=True)
    play: dict[str, object] = {
        "sourceName": OURS,
        "sourcePlayId": past.game,
        "game": {"name": title, "sourceGameId": title, "highestWins": True, "noPoints": False},
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                "score": number,
                "rank": ranked.index(number) + 1,
                "winner": won,
                "startPlayer": story.steps[0].turn == colour,
            }
            for colour, name, number, won in past.players
        ],
    }
    if ended is not None:
        play["playDate"] = f"{ended:%Y-%m-%d %H:%M:%S}"
    if began is not None and ended is not None and ended > began:
        play["durationMin"] = max(1, round((ended - began).total_seconds() / 60))
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")


def _utc(at: str) -> datetime | None:
    """Return when an entry was written; a record of before may not say it."""
    try:
        found = datetime.fromisoformat(at)
    except ValueError:
        return None
    return found.astimezone(UTC)
