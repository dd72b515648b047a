"""The second game's pages: survivor boards, its big screen, its forms, its new game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import redirect, render_template, request, url_for

from companion.cards.wasteland.words import LETTERS, EnemyType
from companion.games.wasteland.words import COLOURS
from companion.refusal import Refusal
from companion.table.session.intents import StartGame, Tap
from companion.table.session.state_view import private_of
from web.base.context import acting, current, house, known_colour, recent, speaker, the_host
from web.base.preferences import words
from web.games.wasteland import actions, board, choices, contest, head, past, scene
from web.games.wasteland import actions as deeds
from web.games.wasteland import feed as happening
from web.games.wasteland import names as relaying
from web.games.wasteland.actions import setup_of
from web.games.wasteland.names import Names
from web.pages.history import charts
from web.pages.play import feed, people, status
from web.pages.play import missed as missing
from web.pages.play.phone_routes import inside

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.record.history import Story
    from companion.table.session.intents import Speaker
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.pages.history.view import Entry
    from web.pages.host.view import Relaying


def names_of(texts: Words, snapshot: Snapshot) -> Names:
    """The names of the game that a snapshot is about."""
    if snapshot.position is None:
        raise AssertionError("a game that is being played has a position")
    return Names(texts, snapshot.position.game.box, snapshot.state)


def shown(snapshot: Snapshot, names: Names, seats: frozenset[str], own: frozenset[str]) -> dict[str, Any]:
    """What status, board and big screen have in common; `own` are the seats that this phone holds."""
    texts, state = names.words, snapshot.state
    asked = choices.choices(texts, names, state, seats, private_of(snapshot, own & seats))
    return {
        "state": state,
        "head": head.head(texts, state),
        "tell": head.tell(texts, state, seats, [choice.title for choice in asked]),
        "call": head.call(state, seats),
        "asked": asked,
        "contest": contest.contest(texts, names, state),
        "boards": board.boards(texts, names, state, own),
        "reminders": scene.reminders(texts, names, state),
        "phase": scene.phase(texts, names, state),
        "spaces": scene.spaces(texts, names, state),
        "power": scene.power(names, state),
        "quests": scene.quests(texts, names, state),
        "shop": scene.shop(texts, names, state),
        "scenario": names.scenario(),
        "feed": happening.lines(texts, names, recent()),
        "areas": contest.AREAS,
        "known_spaces": [(space, names.space(space)) for space in names.spaces()],
    }


def index() -> ResponseReturnValue:
    """The status page."""
    snapshot, who = current(), speaker()
    names = names_of(words(), snapshot)
    return render_template("wasteland/status.html", **shown(snapshot, names, who.seats, who.seats))


def seat(colour: str) -> ResponseReturnValue:
    """A survivor board; without the seat it shows what lies open and offers nothing."""
    snapshot, texts, who = current(), words(), speaker()
    names = names_of(texts, snapshot)
    mine = colour in who.seats or who.host
    seats = frozenset({colour}) if mine else frozenset()
    private = private_of(snapshot, who.seats & {colour}).get(colour)
    return render_template(
        "wasteland/seat.html",
        **shown(snapshot, names, seats, who.seats),
        board=board.board(texts, names, snapshot.state, colour, who.seats),
        acts=deeds.acts(texts, names, snapshot.state, colour, legal(snapshot, who.seats & {colour}) if mine else []),
        hand=board.hand(texts, names, snapshot.state, colour, private) if private else None,
        mine=mine,
        can_undo=mine and feed.last_to_move(snapshot.state, recent()) == colour,
        kinds=[(kind.value, names.kind(kind.value)) for kind in EnemyType],
        letters=LETTERS,
    )


def missed(colour: str, since: int | None) -> missing.Missed:
    """What happened since a phone last looked; the lines tell what it did to the board."""
    texts = words()
    names = names_of(texts, current())
    return missing.missed_in(
        lambda recent: happening.lines(texts, names, recent, missing.MOST + 1),
        lambda *_: [],
        house().session.snapshots.all_newer_than(0, 0),
        colour,
        since,
    )


def legal(snapshot: Snapshot, eyes: frozenset[str]) -> list[dict[str, Any]]:
    """The legal moves at a snapshot, with those that only these seats may know of."""
    position = snapshot.position
    if position is None or snapshot.state["phase"] in ("frozen", "over"):
        return []
    return [position.rules.write(move) for move in position.rules.legal(position.game, eyes)]


def table(common: dict[str, Any]) -> ResponseReturnValue:
    """The big screen."""
    snapshot, texts = current(), words()
    names = names_of(texts, snapshot)
    state = snapshot.state
    story = _story(state["id"]) if state["phase"] == "over" else None
    return render_template(
        "wasteland/table.html",
        **shown(snapshot, names, frozenset(), frozenset()),
        **common,
        chart=charts.chart(story.steps, story.colours, charts.SCREEN) if story else None,
        hands=_hands(names, state),
    )


def _story(game: str) -> Story:
    found = house().stories.story(game)
    if found is None:
        raise AssertionError("a game that is being played is in the record")
    return found


def _hands(names: Names, state: dict[str, Any]) -> list[dict[str, Any]]:
    """At the end: everybody's influence and agendas."""
    result = state["result"]
    if result is None:
        return []
    return [
        {
            "colour": colour,
            "name": names.player(colour),
            "influence": result["influence"].get(colour, 0),
            "cards": [names.of(card) for card in result["hands"].get(colour, [])],
            "won": colour in result["winners"],
        }
        for colour in state["order"]
    ]


def laying(snapshot: Snapshot) -> Relaying | None:
    """What has to lie where when a game is taken up again, for the host's page."""
    return relaying.laying(words(), names_of(words(), snapshot), snapshot.state)


def entries(snapshot: Snapshot) -> list[Entry]:
    """The way back, for the host's page."""
    return past.entries(words(), names_of(words(), snapshot), _story(snapshot.state["id"]))


def do(colour: str) -> ResponseReturnValue:
    """A form of a survivor board."""
    known_colour(colour)
    who = acting()
    if not who.may_speak_for(colour):
        raise Refusal("not_yours", None, "That takes the seat or the host.", by=colour)
    house().do(Tap(actions.move_of(request.form, colour), who))
    return redirect(inside(request.form.get("back", f"/seat/{colour}")), 303)


def new() -> ResponseReturnValue:
    """The host begins a game in the wasteland."""
    the_host()
    texts, state = words(), current().state
    packs = house().wasteland_packs()
    asked = request.args.get("pack", "")
    name = asked if asked in packs.names() else packs.names()[0]
    pack = packs.load(name)
    return render_template(
        "wasteland/new.html",
        head=status.head(texts, state),
        state=state,
        pack=pack,
        packs=packs.names(),
        chosen=name,
        names={colour: people.name_of(texts, state, colour) for colour in COLOURS},
    )


def starting(setup: object, pack: object, who: Speaker) -> StartGame:
    """A game as it was agreed on."""
    packs = house().wasteland_packs()
    if not isinstance(setup, dict) or not isinstance(pack, str) or pack not in ("", *packs.names()):
        raise Refusal("malformed", None, "setup is an object and pack one of ours.", packs=list(packs.names()))
    return StartGame(setup, plays=past.GAME, pack=packs.place(pack), speaker=who)


def begin() -> ResponseReturnValue:
    """What was agreed on."""
    house().do(starting(setup_of(request.form), request.form.get("pack", ""), the_host()))
    return redirect(url_for("pages.index"), 303)
