"""Past evenings: the people, the games, a game step by step, and what can be taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, make_response, render_template, request

from companion.refusal import Refusal
from companion.table.outside import read_number
from companion.table.record.export import FORMATS, exported, formats_of
from web.base.preferences import words
from web.base.request import context, reader
from web.base.templating import render
from web.games.charts import curve_of
from web.games.port import Door, pages_of
from web.pages.history.view import past_games, people

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web.base.past_games import GamesPage
    from web.games.charts import Curve

blueprint = Blueprint("history", __name__, url_prefix="/history")
door = Door("/history", "nav_history", place=2)
MOST_PEOPLE: Final = 30
"""So many stand on the first page; the others have one of their own."""
KINDS = {"journal": "application/x-ndjson", "json": "application/json", "csv": "text/csv", "html": "text/html"}


@blueprint.get("")
def games() -> ResponseReturnValue:
    """Past games, the newest first, and everybody who gave a name."""
    everybody = request.args.get("people") == "all"
    page = page_asked_for()
    results, missing = context().stories.results()
    counted = people(results) if page.newer is None else []
    return render_template(
        "history/history.html",
        games=[] if everybody else past_games(words(), page),
        page=page,
        people=counted if everybody else counted[:MOST_PEOPLE],
        more_people=not everybody and len(counted) > MOST_PEOPLE,
        missing=missing,
        chances=chances,
    )


def page_asked_for() -> GamesPage:
    """Return the page of past games that the address names, the first one where it names none."""
    return context().stories.page(read_number(request.args.get("page", ""), "page") or 0)


def chances(game: str, last: int) -> Curve | None:
    """How the chances to win went, round by round."""
    from companion.table.bots import win_forecast  # noqa: PLC0415 - it loads the bots; the first page comes before

    return curve_of(win_forecast.read(context().folder, game), last)


@blueprint.get("/<game>")
def steps(game: str) -> ResponseReturnValue:
    story = context().stories.story(game)
    state = story.state if story is not None and story.steps else None
    if story is None or state is None:
        raise Refusal("no_such_game", None, "There is no such game.")
    nth = min(read_number(request.args.get("step", ""), "step") or 0, len(story.steps) - 1)
    found = pages_of(state["game"]).step(reader(), story, nth)
    if found is None:
        raise Refusal("no_such_game", None, "There is no such game.")
    return render(found)


@blueprint.get("/<game>.<kind>")
def export(game: str, kind: str) -> ResponseReturnValue:
    entries, story = context().stories.entries(game), context().stories.story(game)
    if not entries or story is None or kind not in FORMATS:
        raise Refusal("no_such_game", None, "There is no such game or format.", formats=sorted(FORMATS))
    if kind not in formats_of(story):
        raise Refusal(
            "secret_until_over", None, "It tells the seed, every deck and every hand; it is handed out after the end."
        )
    response = make_response(exported(kind, entries, story))
    response.mimetype = KINDS[kind]
    response.headers["Content-Disposition"] = f'attachment; filename="{game}.{kind}"'
    return response
