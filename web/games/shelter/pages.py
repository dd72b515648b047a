"""Fallout Shelter on the pages: everything that the port of web/games asks of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.evenings.house_calls import as_json
from companion.cards.loader import builtin_names, overlay_of
from companion.games import registry
from companion.games.shelter.words import COLOURS
from companion.refusal import Refusal
from companion.table.session.intents import StartGame
from web.base.words import name_of
from web.games import charts
from web.games.feed import MOST_MISSED, last_to_move, missed_events
from web.games.forms import players_of
from web.games.port import Door, GamePages, HostMove, Page, Reader
from web.games.shelter import (
    choices,
    corrections,
    disagreements,
    feed,
    new_game,
    offers,
    readings,
    rules,
    status,
    vault,
)
from web.games.shelter.cards import card_name, cards_in_play, cards_of, vault_state
from web.games.shelter.moments import facts, views
from web.games.shelter.odds import BotsAndOdds
from web.games.shelter.seat import folded_vault, hint, placements, player, sheet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.bots.review.review import ReviewJson
    from companion.table.record.history import Story
    from companion.table.session.intents import Offer
    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state_view import SnapshotState
    from web.base.words import Words
    from web.games.feed import MissedEvents
    from web.games.forms import FormPart
    from web.games.keepsake import TablePicture
    from web.games.port import CampaignText, Disagreement, HandLine, Head, HistoryEntry, NextEvening, PastGame, Relaying
    from web.games.scenes import Scene
    from web.games.shelter.cards import VaultState
    from web.games.shelter.seat.placements import Preview


def state_of(reader: Reader) -> VaultState:
    return vault_state(reader.state)


def shown(reader: Reader) -> dict[str, object]:
    """Return what status, seat, big screen and demo have in common."""
    texts, state, seats, cards = reader.words, state_of(reader), reader.who.seats, cards_in_play(reader.context)
    every, in_the_scene = choices.choices(texts, state, cards, seats), views.asked(reader, cards)
    return {
        "state": state,
        "head": status.head(texts, state),
        "tell": status.tell(texts, state, seats, [choice.title for choice in every]),
        "call": status.call(state, seats),
        "rows": status.rows(texts, state, seats),
        "asked": [choice for choice in every if in_the_scene is None or choice.id != in_the_scene.id],
        "differing": disagreements.disagreements(texts, state, cards, reader.who, reader.snapshot.position),
        "feed": feed.lines(texts, cards, reader.recent()),
        "beside": BotsAndOdds(reader),
        "together": status.together_panel(texts, state),
        "house_call": status.house_call(texts, state),
    }


class ShelterPages(GamePages):
    """Status, seats, big screen, history and corrections of Fallout Shelter."""

    host_doors = (Door("/correct/", "corrections", "corrections_hint"),)
    house_doors = (Door("/host/cards", "cards", "cards_door"), Door("/host/columns", "columns", "columns_door"))
    no_columns, bots_hint = "", "bots_hint"
    default_pack = "standard"
    has_steps = True
    nobody, hero = "start_nobody", "shelter/hero.html"
    intro = ("start_intro", "start_intro_wins")
    asks = new_game.STEPS

    def head(self, words: Words, state: SnapshotState) -> Head:
        return status.head(words, vault_state(state))

    def status(self, reader: Reader) -> Page:
        texts, state, cards = reader.words, state_of(reader), cards_in_play(reader.context)
        fields = {
            "picture": vault.picture_of(state, cards, texts.language, vault.PHONE),
            "tracks": offers.on_tracks(texts, state, cards),
        }
        return Page("shelter/status.html", {**shown(reader), **fields})

    def seat(self, reader: Reader, colour: str) -> Page:
        texts, state, cards = reader.words, state_of(reader), cards_in_play(reader.context)
        acts = reader.as_seat(colour)
        mine = bool(acts.who.seats)
        legal = reader.context.legal(colour) if mine else []
        fields = {
            "seat": player.seat(texts, state, cards, colour, legal),
            "mine": mine,
            "can_undo": mine and last_to_move(reader.state, reader.recent()) == colour,
            "guide": player.guide(texts, state, colour, legal) if mine else [],
            "vault": folded_vault.folded(texts, reader.snapshot, cards, colour, legal, reader.recent()),
            "wants": folded_vault.WANTS,
            "may_ask": mine and hint.is_offered(reader.snapshot, colour),
            "good_moves": lambda: hint.good_moves(texts, reader.snapshot, cards, colour),
        }
        return Page("shelter/seat.html", {**shown(acts), **fields})

    def space(self, reader: Reader, colour: str, place: str, asked: tuple[str, str]) -> Page | None:
        texts, cards = reader.words, cards_in_play(reader.context)
        tracks = offers.on_tracks(texts, state_of(reader), cards)
        if place in tracks:
            return Page("shelter/tracks.html", {"title": f"track_{place}", "cards": tracks[place]})
        mine = bool(reader.as_seat(colour).who.seats)
        legal = reader.context.legal(colour) if mine else []
        found = sheet.sheet(texts, reader.snapshot, cards, legal, sheet.SheetAsked(colour, place, *asked))
        return Page("shelter/sheet.html", {"sheet": found, "colour": colour, "mine": mine}) if found else None

    def rules(self, reader: Reader) -> Page | None:
        texts = reader.words
        fields = {
            "icons": [rules.icon_rule(texts, name) for name in rules.ICONS],
            "kinds": rules.kinds(texts, cards_in_play(reader.context)),
            "agreed": readings.agreed(texts, readings.in_force(reader.snapshot)),
            "crises": status.crises(texts),
        }
        return Page("shelter/rules.html", fields)

    def rule(self, reader: Reader, key: str) -> Page | None:
        texts, on = reader.words, readings.in_force(reader.snapshot)
        if key == "readings":
            groups = readings.groups(texts, on, readings.head_starts_in_force(texts, reader.snapshot))
            return Page("shelter/readings.html", {"groups": groups, "agreed": readings.agreed(texts, on)})
        found = rules.sheet(texts, cards_in_play(reader.context), key)
        return Page("shelter/rule.html", {"sheet": found}) if found is not None else None

    def screen(self, reader: Reader) -> Page:
        texts, state, cards = reader.words, state_of(reader), cards_in_play(reader.context)
        tracks = offers.on_tracks(texts, state, cards)
        fields = {
            "picture": vault.picture_of(state, cards, texts.language, vault.SCREEN),
            "showing": reader.step + 1 if reader.scene is not None and reader.scene.kind == facts.THREATS else 0,
            "thrown": choices.on_screen(texts, state),
            "track_names": {kind: [card.name for card in row] for kind, row in tracks.items()},
            "names": {colour: name_of(texts, state, colour) for colour in COLOURS},
            "agreed": readings.agreed(texts, readings.in_force(reader.snapshot)),
        }
        return Page("shelter/screen.html", {**shown(reader), **fields})

    def scenes(self, recent: Sequence[Snapshot]) -> list[Scene]:
        return facts.scenes(recent)

    def moment(self, reader: Reader, scene: Scene, me: str) -> Page:
        return views.page_of(reader, cards_in_play(reader.context), scene, me)

    def ending(self, reader: Reader, me: str) -> Page | None:
        return views.end_of(reader, me, has_steps=self.has_steps)

    def again(self, reader: Reader, setup: dict[str, object]) -> StartGame:
        state = state_of(reader)
        return self.start(reader, {**setup, "first": state["first"]}, state["options"]["pack"])

    def missed(self, reader: Reader, colour: str, since: int | None) -> MissedEvents:
        texts, cards = reader.words, cards_in_play(reader.context)
        return missed_events(
            lambda recent: feed.lines(texts, cards, recent, MOST_MISSED + 1),
            lambda before, after, colour: feed.changes(vault_state(before), vault_state(after), colour),
            reader.context.session.snapshots.all_newer_than(0, 0),
            colour,
            since,
        )

    def host_moves(self, state: SnapshotState) -> Sequence[HostMove]:
        return [
            move
            for move in (HostMove("spawn", "spawn_button"), HostMove("recall", "recall_button"))
            if move.do == state["phase"]
        ]

    def hands(self, reader: Reader) -> Sequence[HandLine]:
        return disagreements.hand_lines(reader.words, state_of(reader), cards_in_play(reader.context))

    def in_words(self, reader: Reader) -> Page:
        texts, state = reader.words, state_of(reader)
        fields = {
            "head": status.head(texts, state),
            "tell": status.tell(texts, state, frozenset(), []),
            "levels": offers.levels(texts, state, cards_in_play(reader.context)),
        }
        return Page("shelter/rooms.html", fields)

    def past(self, words: Words, story: Story, *, current: bool) -> PastGame | None:
        return feed.past(words, story, current=current)

    def entries(self, reader: Reader) -> list[HistoryEntry]:
        story = reader.context.stories.story(state_of(reader)["id"] or "")
        return feed.entries(reader.words, story, cards_in_play(reader.context)) if story else []

    def step(self, reader: Reader, story: Story, nth: int) -> Page | None:
        opened = reader.context.stories.game_at(story.game, story.steps[nth].nth)
        if opened is None:
            return None
        texts, state, cards, step = reader.words, vault_state(opened.state()), cards_of(opened.pack), story.steps[nth]
        fields = {
            "state": state,
            "game": feed.past(texts, story, current=False),
            "nth": nth,
            "last": len(story.steps) - 1,
            "text": feed.text_of(texts, state, cards, step),
            "colour": step.by if step.by in state["players"] else "",
            "rounds": feed.rounds(story),
            "rows": status.rows(texts, state, frozenset()),
            "picture": vault.picture_of(state, cards, texts.language, vault.PHONE),
            "chart": charts.chart(story.steps, story.colours, mark=nth),
        }
        return Page("shelter/steps.html", fields)

    def review(self, reader: Reader, story: Story, review: ReviewJson) -> Page | None:
        from web.games.shelter import review as looked_back  # noqa: PLC0415 - only its own page needs it

        return looked_back.page_of(reader, story, review)

    def table_picture(self, reader: Reader, story: Story) -> TablePicture | None:
        from web.games.shelter.moments import keepsake  # noqa: PLC0415 - only a picture needs the pen

        opened = reader.context.stories.game_at(story.game, story.steps[-1].nth)
        if opened is None:
            return None
        return keepsake.table_of(vault_state(opened.state()), cards_of(opened.pack), reader.words.language)

    def differing(self, reader: Reader) -> list[Disagreement]:
        return disagreements.disagreements(reader.words, state_of(reader), cards_in_play(reader.context), reader.who)

    def laying(self, reader: Reader) -> Relaying | None:
        return disagreements.relaying(reader.words, state_of(reader), cards_in_play(reader.context))

    def previews(self, reader: Reader, offers: Sequence[Offer]) -> list[Preview]:
        cards = cards_in_play(reader.context)
        return [placements.preview(state_of(reader), cards, offer, reader.words.language) for offer in offers]

    def parts(self, words: Words, state: SnapshotState) -> list[tuple[str, str, str]]:
        return corrections.parts(words, vault_state(state)) if state["id"] else []

    def part(self, reader: Reader, key: str) -> FormPart | None:
        if not state_of(reader)["id"]:
            return None
        return corrections.part(reader.words, state_of(reader), cards_in_play(reader.context), key)

    def correction(self, part: FormPart, values: Mapping[str, str]) -> dict[str, object]:
        return corrections.correction(part, values)

    def card_name(self, reader: Reader, card: str) -> str:
        return card_name(reader.words, cards_in_play(reader.context), card)

    def start(self, reader: Reader, setup: object, pack: object) -> StartGame:
        if not isinstance(setup, dict) or not isinstance(pack, str) or pack not in builtin_names():
            raise Refusal("malformed", None, "setup is an object and pack one of ours.", packs=list(builtin_names()))
        setup = new_game.with_house_calls(setup, reader.context.folder)
        return StartGame(setup, pack=pack, overlay=overlay_of(reader.context.folder, pack), speaker=reader.who)

    def house_calls(self, reader: Reader) -> list[str]:
        return [status.call_in_words(reader.words, as_json(call)) for call in new_game.calls_in(reader.context.folder)]

    def campaigns(self, reader: Reader) -> list[CampaignText]:
        return [status.campaign_text(reader.words, one) for one in new_game.campaigns_in(reader.context.folder)]

    def next_evening(self, reader: Reader, evening: NextEvening, form: Mapping[str, str]) -> StartGame | None:
        setup = new_game.campaign_setup(evening, new_game.campaigns_in(reader.context.folder), form)
        pack = form.get("pack", new_game.FOR_A_START)
        return None if setup is None else self.start(reader, setup, pack)

    def of_the_week(self, reader: Reader, week: str, players: int) -> StartGame:
        """Together at the middle difficulty, with a house call of ours, the cards that everybody can print."""
        setup = new_game.week_setup(list(COLOURS[:players]))
        return StartGame(setup, pack=new_game.FOR_A_START, week=week, speaker=reader.who)

    def new_game(self, reader: Reader, asked: Mapping[str, str]) -> Page:
        packs = builtin_names()
        game = new_game.new_game(registry.DEFAULT, reader.state, asked, packs)
        fields = {
            "ask": game.asking(),
            "game": game,
            "packs": packs,
            "books": readings.books(reader.words),
            "readings": readings.groups(
                reader.words, game.rules, readings.head_starts_of_ours(reader.words, len(game.playing))
            ),
            "agreed": readings.agreed(reader.words, game.agreed),
        }
        return Page("shelter/new.html", fields)

    def setup_of(self, form: Mapping[str, str]) -> dict[str, object]:
        """Players clockwise, their levels from the second one down, who begins, decks, house rules and bots."""
        seated, names = players_of(form)
        players = [colour for colour in COLOURS if colour in seated]
        first = form.get("first", "")
        shared: dict[str, object] = {"together": form["together"]} if form.get("together") in new_game.TOGETHER else {}
        if form.get("house_call"):
            shared["house_calls"] = True
        return {
            **shared,
            "players": seated,
            "levels": sorted(players, key=lambda colour: str(form.get(f"level_{colour}", ""))),
            "first": first if first in players else (seated[0] if seated else ""),
            "cards": "table" if form.get("cards") == "table" else "companion",
            "house_rules": dict.fromkeys(sorted(readings.chosen_in(form)), True),
            "names": names,
            "bots": {colour: form[f"bot_{colour}"] for colour in players if form.get(f"bot_{colour}")},
        }


PAGES: Final = ShelterPages()
