"""The rules in plain words: a page of them all, one for every icon and card, and the vault itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, url_for

from companion.refusal import Refusal
from web.base.context import current, house
from web.base.preferences import words
from web.games.shelter import offers
from web.games.wasteland import lazy_routes
from web.pages.play import status
from web.pages.rules import view

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("rules", __name__)


@blueprint.app_template_filter()
def short(number: float) -> str:
    """A coordinate without what nobody sees."""
    return f"{round(number, 2):g}"


@blueprint.get("/rooms")
def vault() -> ResponseReturnValue:
    """The vault in words: every room, what it gives, what lies on it and who stands there."""
    texts, state = words(), current().state
    if state["game"] == lazy_routes.GAME:
        return redirect(url_for("pages.index"), 303)
    return render_template(
        "rooms.html",
        head=status.head(texts, state),
        tell=status.tell(texts, state, frozenset(), []),
        levels=offers.levels(texts, state, house().cards()),
    )


@blueprint.get("/rules")
def everything() -> ResponseReturnValue:
    """All icons, and a way to every card."""
    texts = words()
    return render_template(
        "rules.html",
        head=status.head(texts, current().state),
        icons=[view.icon_rule(texts, name) for name in view.ICONS],
        kinds=view.kinds(texts, house().cards()),
    )


@blueprint.get("/rules/<key>")
def one(key: str) -> ResponseReturnValue:
    """One icon or card; the pages' script shows it over the page."""
    texts = words()
    found = view.sheet(texts, house().cards(), key)
    if found is None:
        raise Refusal("no_such_page", None, f"There is no rule of {key[:40]!r}.")
    return render_template("rule.html", head=status.head(texts, current().state), sheet=found)
