"""What a family takes away from an evening: a picture for the chat, the play for BG Stats, a text for BoardGameGeek."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
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

    from companion.pieces.drawing.raster import PrintedPiece
    from companion.table.record.history import Story
    from web.games.port import PastGame

blueprint = Blueprint("take", __name__, url_prefix="/history")
BG_STATS: Final = "https://app.bgstatsapp.com/createPlay.html?data="
"""It opens the app where it is installed, which asks before it keeps anything; nothing is sent by us."""
OURS: Final = "table-companion"
PIXELS_PER_MM: Final = 8
HOUR: Final = 3600


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
    from companion.pieces.drawing.pen import OverflowingError  # noqa: PLC0415 - only a picture needs the pen
    from companion.pieces.drawing.raster import png_of  # noqa: PLC0415
    from companion.pieces.drawing.svg import svg_of  # noqa: PLC0415

    story, past, title = _ended(game)
    try:
        piece = _drawn(story, past, title)
        if kind == "svg":
            made = Response(svg_of(piece, _who_won(past)), mimetype="image/svg+xml")
        elif kind == "png":
            made = Response(png_of(piece, PIXELS_PER_MM), mimetype="image/png")
        else:
            raise Refusal("no_picture", None, "A picture is an svg or a png.", kinds=["svg", "png"])
    except OverflowingError as error:
        raise Refusal("no_picture", None, f"It cannot be drawn: {error}.") from error
    made.headers["Content-Disposition"] = f'inline; filename="{game}.{kind}"'
    made.cache_control.max_age = HOUR
    made.cache_control.private = True
    return made


def _drawn(story: Story, past: PastGame, title: str) -> PrintedPiece:
    from web.games.keepsake import FinalScore, keepsake  # noqa: PLC0415 - only a picture needs the pen

    results = [FinalScore(colour, name, number, won) for colour, name, number, won in past.players]
    results.sort(key=lambda one: (not one.won, -one.points))
    table = pages_of(story.state["game"]).table_picture(reader(), story) if story.state else None
    return keepsake(_who_won(past), f"{title} · {past.began}", results, table)


def _who_won(past: PastGame) -> str:
    winners = [name for _, name, _, won in past.players if won]
    return (
        words().text("won" if len(winners) == 1 else "won_shared", names=", ".join(winners)) if winners else past.name
    )


def told(past: PastGame, title: str) -> str:
    """Return the evening as a few lines of plain text."""
    texts = words()
    ranked = sorted(past.players, key=lambda one: (not one[3], -one[2]))
    lines = [f"{title}, {past.began[:10]}", *(f"{'* ' if won else ''}{name}: {n}" for _, name, n, won in ranked)]
    lines.append(texts.text("round", n=past.round))
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
