"""Bots and odds: who plays which seat, the figure that a bot waits for, and which odds are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, jsonify, redirect, render_template, request, url_for

from companion.bots.policy.characters import CHARACTERS
from companion.refusal import Refusal
from companion.table.bots import win_forecast
from companion.table.session.intents import ChangeSettings, Follow, SeatBot
from companion.table.session.settings import ODDS
from web.base.context import acting, current, house, is_form, known_colour, payload, speaker, the_host
from web.base.preferences import words
from web.games.shelter import odds
from web.pages.bots import view
from web.pages.history import charts
from web.pages.play import status
from web.pages.play.phone_routes import inside

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.pages.cards.view import Cards

blueprint = Blueprint("bots", __name__)
HELPERS: Final = ("officer", "seer")
"""Processes that play for bots and tell chances; what is wrong with one is told where bots are seated."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What bots and odds add to a page; worked out where a page asks for it."""

    words: Words
    snapshot: Snapshot

    @property
    def cards(self) -> Cards:
        """The cards in play."""
        return house().cards()

    def said(self) -> view.Said | None:
        """The figure that a bot waits for."""
        return view.said(self.words, self.snapshot.state, self.cards)

    def chair(self, colour: str) -> view.Chair | None:
        """Who plays a seat."""
        return next((one for one in view.chairs(self.words, self.snapshot.state) if one.colour == colour), None)

    def character(self, name: str) -> str:
        """What a character is called."""
        return view.character(self.words, name)

    def fights(self) -> list[odds.Fight]:
        """The fights that wait for a roll."""
        return odds.fights_now(self.words, self.snapshot, self.cards)

    def fights_of(self, colour: str) -> list[odds.Fight]:
        """The fights that a seat could begin now."""
        if self.snapshot.state["turn"] != colour or self.snapshot.state["phase"] != "place":
            return []
        places = dict.fromkeys(offer.move["space"] for offer in house().legal(colour) if offer.move["do"] == "place")
        return odds.fights_open(self.words, self.snapshot, self.cards, colour, list(places))

    def columns(self) -> list[odds.Column]:
        """How likely each column is."""
        return odds.columns(self.snapshot)

    def dangers(self) -> list[odds.Danger]:
        """What the next threats may bring."""
        return odds.dangers(self.words, self.snapshot, self.cards)

    def chances(self, game: str, last: int) -> charts.Curve | None:
        """How the chances to win went, round by round."""
        return charts.curve_of(win_forecast.read(house().folder, game), last)

    def bar(self) -> odds.Bar | None:
        """Everybody's chance to win."""
        return odds.bar(self.words, self.snapshot.state)


@blueprint.app_context_processor
def beside() -> dict[str, Any]:
    """For every page."""
    return {"beside": Beside(words(), current()), "CHARACTERS": CHARACTERS}


@blueprint.get("/host/bots")
def page() -> ResponseReturnValue:
    """Who plays which seat, and which odds are shown: the host's."""
    if not speaker().host:
        return redirect(url_for("host.page"), 303)
    texts, state = words(), current().state
    return render_template(
        "bots.html",
        head=status.head(texts, state),
        chairs=view.chairs(texts, state),
        can_play=any("bot" in player for player in state["players"].values()),
        shown=state["odds"]["shown"],
        odds=ODDS,
        troubles=[told for name in HELPERS if (told := state["devices"].get(name)) and told["hint"]],
    )


@blueprint.post("/api/seats/<colour>/bot")
def seat(colour: str) -> ResponseReturnValue:
    """Hand a seat to a bot, or take it back."""
    who, raw = acting(), payload()
    character = raw.get("character")
    if character is not None and not isinstance(character, str):
        raise Refusal("malformed", None, "character is a text, or null.", field="character")
    house().do(SeatBot(known_colour(colour), character or None, who))
    if is_form():
        return redirect(inside(raw.get("back", "")) if raw.get("back") else url_for("bots.page"), 303)
    return jsonify(seat=colour, character=character or None)


@blueprint.post("/api/suggestion/done")
def done() -> ResponseReturnValue:
    """Somebody has moved the figure as the bot said."""
    answer = house().do(Follow(acting()))
    return redirect(inside(request.form.get("back", "/")), 303) if is_form() else jsonify(answer.as_json())


@blueprint.post("/api/host/odds")
def show() -> ResponseReturnValue:
    """Which odds are shown: what is not named stays, but for a form's ticks."""
    who, raw = the_host(), payload()
    if is_form():
        raw = {name: name in raw for name in ODDS}
    unknown = set(raw) - set(ODDS)
    if unknown:
        raise Refusal("malformed", None, f"It is {', '.join(ODDS)}.", field=min(unknown)[:40])
    house().do(ChangeSettings(speaker=who, **{f"odds_{name}": value for name, value in raw.items()}))
    return redirect(url_for("bots.page"), 303) if is_form() else jsonify(shown=house().latest.state["odds"]["shown"])
