"""The rules in plain words: a page of them all, and one for every icon and card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template

from companion.refusal import Refusal
from web.base.preferences import words
from web.base.request import context, current, head
from web.games.shelter import readings
from web.games.shelter.cards import cards_in_play
from web.pages.rules import view

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules")
def everything() -> ResponseReturnValue:
    texts, on = words(), readings.in_force(current())
    return render_template(
        "rules/rules.html",
        head=head(),
        icons=[view.icon_rule(texts, name) for name in view.ICONS],
        kinds=view.kinds(texts, cards_in_play(context())),
        readings=readings.groups(texts, on, readings.head_starts_in_force(texts, current())),
        agreed=readings.agreed(texts, on),
    )


@blueprint.get("/rules/<key>")
def one(key: str) -> ResponseReturnValue:
    """One icon or card; the pages' script shows it over the page."""
    texts = words()
    found = view.sheet(texts, cards_in_play(context()), key)
    if found is None:
        raise Refusal("no_such_page", None, f"There is no rule of {key[:40]!r}.")
    return render_template("rules/rule.html", head=head(), sheet=found)
