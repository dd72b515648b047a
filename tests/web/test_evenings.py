"""Evenings that differ, on the pages without a script."""

from dataclasses import replace
from datetime import date

from at_the_door import BEARER, PIN
from test_start import READER, answers, asked

from companion.cards.evenings.house_calls import our_calls
from companion.fair.check import BareEntry, check
from companion.languages import catalogues
from companion.table.record.summaries import GameSummary
from web.base.words import words_in
from web.games.port import CampaignText
from web.pages.evenings.view import achievements, campaign_run

DRY = {"id": "dry-pipes", "effects": [{"do": "dry", "of": "water", "where": "top", "until": 3}]}


def get(house, path, language="en"):
    return house.client().get(path, headers={**READER, "Accept-Language": language}).text


def test_a_house_call_is_begun_by_a_switch_and_offered_again(house):
    client = house.client()
    page = asked(client, plays_red="on", plays_blue="on", house_call="on", step="vault")
    page = asked(client, **{**answers(page), "step": "cards"})
    assert answers(page)["house_call"] == "on"
    answer = client.post("/start", data={**answers(page), "pin": PIN}, headers=READER)
    assert answer.headers["Location"] == "/start/phones"
    assert house.state["house_call"]["id"] in {call.id for call in our_calls()}
    assert answers(asked(client))["house_call"] == "on", "the next evening is offered as the last one was"


def test_without_the_switch_there_is_none(house):
    client = house.client()
    page = asked(client, plays_red="on", plays_blue="on", step="cards")
    client.post("/start", data={**answers(page), "pin": PIN}, headers=READER)
    assert "house_call" not in house.state
    assert 'id="house-call"' not in get(house, "/")


def test_everybody_reads_it_in_one_sentence_and_when_it_turns(house):
    house.start(house_calls=[DRY])
    for language in catalogues.codes():
        name = catalogues.catalogue(language, "evenings")["call_dry_pipes"]
        for path in ("/", "/table", "/seat/red"):
            assert name in get(house, path, language), (path, language)
    assert "Top level: no water, until the end of round 3." in get(house, "/")
    house.tap(None, do="correct", set={"round": 3, "phase": "recall"})
    assert house.tap(None, do="recall").status_code == 200
    assert house.state["house_call"]["now"] == []


def test_the_record_keeps_what_it_was_drawn_from(house):
    house.start(house_calls=True)
    game = house.state["id"]
    entries = house.app.extensions["companion"].stories.entries(game)
    kept = entries[0].body["setup"]["house_calls"]
    assert [call["id"] for call in kept] == [call.id for call in our_calls()]


def test_an_owners_file_with_faults_is_refused_with_file_and_line(house):
    folder = house.folder / "house-calls"
    folder.mkdir()
    file = folder / "odd.toml"
    file.write_text('[[call]]\nid = "odd"\nnames = { en = "Odd" }\neffects = [{ do = "rain" }]\n')
    setup = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red", "house_calls": True}
    answer = house.client().post("/api/host/games", json={"setup": setup}, headers=BEARER)
    assert answer.status_code >= 400
    assert f"{file}:4: odd: found do = " in str(answer.json)
    file.write_text('[[call]]\nid = "odd"\nnames = { en = "Odd" }\neffects = [{ do = "calm" }]\n')
    assert house.client().post("/api/host/games", json={"setup": setup}, headers=BEARER).status_code == 200


# --- the challenge of the week ----------------------------------------------------------------------------------------

NOVEMBER = date(2026, 11, 19)


def begun(house, players=1, day=NOVEMBER):
    house.app.extensions["companion"].today = lambda: day
    answer = house.client().post("/evenings/week", data={"players": str(players), "pin": PIN}, headers=READER)
    assert answer.headers["Location"] == "/start/phones"
    return house.state


def ended(house, **change):
    house.tap(None, do="correct", set={"phase": "recall", "round": 12, **change})
    assert house.tap(None, do="recall").status_code == 200
    assert house.state["result"] is not None
    return house.state["id"]


def test_a_week_is_the_same_evening_at_every_table(make_house):
    one, other, later, two = (make_house(promised=True) for _ in range(4))
    first, second = begun(one), begun(other)
    alike = ("tracks", "together", "house_call", "options")
    assert {key: first[key] for key in alike} == {key: second[key] for key in alike}
    rolls = [house.tap(None, do="correct", set={"round": 2, "phase": "spawn", "turn": "red"}) for house in (one, other)]
    assert [answer.status_code for answer in rolls] == [200, 200]
    for house in (one, other):
        assert house.tap(None, do="spawn").status_code == 200
    assert one.state["spawned"] == other.state["spawned"] != []
    assert begun(later, day=date(2026, 11, 26))["tracks"] != first["tracks"]
    assert begun(two, players=2)["tracks"] != first["tracks"]


def test_no_phone_changes_the_chance_of_a_week(make_house):
    house = make_house(promised=True)
    state = begun(house)
    assert (state["fair"]["promise"], state["fair"]["week"]) == (None, "2026-W47")
    seat = house.seated("red")
    assert seat.get("/api/seats/red/number").json == {"promise": None}
    seat.post("/api/seats/red/number", json={"number": "1" * 32})
    assert house.state["fair"]["numbers"] == []
    assert "no secret" in get(house, "/fair")


def test_a_week_is_checked_and_told_with_its_points(make_house):
    house = make_house(promised=True)
    begun(house)
    house.tap(None, do="pass", by="red")
    house.tap(None, do="undo")
    game = ended(house, players={"red": {"happiness": 7}})
    page = get(house, f"/history/{game}/fair")
    assert "The secret of a week is no secret" in page
    assert "Every roll and every shuffle follows" in page
    page = get(house, f"/history/{game}/take")
    met = sum(aim["met"] for aim in house.state["together"]["aims"])
    points = 10 * met + 7 - 3 * house.state["together"]["breaches"]
    assert "Week 2026-W47, players: 1" in page
    assert f"Points: {points}" in page
    assert "Taken back: 1" in page
    listed = get(house, "/evenings")
    assert "The challenge of week 2026-W47" in listed
    assert f"<b>{points}</b>" in listed
    assert "2026-W47 · Together, normal" in get(house, "/history")


def test_a_secret_of_another_week_is_found(make_house):
    house = make_house(promised=True)
    begun(house)
    entries = house.app.extensions["companion"].stories.entries(ended(house))
    assert check(entries).is_fair
    body = entries[0].body
    said = {**body, "fair": {**body["fair"], "week": "2026-W46"}}
    assert not check([BareEntry(0, "game", said), *entries[1:]]).is_fair


def test_who_is_not_the_host_needs_the_pin_to_begin_a_week(house):
    for form in ({"players": "1", "pin": "0000"}, {"players": "9", "pin": PIN}):
        answer = house.client().post("/evenings/week", data=form, headers=READER)
        assert answer.status_code >= 400
        assert 'role="alert"' in answer.text
    assert house.state["id"] is None


def test_the_house_calls_are_listed_in_every_language(house):
    for language in catalogues.codes():
        page = get(house, "/evenings", language)
        own = catalogues.catalogue(language, "evenings")
        for call in our_calls():
            assert own[f"call_{call.id.replace('-', '_')}"].replace("'", "&#39;") in page


# --- what is worth telling --------------------------------------------------------------------------------------------


def test_deeds_are_worked_out_from_the_record_and_an_undo_takes_them_back(house):
    assert 'class="done"' not in get(house, "/evenings/achievements")
    house.start(names={"red": "Ann"})
    board = {"red": {"happiness": 20, "resources": {"water": 6, "food": 6, "energy": 6}}}
    house.tap(None, do="correct", set={"phase": "over", "players": board})
    game = house.state["id"]
    page = get(house, "/evenings/achievements")
    done = [line.split('"')[1] for line in page.split("<li ")[1:] if 'class="done"' in line]
    assert {"hoarder", "landslide", "bare_hands", "quiet_vault"} <= set(done)
    assert page.count(f"/history/{game}") == len(done)
    assert "Ann" in page
    house.tap(None, do="undo")
    assert 'class="done"' not in get(house, "/evenings/achievements")


def test_many_weeks_and_many_games_are_counted():
    one = GameSummary("g", over=True)
    found = [replace(one, game=f"g{n}", began=f"2026-01-{n + 1:02}", week=f"2026-W{n % 4 + 1:02}") for n in range(25)]
    told = {line.key: line for line in achievements(words_in("en"), found)}
    assert told["four_weeks"].game == "g3"
    assert told["regulars"].game == "g24"
    told = {line.key: line for line in achievements(words_in("en"), found[:3])}
    assert (told["four_weeks"].game, told["regulars"].game) == ("", "")


# --- campaigns --------------------------------------------------------------------------------------------------------


def next_evening(house, **form):
    data = {"campaign": "long-winter", "players": "2", "pin": PIN, "pack": "standard", **form}
    answer = house.client().post("/evenings/campaign", data=data, headers=READER)
    assert answer.headers.get("Location") == "/start/phones", answer.text
    return house.state


def lost(house):
    house.tap(None, do="correct", set={"phase": "over", "together": {"breaches": 50}})
    assert house.state["result"]["winners"] == []


def test_six_evenings_are_linked_kept_in_the_record_and_undone_like_all_else(house):
    state = next_evening(house)
    assert (state["together"]["difficulty"], state["house_call"]["id"]) == ("easy", "long-winter-1")
    first = state["id"]
    house.tap(None, do="correct", set={"players": {"red": {"name": "Ann"}}})
    assert "being played" in get(house, "/evenings")
    lost(house)
    page = get(house, "/evenings")
    assert "The vault was lost last time" in page
    house.tap(None, do="undo")
    assert "The vault was lost last time" not in get(house, "/evenings"), "what was undone never happened"
    house.tap(None, do="redo")
    state = next_evening(house)
    assert [effect["do"] for effect in state["house_call"]["effects"]] == ["dry", "dry"], "its own, and what was lost"
    assert state["players"]["red"]["name"] == "Ann"
    entries = house.app.extensions["companion"].stories.entries(state["id"])
    assert entries[0].body["campaign"] == {"id": "long-winter", "run": first, "evening": 2}
    for number in range(2, 7):
        assert house.state["house_call"]["id"] == f"long-winter-{number}"
        lost(house)
        if number < 6:
            next_evening(house)
    page = get(house, "/evenings")
    assert "All six evenings have been played. The vault held on 0." in page
    done = get(house, "/evenings/achievements")
    assert 'id="six_evenings" class="done"' in done
    assert "Evening 6 of a campaign" in get(house, "/history")
    assert next_evening(house)["house_call"]["id"] == "long-winter-1", "and from the start"
    assert "All six evenings" not in get(house, "/evenings")


def test_an_evening_that_is_begun_anew_is_the_first_of_another_run(house):
    next_evening(house)
    lost(house)
    assert next_evening(house, anew="1")["house_call"]["id"] == "long-winter-1"
    assert [effect["do"] for effect in house.state["house_call"]["effects"]] == ["gift"], "nothing was before it"


def test_how_the_last_evening_ended_is_what_the_next_begins_with():
    text = CampaignText("long-winter", "The long winter", [(f"{nth}", "", "") for nth in range(1, 7)])
    games = [GameSummary(f"g{nth}", True, won=nth != 3, campaign=("long-winter", "g1", nth)) for nth in (1, 2, 3)]
    found = campaign_run(text, games)
    assert (found.run, found.next, found.won_before, found.won) == ("g1", 4, False, 2)
    again = GameSummary("g4", True, won=True, campaign=("long-winter", "g1", 3))
    assert campaign_run(text, [*games, again]).won_before is True, "of two the one that was begun last counts"
    undone = GameSummary("g4", over=False, campaign=("long-winter", "g1", 3))
    assert campaign_run(text, [*games, undone]).next == 3
    other = GameSummary("h1", over=False, campaign=("long-winter", "h1", 1))
    assert (campaign_run(text, [*games, other]).run, campaign_run(text, []).run) == ("h1", "")


def test_a_campaign_that_there_is_not_is_refused(house):
    for form in ({"campaign": "short-summer"}, {"campaign": "long-winter", "players": "7"}):
        data = {"players": "2", "pin": PIN, **form}
        answer = house.client().post("/evenings/campaign", data=data, headers=READER)
        assert answer.status_code >= 400
        assert 'role="alert"' in answer.text
    assert house.state["id"] is None


def test_the_host_alone_is_shown_the_buttons(house):
    assert 'action="/evenings/campaign"' not in get(house, "/evenings")
    client = house.client()
    client.post("/api/host/login", json={"pin": PIN})
    page = client.get("/evenings", headers=READER).text
    assert 'action="/evenings/campaign"' in page
    assert "The long winter" in page
