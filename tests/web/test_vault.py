"""The vault that a seat plays on, and the sheet of one space: pure views of a state, its legal moves and its events."""

import pytest
from at_the_door import BEARER, tight

from companion.cards.loader import builtin
from companion.languages.catalogues import codes
from web.base.words import words_in
from web.games.shelter import status
from web.games.shelter.cards import PackCards
from web.games.shelter.seat import folded_vault, sheet

CARDS = PackCards(builtin("standard"))
ENGLISH = words_in("en")
ROOMS = {"2": {"rooms": {"L1": "living-room", "R1": "garden", "R2": "lounge"}}}


def board(house, **players):
    house.tap(None, do="correct", set={"players": players})


def offers(house, colour):
    return house.app.extensions["companion"].legal(colour)


def vault_of(house, colour="red", language="en"):
    snapshots = house.session.snapshots
    recent = [one for one in snapshots.all_newer_than(0, 0) if one.events]
    legal = offers(house, colour)
    return folded_vault.folded(words_in(language), snapshots.latest, CARDS, colour, legal, recent)


def spaces(vault):
    rooms = [room for level in vault.levels for wing in level.wings for room in wing]
    listed = [space for room in rooms for space in room.spaces] + [level.elevator for level in vault.levels]
    return {space.place: space for space in listed}


def sheet_of(house, place, colour="red", way="", goer=""):
    asked = sheet.SheetAsked(colour, place, way, goer)
    return sheet.sheet(ENGLISH, house.session.snapshots.latest, CARDS, offers(house, colour), asked)


def test_what_is_lit_is_what_is_legal(house):
    house.start()
    board(house, red={"available": ["plain", "P", "injured"], "resources": {"water": 2}})
    legal = {}
    for offer in offers(house, "red"):
        for kind in offer.move.get("dwellers", ()):
            legal.setdefault(offer.move["space"], set()).add(kind)
    lit = {place: set(space.goers) for place, space in spaces(vault_of(house)).items() if space.goers}
    assert lit == legal
    assert vault_of(house).playing
    assert not any(space.goers for space in spaces(vault_of(house, "blue")).values())
    assert not vault_of(house, "blue").playing


def test_a_letter_doubles_for_the_dweller_that_wears_it_alone(house):
    house.start()
    board(house, red={"available": ["plain", "P"]})
    found = spaces(vault_of(house))
    assert found["1:R1a"].printed.letter == "P"
    assert found["1:R1a"].doubled == ["P"]
    assert found["1:R1a"].classes == ["g1", "g2", "x2", "w1"]
    assert "open to: Dweller, Perception (twice)" in found["1:R1a"].label
    assert found["1:R2b"].doubled == []


def test_the_vault_is_folded_at_its_shaft_with_the_nearest_room_first(house):
    house.start()
    assert house.tap(None, do="correct", set={"levels": ROOMS}).status_code == 200
    top, own, *others = vault_of(house).levels
    assert [[room.column for room in wing] for wing in top.wings] == [["L1", "L2", "L3"], ["R1", "R2", "R3"]]
    assert [[room.column for room in wing] for wing in own.wings] == [["L1"], ["R1", "R2"]]
    assert [room.row for room in own.wings[1]] == [1, 2]
    assert (top.rows, own.rows, others[0].rows) == (3, 2, 1)
    assert [room.column if room else None for room in own.plan(0)] == [None, None, "L1"]
    assert [room.column if room else None for room in own.plan(1)] == ["R1", "R2", None]


def test_a_level_where_nothing_is_lit_is_one_line_while_one_plays(house):
    house.start()
    house.tap(None, do="correct", set={"levels": ROOMS, "players": {"red": {"available": ["injured"]}}})
    levels = vault_of(house).levels
    assert [level.open for level in levels] == [True, False, False, False]
    assert [level.open for level in vault_of(house, "blue").levels] == [True, True, False, False]


def test_b5_the_place_of_the_sixth_room_says_that_it_ends_the_game(house):
    house.start()
    rooms = {"L1": "living-room", "R1": "garden", "R2": "lounge", "R3": "armory", "L2": "medbay"}
    assert vault_of(house).levels[1].sixth is None
    house.tap(None, do="correct", set={"levels": {"2": {"rooms": rooms}}})
    assert vault_of(house).levels[1].sixth == 0
    assert "6th room here:" in house.client().get("/seat/red").text


def test_what_a_placement_brought_stands_where_one_tapped(house):
    house.start()
    house.tap(None, do="place", by="red", space="1:R3a")
    assert spaces(vault_of(house))["1:R3a"].brought == [("energy", "+2")]
    assert spaces(vault_of(house, "blue"))["1:R3a"].brought == []
    assert house.tap(None, do="correct", set={"levels": ROOMS}).status_code == 200
    house.tap(None, do="place", by="blue", space="2:R1a")
    (income,) = house.state["pending"]
    house.tap(None, do="choose", by="red", id=income["id"], option="water")
    assert spaces(vault_of(house))["1:R3a"].brought == [("energy", "+2")]
    page = tight(house.client().get("/seat/red").text)
    assert page.split('id="s-1-R3a"')[1].split("</a>")[0].count("+2<svg>") == 1
    for _ in range(3):
        house.tap(None, do="undo")
    assert spaces(vault_of(house))["1:R3a"].brought == [("energy", "+2")]
    house.tap(None, do="undo")
    assert spaces(vault_of(house))["1:R3a"].brought == []


def test_what_was_paid_stands_beside_what_was_gained(house):
    house.start()
    board(house, red={"resources": {"water": 3}})
    costly = next(place for place, one in spaces(vault_of(house)).items() if one.printed.cost and one.goers)
    cost = spaces(vault_of(house))[costly].printed.cost
    house.tap(None, do="place", by="red", space=costly)
    brought = dict(spaces(vault_of(house))[costly].brought)
    assert {name for name, amount in brought.items() if amount.startswith("\N{MINUS SIGN}")} == {
        one.name for one in cost
    }


def test_the_sheet_says_what_is_doubled_and_what_a_full_track_loses(house):
    house.start()
    board(house, red={"available": ["plain", "S"], "resources": {"energy": 4}})
    shown = sheet_of(house, "1:R3a", goer="S")
    assert (shown.title, shown.level, shown.owner) == ("Power Generator, left", "1", "")
    assert [way.name for way in shown.ways] == ["Dweller", "Strength"]
    assert (shown.chosen, shown.way.doubled) == (1, True)
    assert [(one.name, one.stays, one.comes, one.lost, one.free) for one in shown.tracks] == [("energy", 4, 2, 2, 0)]
    plain = sheet_of(house, "1:R3a", way="0", goer="S")
    assert (plain.chosen, plain.tracks[0].comes, plain.tracks[0].lost) == (0, 2, 0)
    assert shown.way.move in [offer.move for offer in offers(house, "red")]
    assert sheet_of(house, "1:R3a", way="7").chosen == 0
    assert sheet_of(house, "1:R3a", way="\N{SUPERSCRIPT TWO}").chosen == 0


def test_m1_the_sheet_says_whose_income_it_will_be(house):
    house.start()
    house.tap(None, do="correct", set={"levels": {**ROOMS, "3": {"rooms": {"R1": "armory"}}}, "threats": {}})
    assert sheet_of(house, "2:R2a").income == ""
    assert sheet_of(house, "1:R1a").income == ""
    theirs = sheet_of(house, "3:R1a")
    assert (theirs.income, theirs.income_name) == ("blue", "Blue")
    house.tap(None, do="correct", set={"threats": {"3:R1a": "raider"}})
    assert sheet_of(house, "3:R1a").income == ""


def test_the_sheet_of_a_fight_has_the_odds_with_what_is_ticked(house):
    house.start()
    items = [{"id": "minigun", "exhausted": False}, {"id": "fat-man", "exhausted": False}]
    house.tap(None, do="correct", set={"threats": {"1:R1b": "raider"}, "players": {"red": {"items": items}}})
    shown = sheet_of(house, "1:R1b")
    assert shown.threat == "Raider"
    assert (shown.fight.number, shown.fight.chances) == (9, [28, 42, 58, 72])
    (gun,) = shown.helpers
    assert (gun.name, gun.bonus, gun.percent) == ("Minigun", 3, 72)
    assert gun.move == {"do": "choose", "by": "red", "option": "use:minigun"}
    assert [(one.name, one.percent) for one in shown.fight.rerolls] == [("Fat Man", 48)]
    assert spaces(vault_of(house))["1:R1b"].percent == 28
    house.client().post("/api/host/odds", json={"fight": False}, headers=BEARER)
    assert sheet_of(house, "1:R1b").fight is None
    assert spaces(vault_of(house))["1:R1b"].percent is None


def test_what_is_ticked_is_used_after_the_placement_without_a_script(house):
    house.start()
    items = [{"id": "minigun", "exhausted": False}]
    house.tap(None, do="correct", set={"threats": {"1:R1b": "raider"}, "players": {"red": {"items": items}}})
    red, move = house.seated("red"), '{"do": "place", "by": "red", "space": "1:R1b"}'
    ticked = '{"do": "choose", "by": "red", "option": "use:minigun"}'
    answer = red.post("/moves", data={"move": move, "then": [ticked], "back": "/seat/red#s-1-R1b"})
    assert answer.headers["Location"] == "/seat/red#s-1-R1b"
    assert house.state["players"]["red"]["items"] == [{"id": "minigun", "exhausted": True}]
    assert house.state["pending"][0]["kind"] == "fight"


@pytest.mark.parametrize("language", codes())
def test_a_closed_space_says_in_every_language_why_the_rules_refuse_it(house, language):
    house.start()
    red, heard = house.seated("red"), {"Accept-Language": language}
    house.tap(None, do="place", by="red", space="1:R1a")
    words = words_in(language)
    assert (
        words.text("refused_not_your_turn", turn=words.text("colour_blue"))
        in red.get("/seat/red/at/1:R1a", headers=heard).text
    )
    assert 'id="go"' not in red.get("/seat/red/at/1:R2a").text
    blue = house.seated("blue")
    taken = words.text("refused_space_taken", owner=words.text("colour_red"), who=words.text("colour_red"))
    assert taken in blue.get("/seat/blue/at/1:R1a", headers=heard).text
    assert 'id="go"' in blue.get("/seat/blue/at/1:R2a").text
    assert 'id="go"' not in house.client().get("/seat/blue/at/1:R2a").text


@pytest.mark.parametrize("place", ["9:R1a", "nowhere", "1:R9z", "2:R1a", "1:", ":", "1:R1a:b"])
def test_a_space_that_is_not_there_has_no_sheet(house, place):
    house.start()
    assert house.seated("red").get(f"/seat/red/at/{place}").status_code == 404
    assert house.seated("red").get("/seat/yellow/at/1:R1a").status_code == 404


def test_the_tracks_are_read_from_the_seat(house):
    house.start()
    for track in ("items", "rooms"):
        page = house.client().get(f"/seat/red/at/{track}").text
        assert all(CARDS.name(card, "en").replace("'", "&#39;") in page for card in house.state["tracks"][track])


def test_the_list_has_every_legal_placement(house):
    house.start()
    board(house, red={"available": ["plain", "P", "injured"], "resources": {"water": 2}})
    page = house.seated("red").get("/seat/red?view=list").text
    legal = [offer for offer in offers(house, "red") if offer.move["do"] == "place"]
    assert page.count('class="way"') == len(legal) > 8
    assert 'value="/seat/red?view=list"' in page


def test_the_chip_looks_until_there_is_something_to_settle(house):
    house.start()
    state = house.state

    def chip(camera, differing=0):
        table = {**state["table"], "camera": camera, "disagreements": [{}] * differing}
        head = status.head(ENGLISH, {**state, "table": table})
        return head.camera, head.camera_text

    assert chip("watching") == chip("unsure") == ("watching", "looking")
    assert chip("watching", 2) == chip("unsure", 2) == ("unsure", "2 to settle")
    assert chip("lost") == ("lost", "cannot see the table")
