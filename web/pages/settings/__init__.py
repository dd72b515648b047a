"""How the people play: the host changes it at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, jsonify, redirect, url_for

from companion.languages import catalogues
from companion.refusal import Refusal
from companion.table.session.intents import ChangeSettings
from companion.table.session.settings import LONGEST_REST, WAYS
from web.base.request import context, current, is_form, opened, payload, the_host

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("settings", __name__)
NAMES: Final = ("way", "rest", "voice", "language", "bots_wait")


@blueprint.get("/host/settings")
def page() -> ResponseReturnValue:
    return opened(
        "settings/settings.html",
        table=current().state["table"],
        voice=current().state["devices"].get("voice", {}),
        ways=WAYS,
        languages_of_table=catalogues.names(),
        longest=LONGEST_REST,
    )


@blueprint.post("/api/host/settings")
def change() -> ResponseReturnValue:
    """Change the settings; what is not named stays, but for a form's ticks."""
    who, raw = the_host(), payload()
    unknown = set(raw) - set(NAMES)
    if unknown and not is_form():
        raise Refusal("malformed", None, f"{min(unknown)[:40]!r} is no setting.", field=min(unknown)[:40])
    if is_form():
        raw = {
            "way": raw.get("way"),
            "rest": number_of(raw.get("rest")),
            "voice": raw.get("voice") == "on",
            "language": raw.get("language") or None,
            "bots_wait": raw.get("bots_wait") == "on",
        }
    named = {name: raw.get(name) for name in NAMES}
    context().do(ChangeSettings(speaker=who, **named))
    return redirect(url_for("settings.page"), 303) if is_form() else jsonify(played())


def number_of(raw: object) -> float | None:
    """Read a number as people write it, also with a comma; what is none is refused by the settings themselves."""
    try:
        return float(str(raw).replace(",", "."))
    except ValueError:
        return float("nan")


def played() -> dict[str, object]:
    table = context().latest.state["table"]
    return {name: table[name] for name in NAMES}
