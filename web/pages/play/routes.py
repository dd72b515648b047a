"""The pages that people read: status, seat, big screen, joining. Looking is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from markupsafe import Markup

from companion.games.shelter.words import COLOURS
from companion.languages import catalogues
from companion.table.outside import read_number
from web.base.context import current, house, known_colour, recent, speaker
from web.base.preferences import choose, words
from web.games.shelter import offers, real_dice, vault
from web.games.wasteland import lazy_routes
from web.pages.history import charts
from web.pages.play import disagreements, feed, people, screen_show, status
from web.pages.play import missed as missing
from web.pages.play import seat as guiding
from web.pages.play import seat as seats
from web.pages.play.phone_routes import inside

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.session.intents import Speaker
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.pages.cards.view import Cards

blueprint = Blueprint("pages", __name__)
NOBODY_ELSES: Final = "//127."
"""So begins the address by which only this machine finds itself."""


@blueprint.app_context_processor
def common() -> dict[str, Any]:
    """What every template may use."""
    who = speaker()
    return {
        "w": words(),
        "me": who,
        "plays": current().state["game"],
        "drawn_table": house().playground is not None,
        "seq": current().seq,
        "languages": catalogues.names(),
        "COLOURS": COLOURS,
    }


def shown(snapshot: Snapshot, cards: Cards, who: Speaker, texts: Words) -> dict[str, Any]:
    """What status, seat and big screen have in common."""
    state = snapshot.state
    head, asked = status.head(texts, state), real_dice.choices(texts, state, cards, who.seats)
    return {
        "state": state,
        "head": head,
        "tell": status.tell(texts, state, who.seats, [choice.title for choice in asked]),
        "call": status.call(state, who.seats),
        "rows": people.rows(texts, state, who.seats),
        "asked": asked,
        "differing": disagreements.disagreements(texts, state, cards, who),
        "feed": feed.lines(texts, cards, recent()),
    }


@blueprint.get("/")
def index() -> ResponseReturnValue:
    """The status page."""
    if lazy_routes.is_played():
        return lazy_routes.wasteland.index()
    snapshot, cards, texts = current(), house().cards(), words()
    return render_template(
        "status.html",
        **shown(snapshot, cards, speaker(), texts),
        picture=vault.picture_of(snapshot.state, cards, texts.language, vault.PHONE),
        tracks=offers.on_tracks(texts, snapshot.state, cards),
    )


@blueprint.get("/seat/<colour>")
def seat(colour: str) -> ResponseReturnValue:
    """A player's own page; without the seat it shows the same and offers nothing."""
    snapshot, texts, who = current(), words(), speaker()
    known_colour(colour)
    if colour not in snapshot.state["players"]:
        head, playing = status.head(texts, snapshot.state), bool(snapshot.state["id"])
        return render_template("noseat.html", colour=colour, head=head, playing=playing, mine=colour in who.seats)
    if lazy_routes.is_played():
        return lazy_routes.wasteland.seat(colour)
    cards = house().cards()
    mine = colour in who.seats or who.host
    acts = type(who)(frozenset({colour}) if mine else frozenset(), who.host, who.name)
    legal = house().legal(colour) if mine else []
    return render_template(
        "seat.html",
        **shown(snapshot, cards, acts, texts),
        seat=seats.seat(texts, snapshot.state, cards, colour, legal),
        mine=mine,
        can_undo=mine and feed.last_to_move(snapshot.state, recent()) == colour,
        guide=guiding.guide(texts, snapshot.state, colour, legal) if mine else [],
        picture=vault.picture_of(snapshot.state, cards, texts.language, vault.PHONE),
    )


@blueprint.get("/seat/<colour>/missed")
def missed(colour: str) -> ResponseReturnValue:
    """What happened since this phone last looked, or since the seat's own last move."""
    snapshot, texts = current(), words()
    known_colour(colour)
    since = request.args.get("since", "")
    seen = read_number(since, "since")
    if lazy_routes.is_played():
        found = lazy_routes.wasteland.missed(colour, seen)
    else:
        found = missing.missed(texts, house().cards(), house().session.snapshots.all_newer_than(0, 0), colour, seen)
    head = status.head(texts, snapshot.state)
    return render_template("missed.html", head=head, colour=colour, missed=found, since=since, state=snapshot.state)


@blueprint.get("/table")
def table() -> ResponseReturnValue:
    """The big screen."""
    if lazy_routes.is_played():
        return lazy_routes.wasteland.table(joining())
    snapshot, cards, texts = current(), house().cards(), words()
    return render_template(
        "table.html",
        **shown(snapshot, cards, speaker(), texts),
        picture=vault.picture_of(snapshot.state, cards, texts.language, vault.SCREEN),
        steps=screen_show.steps(texts, snapshot.state, cards),
        showing=screen_show.is_on(snapshot.state),
        thrown=real_dice.on_screen(texts, snapshot.state),
        podium=screen_show.podium(snapshot.state),
        track_names={
            kind: [card.name for card in row] for kind, row in offers.on_tracks(texts, snapshot.state, cards).items()
        },
        **_ending(snapshot.state),
        fight=screen_show.fight(texts, snapshot.state, cards, recent()),
        names={colour: people.name_of(texts, snapshot.state, colour) for colour in COLOURS},
        **joining(),
    )


def joining() -> dict[str, Any]:
    """How to watch along, and which seats are free."""
    access = house().access
    free = [(colour, access.code(colour)) for colour in current().state["order"] or COLOURS if access.is_free(colour)]
    return {"free": free, "qr": qr(address() + url_for("pages.join")), "address": address()}


def _ending(state: dict[str, Any]) -> dict[str, Any]:
    """The chart of a finished game and the round that decided it."""
    story = house().stories.story(state["id"]) if state["phase"] == "over" else None
    if story is None:
        return {"chart": None, "decided": None}
    number = charts.decided(story)
    mark = charts.end_of(story.steps, number)
    return {"chart": charts.chart(story.steps, story.colours, charts.SCREEN, mark), "decided": number}


@blueprint.get("/join")
def join() -> ResponseReturnValue:
    """A QR code for every free seat, and a place to type a code."""
    texts, state = words(), current().state
    playing = state["order"] or list(COLOURS)
    shown_seats = [
        {
            "colour": colour,
            "name": people.name_of(texts, state, colour),
            "free": house().access.is_free(colour),
            "code": house().access.code(colour) if house().access.is_free(colour) else "",
            "qr": qr(address() + url_for("pages.join", seat=colour, code=house().access.code(colour)))
            if house().access.is_free(colour)
            else "",
        }
        for colour in playing
    ]
    asked = request.args.get("seat", "")
    return render_template(
        "join.html",
        seats=shown_seats,
        address=address(),
        asked=asked if asked in COLOURS else "",
        asked_name=people.name_of(texts, state, asked) if asked in COLOURS else "",
        code=request.args.get("code", "")[:12],
        head=status.head(texts, state),
    )


@blueprint.post("/language")
def language() -> ResponseReturnValue:
    """A phone chooses its language."""
    return choose(make_response(redirect(inside(request.form.get("back", "/")), 303)))


def address() -> str:
    """Where phones find the companion now; without a network, by the address that whoever asks has found it by."""
    told = house().address()
    return told if told and NOBODY_ELSES not in told else request.host_url.rstrip("/")


def qr(text: str) -> Markup:
    """A QR code as inline SVG; its only contents are our own address."""
    import segno  # noqa: PLC0415 - only the pages with a code wait for what it loads

    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None, dark="#12202b", light=None))  # noqa: S704
