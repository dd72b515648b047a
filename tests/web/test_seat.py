"""A player's own phone: what was missed, what is explained, what it switches for itself."""

import pytest
from at_the_door import BEARER, tight

from companion.cards.loader import builtin
from companion.games.shelter.turn.choices import OPTIONS
from companion.languages.catalogues import codes
from companion.table.session.intents import Offer
from web.base.words import words_in
from web.games.shelter import rules as view
from web.games.shelter.cards import PackCards
from web.games.shelter.seat import placements, player
from web.pages import phone as phone_page

CARDS = {pack: PackCards(builtin(pack)) for pack in ("standard", "homemade")}


@pytest.mark.parametrize("language", codes())
@pytest.mark.parametrize("pack", CARDS)
def test_every_icon_and_every_card_has_its_rule(language, pack):
    words, cards = words_in(language), CARDS[pack]
    assert all(len(view.icon_rule(words, name).text) > 20 for name in view.ICONS)
    for card in (*cards.items, *cards.rooms, *cards.threats, "elevator"):
        sheet = view.sheet(words, cards, card)
        assert len(sheet.text) > 20, card
        assert all(space.rules for space in sheet.spaces), card


def test_every_icon_that_is_printed_is_among_the_rules():
    printed = {
        name
        for cards in CARDS.values()
        for card in (*cards.rooms, *cards.threats)
        for space in view.sheet(words_in("en"), cards, card).spaces
        for name in [rule.name for rule in space.rules]
    }
    assert printed <= set(view.ICONS)
    assert {"fight", "letter", "linked", "injured_only", "both", "refresh-rooms"} <= printed


def test_a_rule_is_a_page_of_its_own(house):
    page = house.client().get("/rules/garden", headers={"Accept-Language": "pl"})
    assert "Ogród" in page.text
    assert "całą nagrodę dwa razy" in page.text
    assert "Roll both dice" in house.client().get("/rules/i-fight").text
    assert 'href="/rules/minigun"' in house.client().get("/rules").text
    assert house.client().get("/rules/nonsense").status_code == 404


def offers(*moves):
    return [Offer({"do": "place", "by": "red", **move}, doubled=move.get("dwellers") == ["P"]) for move in moves]


def test_a_placement_says_what_would_be_wasted_and_who_can_go(house):
    house.start()
    house.tap(None, do="correct", set={"players": {"red": {"resources": {"water": 6}}}})
    found = offers(
        {"space": "1:R1a", "dwellers": ["P"]},
        {"space": "1:R1b", "dwellers": ["plain"]},
        {"space": "1:L3b", "dwellers": ["injured+S"]},
    )
    words = words_in("en")
    assert [(one.key, one.pose, one.letter) for one in placements.goers(words, found)] == [
        ("plain", "standing", ""),
        ("P", "standing", "P"),
        ("injured-S", "lying", "S"),
    ]
    waste = {
        place: target.ways[0].wasted
        for group in placements.groups(words, house.state, CARDS["standard"], found)
        for place, target in group.targets.items()
    }
    assert waste == {"1:R1a": (("water", 2),), "1:R1b": (("water", 1),), "1:L3b": ()}


def test_what_was_missed_is_told_with_what_it_changed(house):
    house.start()
    red = house.seated("red")
    house.tap(red, do="place", by="red", space="1:R1a")
    seq = house.state["seq"]
    house.tap(None, do="place", by="blue", space="1:R2a")
    house.tap(None, do="correct", set={"players": {"red": {"happiness": 2, "resources": {"water": 0}}}})
    page = tight(red.get(f"/seat/red/missed?since={seq}").text)
    assert 'data-others="yes"' in page
    assert "placed on Diner" in page
    assert "+2<svg" in page
    assert "\N{MINUS SIGN}1<svg" in page
    assert "placed on Diner" in red.get("/seat/red/missed").text
    assert "Nothing has happened" in red.get(f"/seat/red/missed?since={house.state['seq']}").text
    assert 'data-others=""' in red.get(f"/seat/red/missed?since={house.state['seq']}").text
    assert "More stands in the history" in red.get("/seat/red/missed?since=0").text


def test_passing_is_what_to_do_where_nothing_else_is_left(house):
    house.start()
    red = house.seated("red")
    assert '<button class="no" id="do-pass"' in tight(red.get("/seat/red").text)
    house.tap(
        None,
        do="correct",
        set={"players": {"red": {"available": ["injured"]}}, "placed": {"1:E": {"by": "blue", "dwellers": ["plain"]}}},
    )
    assert '<button class="" id="do-pass"' in tight(red.get("/seat/red").text)


def test_the_first_game_is_explained_step_by_step(house):
    words, red = words_in("en"), "red"
    house.start()

    def told(colour, *moves):
        return player.guide(words, house.state, colour, offers(*moves))

    assert told(red)[1] == words.text("guide_start")
    assert told("blue") == [words.text("guide_wait")]
    assert told(red, {"space": "2:E"})[1] == words.text("guide_build_now")
    house.tap(None, do="correct", set={"players": {"red": {"available": ["S"]}, "blue": {"passed": True}}})
    assert told(red)[1] == words.text("guide_trained")
    assert told("blue") == [words.text("guide_passed")]
    house.tap(
        None,
        do="correct",
        set={"players": {"red": {"available": ["injured"]}}, "levels": {"2": {"rooms": {"R1": "garden"}}}},
    )
    assert told(red)[1] == words.text("guide_injured")
    house.tap(None, do="correct", set={"players": {"red": {"available": ["plain"]}}, "threats": {"2:R1b": "raider"}})
    assert told(red)[1] == words.text("guide_threats")
    house.tap(None, do="place", by="red", space="2:R1b")
    assert told(red) == [words.text("guide_ask_fight")]
    keys = [f"guide_ask_{kind.replace('-', '_')}" for kind in OPTIONS]
    assert {words.has(key) for key in keys} == {True, False}
    for phase in ("spawn", "recall", "over"):
        house.tap(None, do="correct", set={"pending": [], "placed": {"2:R1b": None}, "phase": phase})
        assert told(red) == [words.text(f"guide_{house.state['phase']}")]


def test_a_phone_keeps_its_switches_to_itself(house):
    house.start()
    phone = house.seated("red")
    assert "guide" not in phone.get("/seat/red").text.split('data-phone="')[1].split('"')[0]
    answer = phone.post("/phone", data={"switch": "guide", "back": "/seat/red"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/seat/red")
    assert 'id="guide"' in phone.get("/seat/red").text
    assert 'data-phone="awake guide shake sound"' in phone.get("/seat/red").text
    for name in ("awake", "guide", "shake", "sound"):
        phone.post("/phone", data={"switch": name})
    assert 'data-phone=""' in phone.get("/seat/red").text
    assert phone.post("/phone", data={"switch": "light"}).status_code == 400
    assert 'data-phone="awake shake sound"' in house.client().get("/seat/red", headers=BEARER).text
    assert phone_page.switched_on("sound.nonsense") == {"sound"}
