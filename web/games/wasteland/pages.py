"""The wasteland on the pages: everything that the port of web/games asks of a game, and the head of its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from companion.cards.wasteland.words import LETTERS, EnemyType
from companion.refusal import Refusal
from companion.table.session.intents import StartGame
from companion.table.session.state_view import private_of
from web.base.words import name_of, spoken
from web.games.feed import MOST_MISSED, last_to_move, missed_events
from web.games.forms import players_of
from web.games.port import Door, GamePages, Head, HostMove, Page, Reader
from web.games.wasteland import actions, board, choices, contest, feed, names, new_game, scene
from web.games.wasteland.map import map_view
from web.games.wasteland.moments import facts, views
from web.games.wasteland.names import Names
from web.games.wasteland.owner.own_packs import Packs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.games.wasteland.moves import WastelandMoveJson
    from companion.games.wasteland.position import WastelandPosition
    from companion.games.wasteland.state_types import WastelandEnd, WastelandPrivate, WastelandState
    from companion.table.record.history import Story
    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state_view import SnapshotState
    from web.base.words import Words
    from web.games.feed import FeedLine, MissedEvents
    from web.games.port import HandLine, HistoryEntry, PastGame, Relaying
    from web.games.scenes import Scene


def head_of(words: Words, state: WastelandState) -> Head:
    title, sub = _title(words, state)
    return Head(
        round=words.text("round", n=state["round"]),
        phase=words.text(f"wphase_{state['phase']}"),
        camera="off",
        camera_text=words.text("app_title"),
        colour=_who(state) or "",
        title=title,
        sub=sub,
        last_round=False,
    )


def spoken_head(words: Words, state: WastelandState, seats: frozenset[str], asked: Sequence[str]) -> str:
    """Return what a voice says of a state."""
    title, sub = _title(words, state)
    if _who(state) in seats and state["phase"] == "turn" and not state["pending"]:
        title = words.text("your_turn")
    return spoken(title, sub, *asked)


def waited_for(state: WastelandState, seats: frozenset[str]) -> str:
    """Return what these seats are waited for, as a key that changes with it."""
    ids = [str(choice["id"]) for choice in state["pending"] if choice["by"] in seats]
    turn = state["phase"] == "turn" and state["turn"] in seats and not state["pending"]
    return "-".join([*([f"turn{state['round']}"] if turn else []), *ids])


def _who(state: WastelandState) -> str | None:
    """Return whom the table waits for."""
    asked = next((choice["by"] for choice in state["pending"] if choice["by"]), None)
    found: str | None = asked or state["turn"]
    return found if state["phase"] not in ("over", "frozen") else None


def _title(words: Words, state: WastelandState) -> tuple[str, str]:
    phase = state["phase"]
    if phase == "over" and state["result"] is not None:
        return _won(words, state, state["result"])
    waiting = _waiting(words, state)
    if phase == "turn" and state["turn"]:
        return words.text("turn_of", name=name_of(words, state, state["turn"])), waiting or _left(words, state)
    key = f"wtitle_{phase}"
    title = words.text(key) if words.has(key) else words.text(f"title_{phase}")
    return title, waiting or (words.text(f"wsub_{phase}") if words.has(f"wsub_{phase}") else "")


def _left(words: Words, state: WastelandState) -> str:
    left = words.count("wactions", state["actions"]["left"])
    points = state["actions"]["points"]
    return f"{left} · {words.count('wpoints', points)}" if points else left


def _waiting(words: Words, state: WastelandState) -> str:
    asked = dict.fromkeys(choice["by"] for choice in state["pending"] if choice["by"])
    if not asked:
        return ""
    return words.text("sub_waiting", names=", ".join(name_of(words, state, colour) for colour in asked))


def _won(words: Words, state: WastelandState, result: WastelandEnd) -> tuple[str, str]:
    decided = words.text(f"wdecided_{result['decided_by'].replace('-', '_')}")
    if not result["winners"]:
        return views.lost_by_all(words, result), decided
    names = ", ".join(name_of(words, state, colour) for colour in result["winners"])
    return words.text("won" if len(result["winners"]) == 1 else "won_shared", names=names), decided


def state_of(reader: Reader) -> WastelandState:
    """Return the state, which is this game's because its pages were asked for."""
    return cast("WastelandState", reader.state)


def private_state(reader: Reader, eyes: frozenset[str]) -> dict[str, WastelandPrivate]:
    """Return what these seats alone may see."""
    return cast("dict[str, WastelandPrivate]", private_of(reader.snapshot, eyes))


def position_of(reader: Reader) -> WastelandPosition:
    """Return the position, which is this game's because its pages were asked for."""
    position = reader.snapshot.position
    if position is None:
        raise AssertionError("a game that is being played has a position")
    return cast("WastelandPosition", position.game)


def names_of(reader: Reader) -> Names:
    return Names(reader.words, position_of(reader).box, state_of(reader))


def shown(reader: Reader, names: Names, seats: frozenset[str], own: frozenset[str]) -> dict[str, object]:
    """Return what status, board and big screen have in common; `own` are the seats that this phone holds."""
    texts, state = names.words, state_of(reader)
    private = private_state(reader, own & seats)
    in_the_scene = views.asked(reader, names, private)
    every = choices.choices(texts, names, state, seats, private)
    contest.add_odds(texts, reader.snapshot, every)
    asked = [choice for choice in every if in_the_scene is None or choice.id != in_the_scene.id]
    return {
        "state": state,
        "head": head_of(texts, state),
        "tell": spoken_head(texts, state, seats, [choice.title for choice in every]),
        "call": waited_for(state, seats),
        "asked": asked,
        "contest": contest.contest(texts, names, state),
        "boards": board.boards(texts, names, state, own),
        "reminders": scene.reminders(texts, names, state),
        "phase": scene.phase(texts, names, state),
        "spaces": scene.spaces(texts, names, state),
        "map": map_view.map_view(names, position_of(reader)),
        "power": scene.power(names, state),
        "together": scene.together(names, state),
        "quests": scene.quests(texts, names, state),
        "shop": scene.shop(texts, names, state),
        "scenario": names.scenario(),
        "feed": feed.lines(texts, names, reader.recent()),
        "areas": contest.AREAS,
        "known_spaces": [(space, names.space(space)) for space in names.spaces()],
    }


class WastelandPages(GamePages):
    """Survivor boards, the big screen and the history of the wasteland."""

    status_label = "wnav_status"
    nobody, hero = "wnobody", "wasteland/hero.html"
    intro = ("wintro", "wintro_wins")
    house_doors = (Door("/wasteland/cards", "wcards_title", "wcards_hint"),)
    no_columns, bots_hint = "wcolumns_none", "wbots_hint"
    asks = new_game.STEPS

    def head(self, words: Words, state: SnapshotState) -> Head:
        return head_of(words, cast("WastelandState", state))

    def status(self, reader: Reader) -> Page:
        seats = reader.who.seats
        return Page("wasteland/status.html", shown(reader, names_of(reader), seats, seats))

    def seat(self, reader: Reader, colour: str) -> Page:
        texts, state, who = reader.words, state_of(reader), reader.who
        names = names_of(reader)
        mine = colour in who.seats or who.host
        eyes = who.seats & {colour}
        private = private_state(reader, eyes).get(colour)
        legal = _legal(reader, eyes) if mine else []
        fields = {
            "board": board.board(texts, names, state, colour, who.seats),
            "acts": actions.acts(texts, names, state, colour, legal, contest.odds_of(texts, reader.snapshot, legal)),
            "map": map_view.map_view(names, position_of(reader), colour, legal),
            "hand": board.hand(texts, names, state, colour, private) if private else None,
            "mine": mine,
            "reading": scene.reading(texts, names, state, colour) if mine else None,
            "guide": _guide(texts, state, colour) if mine else [],
            "can_undo": mine and last_to_move(reader.state, reader.recent()) == colour,
            "kinds": [(kind.value, names.kind(kind.value)) for kind in EnemyType],
            "letters": LETTERS,
        }
        return Page(
            "wasteland/seat.html", {**shown(reader, names, reader.as_seat(colour).who.seats, who.seats), **fields}
        )

    def rules(self, reader: Reader) -> Page | None:  # noqa: ARG002 - the port's
        return Page("wasteland/rules.html", {"signs": map_view.SIGNS})

    def rule(self, reader: Reader, key: str) -> Page | None:  # noqa: ARG002 - the port's
        return Page("wasteland/signs.html", {"signs": map_view.SIGNS}) if key == "signs" else None

    def screen(self, reader: Reader) -> Page:
        return Page("wasteland/screen.html", shown(reader, names_of(reader), frozenset(), frozenset()))

    def scenes(self, recent: Sequence[Snapshot]) -> list[Scene]:
        return facts.scenes(recent)

    def moment(self, reader: Reader, scene: Scene, me: str) -> Page:
        seats = reader.who.seats
        return views.page_of(reader, scene, me, private_state(reader, seats))

    def ending(self, reader: Reader, me: str) -> Page | None:
        return views.end_of(reader, me)

    def again(self, reader: Reader, setup: dict[str, object]) -> StartGame:
        state = state_of(reader)
        return self.start(reader, {**setup, "first": state["first"]}, state["options"]["pack"])

    def happened(self, reader: Reader, snapshot: Snapshot) -> list[FeedLine]:
        return feed.happened(reader.words, names_of(reader), snapshot)

    def missed(self, reader: Reader, colour: str, since: int | None) -> MissedEvents:
        names = names_of(reader)
        return missed_events(
            lambda recent: feed.lines(reader.words, names, recent, MOST_MISSED + 1),
            lambda *_: [],
            reader.context.session.snapshots.all_newer_than(0, 0),
            colour,
            since,
        )

    def past(self, words: Words, story: Story, *, current: bool) -> PastGame:
        return feed.past_game(words, story, current=current)

    def entries(self, reader: Reader) -> list[HistoryEntry]:
        return feed.history_entries(reader.words, names_of(reader), _story(reader))

    def hands(self, reader: Reader) -> Sequence[HandLine]:
        return scene.hand_lines(reader.words, names_of(reader), state_of(reader), reader.state["hands"])

    def laying(self, reader: Reader) -> Relaying | None:
        return names.laying(reader.words, names_of(reader), state_of(reader))

    def host_moves(self, state: SnapshotState) -> Sequence[HostMove]:
        return [HostMove("reveal", "wdo_reveal")] if state["phase"] == "enemies" and not state["pending"] else []

    def new_game(self, reader: Reader, asked: Mapping[str, str]) -> Page:
        packs = Packs(reader.context.folder)
        chosen, cards = packs.load_or_first(asked.get("pack", ""))
        game = new_game.new_game(feed.GAME, reader.state, asked, chosen, cards)
        fields = {"ask": game.asking(), "game": game, "pack": cards, "packs": packs.names()}
        return Page("wasteland/new.html", fields)

    def start(self, reader: Reader, setup: object, pack: object) -> StartGame:
        packs = Packs(reader.context.folder)
        if not isinstance(setup, dict) or not isinstance(pack, str) or pack not in ("", *packs.names()):
            raise Refusal("malformed", None, "setup is an object and pack one of ours.", packs=list(packs.names()))
        return StartGame(setup, plays=feed.GAME, pack=packs.place(pack), speaker=reader.who)

    def setup_of(self, form: Mapping[str, str]) -> dict[str, object]:
        setup = actions.setup_of(form)
        seated, _ = players_of(form)
        bots = {colour: form[f"bot_{colour}"] for colour in seated if form.get(f"bot_{colour}")}
        return {**setup, "bots": bots} if bots else setup


def _guide(words: Words, state: WastelandState, colour: str) -> list[str]:
    """Return what a first game explains now."""
    asked = {choice["kind"] for choice in state["pending"] if choice["by"] == colour}
    if asked & facts.ANSWERS:
        return [words.text("wguide_fight")]
    match state["phase"]:
        case "setup":
            return [words.text("wguide_aim"), words.text("wguide_setup")]
        case "turn" if state["turn"] == colour:
            first = [words.text("wguide_aim")] if state["round"] <= 1 else []
            return [*first, words.text("wguide_turn")]
        case "turn":
            return [words.text("wguide_wait")]
        case "enemies":
            return [words.text("wguide_enemies")]
        case "over":
            return [words.text("wguide_over")]
        case _:
            return [words.text("guide_frozen")]


def _legal(reader: Reader, eyes: frozenset[str]) -> list[WastelandMoveJson]:
    """Return the legal moves now, with those that only these seats may know of."""
    position = reader.snapshot.position
    if position is None or reader.state["phase"] in ("frozen", "over"):
        return []
    moves = [position.rules.write(move) for move in position.rules.legal(position.game, eyes)]
    return cast("list[WastelandMoveJson]", moves)


def _story(reader: Reader) -> Story:
    found = reader.context.stories.story(reader.state["id"] or "")
    if found is None:
        raise AssertionError("a game that is being played is in the record")
    return found


PAGES: Final = WastelandPages()
