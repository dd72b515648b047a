"""The rules in plain words: a page of all entries with a search, and one for every entry, icon and card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template, request

from companion.games.registry import game_of
from companion.refusal import Refusal
from web.base.preferences import words
from web.base.request import current, head, plays, reader
from web.pages.rules import view

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("rules", __name__)


def _game() -> str:
    """Return the game whose rules are asked for: the one that is played, unless the address names another."""
    asked = request.args.get("game", "")
    return asked if asked in view.games() else str(current().state["game"])


@blueprint.get("/rules")
def everything() -> ResponseReturnValue:
    texts, game = words(), _game()
    asked = " ".join(request.args.get("q", "").split())[: view.LONGEST_SEARCH]
    is_played = game == current().state["game"]
    return render_template(
        "rules/rules.html",
        head=head(),
        game=game_of(game),
        asked=asked,
        sections=view.sections(game, texts.language, asked),
        more=plays().rules(reader()) if is_played and not asked else None,
        others=[game_of(name) for name in view.games() if name != game],
    )


@blueprint.get("/rules/<key>")
def one(key: str) -> ResponseReturnValue:
    """One entry, icon or card; the pages' script shows it over the page."""
    language, game = words().language, _game()
    found = view.find(game, language, key)
    printed = plays().rule(reader(), key)
    if printed is not None:
        return render_template(
            printed.template, head=head(), also=[found[1]] if found is not None else [], **printed.fields
        )
    if found is None:
        raise Refusal("no_such_page", None, f"There is no rule of {key[:40]!r}.")
    also = view.related(found[0], language, found[1].id)
    return render_template("rules/entry.html", head=head(), entry=found[1], also=also)
