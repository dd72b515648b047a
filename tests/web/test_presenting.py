"""Presenters are pure: a state goes in, what a page shows comes out."""

from dataclasses import replace

import pytest

from companion.cards.effects import PrintedIcon
from companion.cards.loader import builtin
from companion.games.shelter.board.vault import Spawned
from companion.games.shelter.events import (
    ChoiceLost,
    CubesGained,
    CubesPaid,
    DwellersPlaced,
    HappinessGained,
    IncomeTaken,
    ThreatRolled,
)
from companion.games.shelter.words import NO_CARD
from companion.languages.catalogues import codes
from companion.table.session.intents import Offer
from companion.table.session.snapshots import Snapshot
from web.base.words import words_in
from web.games.shelter import cards as items
from web.games.shelter import choices, feed, offers, status, vault
from web.games.shelter import corrections as correcting
from web.games.shelter import rules as ruling
from web.games.shelter.cards import PackCards
from web.games.shelter.moments import views
from web.games.shelter.pages import PAGES
from web.games.shelter.seat.placements import groups, preview

CARDS = PackCards(builtin("standard"))
ENGLISH = words_in("en")
PLAYER = {
    "name": "Red",
    "passed": False,
    "available": ["plain"],
    "resources": {"water": 0, "food": 0, "energy": 0},
}
STATE = {
    "game": "shelter",
    "phase": "place",
    "round": 2,
    "turn": "red",
    "order": ["red", "blue"],
    "last_round": False,
    "table": {"camera": "off"},
    "players": {"red": PLAYER, "blue": {**PLAYER, "name": "Bo"}},
    "levels": {
        "1": {"owner": None, "rooms": {"R1": "water-treatment"}},
        "2": {"owner": "red", "rooms": {"L1": "living-room"}},
    },
    "threats": {"1:R1a": "raider"},
    "placed": {"1:R1a": {"by": "red", "dwellers": ["S"]}, "2:L1a": {"by": "blue", "dwellers": ["plain", "injured+A"]}},
    "pending": [],
    "spawned": [],
    "result": None,
}


NARROW = replace(builtin("standard").top_level[3], spaces=(builtin("standard").top_level[3].spaces[0], None))


def test_v2_the_space_that_a_room_does_not_have_is_nowhere_on_the_pages():
    pack = builtin("standard")
    cards = PackCards(replace(pack, top_level=(*pack.top_level[:3], NARROW, *pack.top_level[4:])))
    places = [spot.place for room in vault.picture_of(STATE, cards, "en", vault.PHONE).rooms for spot in room.spots]
    assert [place for place in places if place.startswith("1:R1")] == ["1:R1a"]
    assert cards.at({**STATE, "threats": {}}, "1:R1b") is None
    listed = offers.levels(ENGLISH, STATE, cards)[0].rooms[1]
    assert [space.side for space in listed.spaces] == ["left"]
    assert [one.side for one in ruling.sheet(ENGLISH, cards, NARROW.id).spaces] == ["left"]
    names = correcting.part(ENGLISH, {**STATE, "options": {}}, cards, "1").values
    assert "stands_1:R1a" in names
    assert not names.keys() & {"stands_1:R1b", "threat_1:R1b"}


def asked(kind, *answers, by="red"):
    pending = [{"id": 7, "by": by, "kind": kind, "options": list(answers), "clause": "P3"}]
    (choice,) = choices.of_rules(ENGLISH, {**STATE, "pending": pending}, CARDS, frozenset({"red"}))
    return choice


def test_an_answer_carries_its_choice_and_its_player():
    choice = asked("income", "water", "decline")
    assert choice.title == "Your income: take one resource"
    assert choice.options[0].move == {"do": "choose", "option": "water", "id": 7, "by": "red"}
    assert [(one.label, one.quiet) for one in choice.options] == [("Water", False), ("No, thanks", True)]
    traded = asked("trade", "2F->1E", "done")
    assert [one.quiet for one in traded.options] == [False, False], "whoever has exchanged enough goes on"
    assert asked("drawn", "raider", by=None).options[0].move == {"do": "choose", "option": "raider", "id": 7}


def test_a_fight_names_its_threat_and_number():
    assert asked("fight", "roll", "use:minigun").title == "Raider: reach 9"
    weapon = asked("fight", "roll", "use:minigun").options[1]
    assert (weapon.label, weapon.sub) == ("Minigun", "Before a fight: +3 to the roll. Exhausts.")


@pytest.mark.parametrize(
    ("kind", "option", "label", "icons"),
    [
        ("exchange", "1W->2F", "Exchange", (PrintedIcon("water"), PrintedIcon("to"), PrintedIcon("food", 2))),
        ("build", "garden@left", "Garden, left", (PrintedIcon("food", 2), PrintedIcon("energy", 3))),
        ("discount", "?", "any resource", (PrintedIcon("any"),)),
        ("letter", "S", "Strength", (PrintedIcon("train", letter="S"),)),
        ("heal", "injured+A", "Injured, trained A", ()),
        ("heal", "2:L1b", "Living Room, right", ()),
        ("drawn", "unknown", "unknown card", ()),
        ("something-new", "yes", "Yes", ()),
    ],
)
def test_every_option_has_a_name(kind, option, label, icons):
    shown = asked(kind, option).options[0]
    assert (shown.label, shown.icons) == (label, icons)


@pytest.mark.parametrize("language", codes())
def test_every_item_has_its_sentence(language):
    words = words_in(language)
    sentences = [items.sentence(words, CARDS, item) for item in CARDS.items]
    assert all(len(sentence) > 10 for sentence in sentences)
    assert items.sentence(words, CARDS, "unknown") == words.text("item_unknown")


def test_the_head_says_who_is_on_turn_and_who_is_next():
    head = status.head(ENGLISH, STATE)
    assert (head.title, head.sub) == ("Red\N{RIGHT SINGLE QUOTATION MARK}s turn", "1 dweller left · then Bo")
    alone = {**STATE, "players": {"red": PLAYER, "blue": {**PLAYER, "passed": True}}}
    assert status.head(ENGLISH, alone).sub == "1 dweller left"
    asked = {**STATE, "pending": [{"by": "red", "kind": "income"}]}
    assert status.head(ENGLISH, asked).sub == ENGLISH.text("sub_choosing"), "an income is answered first (M3)"
    result = {"winners": ["red", "blue"], "decided_by": "shared", "scores": {}}
    over = status.head(ENGLISH, {**STATE, "phase": "over", "turn": None, "result": result})
    assert (over.title, over.sub) == ("Shared: Red, Bo", "equal in everything")
    waiting = {**STATE, "phase": "recall", "turn": None, "pending": [{"by": "blue"}]}
    assert status.head(ENGLISH, waiting).sub == "Still choosing: Bo"


def test_the_picture_holds_figures_letters_and_lying_ones():
    picture = vault.picture_of(STATE, CARDS, "en", vault.PHONE)
    figures = {
        spot.place: [(figure.colour, figure.letter, figure.lying) for figure in spot.figures]
        for room in picture.rooms
        for spot in room.spots
        if spot.figures
    }
    assert figures == {
        "1:R1a": [("red", "S", False)],
        "2:L1a": [("blue", "", False), ("blue", "A", True)],
    }
    assert [number for _, number in picture.numbers] == [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("geometry", [vault.PHONE, vault.SCREEN])
def test_every_icon_stays_in_its_space(geometry):
    for room in CARDS.rooms:
        levels = {"1": {"owner": None, "rooms": {"R1": room}}}
        picture = vault.picture_of({**STATE, "levels": levels, "threats": {}, "placed": {}}, CARDS, "en", geometry)
        for spot in (spot for one in picture.rooms for spot in one.spots):
            for icon in (*spot.cost, *spot.reward):
                assert spot.x <= icon.x, (room, icon)
                assert icon.x + icon.size <= spot.x + spot.width, (room, icon)


def test_what_happened_is_told_with_what_it_brought():
    events = [
        DwellersPlaced(1, 14, (0,), doubled=False),
        CubesPaid(1, "food", 2),
        IncomeTaken(0, 3),
        CubesGained(0, "water", 1),
        HappinessGained(1, 1),
        ChoiceLost(0, "item"),
    ]
    told = feed.lines(ENGLISH, CARDS, [Snapshot(1, 1, STATE, tuple(events))])
    assert [(line.who, line.text, line.effects) for line in told] == [
        ("Bo", "", [("happiness", "+1")]),
        ("Red", "takes income", [("water", "+1")]),
        ("Bo", "placed on Elevator, right", [("food", "\N{MINUS SIGN}2")]),
    ]


def test_a_spawn_step_without_a_threat_is_told_in_words():
    rolled = ThreatRolled(Spawned(0, (3, 4), -1, NO_CARD, "seven"))
    told = feed.lines(ENGLISH, CARDS, [Snapshot(1, 1, STATE, (rolled,))])
    assert [line.text for line in told] == ["No threats appeared."]


def test_the_spawn_step_says_where_each_card_goes_and_why_not():
    spawned = [
        {"level": 1, "dice": [4, 4], "column": 8, "space": "1:R1a", "threat": "raider", "why_not": None},
        {"level": 2, "dice": [3, 4], "column": 7, "space": None, "threat": None, "why_not": "seven"},
    ]
    first, second = (views.level_of(views.Texts(ENGLISH, CARDS, STATE), one) for one in spawned)
    assert (first.card, first.place, first.printed.fight, first.why_not) == ("Raider", "Water Treatment, left", 9, "")
    assert first.say.endswith("8. Lay Raider on Water Treatment, left.")
    assert (second.card, second.short, second.why_not, second.plan.hit) == ("", "nothing", "seven: nothing", None)


def test_placements_are_grouped_by_room():
    move = {"do": "place", "by": "red", "space": "1:R1b", "dwellers": ["S"], "use": ["lab-coat"]}
    elsewhere = {"do": "place", "by": "red", "space": "9:R1a", "dwellers": ["plain"]}
    (group,) = groups(ENGLISH, STATE, CARDS, [Offer(move, doubled=True), Offer({"do": "pass"}), Offer(elsewhere)])
    assert (group.name, group.level) == ("Water Treatment", 1)
    (way,) = group.targets["1:R1b"].ways
    assert (way.label, way.doubled) == ("Trained S + Lab Coat", True)
    assert preview(STATE, CARDS, Offer(elsewhere), "en")["card"] is None
    build = Offer({"do": "choose", "by": "red", "option": "garden@left"})
    assert preview(STATE, CARDS, build, "pl")["card"] == "Ogród"


def test_a_form_with_nothing_in_it_is_a_setup_that_the_rules_refuse():
    assert PAGES.setup_of({"first": "pink"})["players"] == []
