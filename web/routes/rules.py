"""The rules in plain words: a page of them all, one for every icon and card, and the vault itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, render_template, url_for

from companion.games.refusal import Refusal
from web.house import current, house
from web.presenting import offers, ruling, status
from web.routes import second
from web.wording import words

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
    if state["game"] == second.GAME:
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
        icons=[ruling.icon_rule(texts, name) for name in ruling.ICONS],
        kinds=ruling.kinds(texts, house().cards()),
    )


@blueprint.get("/rules/<key>")
def one(key: str) -> ResponseReturnValue:
    """One icon or card; the pages' script shows it over the page."""
    texts = words()
    found = ruling.sheet(texts, house().cards(), key)
    if found is None:
        raise Refusal("no_such_page", None, f"There is no rule of {key[:40]!r}.")
    return render_template("rule.html", head=status.head(texts, current().state), sheet=found)
