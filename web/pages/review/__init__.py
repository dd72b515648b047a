"""What decided a finished game: the moments, what choices cost, and the dice, once it has been worked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, url_for

from companion.refusal import Refusal
from companion.table.bots import reviews
from web.base.preferences import words
from web.base.request import context, reader
from web.base.templating import render
from web.games.port import pages_of

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.record.history import Story

blueprint = Blueprint("review", __name__, url_prefix="/history")


def _ended(game: str) -> tuple[Story, str]:
    """Return a game that has its result and can be reviewed, and what was played."""
    story = context().stories.story(game)
    plays = story.state["game"] if story is not None and story.state is not None and story.over else ""
    if story is None or not plays or story.trouble is not None or not reviews.can_be_reviewed(plays):
        raise Refusal("no_such_game", None, "There is no such game that is over and that bots can judge.")
    return story, plays


@blueprint.get("/<game>/review")
def page(game: str) -> ResponseReturnValue:
    story, plays = _ended(game)
    found = reviews.read(context().folder, game, plays, story.steps[-1].nth)
    made = None if found is None else pages_of(plays).review(reader(), story, found)
    if made is not None:
        return render(made)
    reviewer = context().reviewer
    past = pages_of(plays).past(words(), story, current=False)
    return render_template(
        "review/waiting.html", past=past, asks=reviewer is not None, how=reviewer.state(game) if reviewer else ""
    )


@blueprint.post("/<game>/review")
def ask(game: str) -> ResponseReturnValue:
    """Have a game looked at that was played before, or once more where it failed."""
    _ended(game)
    reviewer = context().reviewer
    if reviewer is not None:
        reviewer.ask(game)
    return redirect(url_for("review.page", game=game), 303)
