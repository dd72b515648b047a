"""Past evenings: the people, the games, a game step by step, and what can be taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, make_response, render_template, request

from companion.refusal import Refusal
from companion.table.outside import read_number
from companion.table.record.export import FORMATS, formats_of
from web.base.context import house
from web.base.preferences import words
from web.games.shelter import vault
from web.games.wasteland import past as wasteland
from web.pages.cards.view import cards_of
from web.pages.history import charts, view
from web.pages.play import people

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.record.history import Story

blueprint = Blueprint("history", __name__, url_prefix="/history")
KINDS = {"journal": "application/x-ndjson", "json": "application/json", "csv": "text/csv", "html": "text/html"}


@blueprint.get("")
def games() -> ResponseReturnValue:
    """Past games, the newest first, and everybody who gave a name."""
    texts, record = words(), house().stories.record()
    told = {game: house().stories.story(game) for game in reversed(record.games)}
    stories = [story for story in told.values() if story is not None and _is_ours(story)]
    return render_template(
        "history.html",
        games=[view.past(texts, story, current=story.game == record.current) for story in stories],
        people=view.people(texts, reversed(stories)),
        wasteland=[
            wasteland.past(texts, story, current=story.game == record.current)
            for story in told.values()
            if story is not None and story.state is not None and story.state["game"] == wasteland.GAME
        ],
    )


@blueprint.get("/<game>")
def steps(game: str) -> ResponseReturnValue:
    """A game step by step."""
    texts, story = words(), house().stories.story(game)
    if story is None or not _is_ours(story) or not story.steps:
        raise Refusal("no_such_game", None, "There is no such game.")
    nth = min(read_number(request.args.get("step", ""), "step") or 0, len(story.steps) - 1)
    open_game = house().stories.game_at(game, story.steps[nth].nth)
    if open_game is None:
        raise Refusal("no_such_game", None, "There is no such game.")
    state, cards = open_game.state(), cards_of(open_game.pack)
    return render_template(
        "steps.html",
        state=state,
        game=view.past(texts, story, current=False),
        nth=nth,
        last=len(story.steps) - 1,
        text=view.text_of(texts, state, cards, story.steps[nth]),
        colour=story.steps[nth].by if story.steps[nth].by in state["players"] else "",
        rounds=_rounds(story),
        rows=people.rows(texts, state, frozenset()),
        picture=vault.picture_of(state, cards, texts.language, vault.PHONE),
        chart=charts.chart(story.steps, story.colours, mark=nth),
    )


def _is_ours(story: Story) -> bool:
    return story.state is not None and story.state["game"] == view.SHELTER


def _rounds(story: Story) -> list[tuple[int, int]]:
    """Each round and the step with which it begins."""
    found: dict[int, int] = {}
    for at, step in enumerate(story.steps):
        found.setdefault(step.round, at)
    return [(number, at) for number, at in found.items() if number]


@blueprint.get("/<game>.<kind>")
def export(game: str, kind: str) -> ResponseReturnValue:
    """A game to take away."""
    entries, story = house().stories.entries(game), house().stories.story(game)
    if not entries or story is None or kind not in FORMATS:
        raise Refusal("no_such_game", None, "There is no such game or format.", formats=sorted(FORMATS))
    if kind not in formats_of(story):
        raise Refusal(
            "secret_until_over", None, "It tells the seed, every deck and every hand; it is handed out after the end."
        )
    response = make_response(FORMATS[kind](entries))
    response.mimetype = KINDS[kind]
    response.headers["Content-Disposition"] = f'attachment; filename="{game}.{kind}"'
    return response
