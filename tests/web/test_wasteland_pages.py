"""The pages of the second game."""

import html
import re

import pytest
from at_the_door import BEARER, tight
from evening_out import begin, game_of, names, wander

from companion.cards.wasteland.in_words import CATALOGUE
from companion.cards.wasteland.loader import builtin
from companion.languages.catalogues import card_texts
from companion.table.session.intents import DeviceChanged
from web.games.charts import PHONE

PAGES = ("/", "/seat/red", "/seat/blue", "/table", "/join", "/history", "/host")
FIGHT = {
    "start": {
        "players": {"red": {"space": "reef", "perks": ["iron-grip"]}},
        "enemies": {"1": {"id": "dune-crab", "space": "reef"}},
    }
}


@pytest.mark.long
@pytest.mark.parametrize(("seed", "language", "options"), [
    (1, "en", {}), (2, "pl", {"dice": "table"}), (3, "ru", {"cards": "table"}), (4, "en", {"dice": "table"}),
])  # fmt: skip
def test_every_page_of_a_wandering_game(house, seed, language, options):
    begin(house, options=options, survivors={})
    phone, host = house.seated("red"), house.client()
    phone.set_cookie("language", language)
    for number, _ in enumerate(wander(house, seed, 220)):
        if number % 4:
            continue
        for path in PAGES:
            answer = phone.get(path)
            assert answer.status_code == 200, path
    assert host.get("/host", headers=BEARER).status_code == 200
    assert "wasteland.css" in host.get("/", headers=BEARER).text


def tap(client, **form):
    return client.post("/wasteland/do/red", data=form)


def test_a_survivor_board_shows_pegs_letters_and_cards(house):
    begin(house, start={"players": {"red": {"hp": 9, "rads": 4, "caps": 7, "letters": "SL", "xp": "L"}}})
    page = house.seated("red").get("/seat/red").text
    assert "HP 9, rads 4, 5 HP remain" in page
    assert "7 Caps" in page
    assert "XP peg" in page
    assert "do-end" in page
    assert 'data-tell="' in page


def test_a_fight_by_thumb(house):
    begin(house, **FIGHT)
    phone = house.seated("red")
    page = phone.get("/seat/red").text
    assert "Fight Dune Crab, Reef" in page
    house.tap(phone, do="fight", by="red", enemy=1)
    page = phone.get("/seat/red").text
    assert "Roll the dice" in page
    assert 'class="contest"' in page
    house.tap(phone, do="choose", by="red", option="roll")
    assert "rolls" in phone.get("/").text


def test_real_dice_are_keyed_in_by_their_faces(house):
    begin(house, options={"dice": "table"}, **FIGHT)
    phone = house.seated("red")
    house.tap(phone, do="fight", by="red", enemy=1)
    house.tap(phone, do="choose", by="red", option="roll")
    page = phone.get("/seat/red").text
    assert "What does die 1 show?" in page
    assert page.count('name="move"') >= 6
    choice = house.state["pending"][0]
    assert tap(phone, do="choose", id=choice["id"], head="on", body="on", hits="1").status_code == 303
    assert house.state["contest"]["dice"][0] == "hb1"


def test_the_enemy_phase_step_by_step_on_the_big_screen(house):
    begin(house, **FIGHT)
    for _ in range(2):
        house.tap(None, do="end", by=house.state["turn"])
    house.tap(None, do="correct", set={"players": {"red": {"hand": []}}})
    for _ in range(30):
        if house.state["activating"] or house.state["phase"] == "turn":
            break
        house.tap(None, do="reveal")
    page = house.client().get("/table").text
    if house.state["activating"]:
        assert "each fights whoever is in its space" in page
        assert 'class="kinds"' in page


def test_forms_become_moves(house):
    begin(house, **FIGHT)
    phone = house.seated("red")
    assert tap(phone, do="test", letter_S="on", letter_L="on", difficulty="2").status_code == 303
    assert house.state["contest"]["difficulty"] == 2
    while house.state["pending"]:
        choice = house.state["pending"][0]
        house.tap(None, do="choose", by=choice["by"], id=choice["id"], option=choice["options"][0])
    tap(phone, do="result", results="caps 4\nxp 1", level="")
    assert house.state["players"]["red"]["caps"] == 7
    tap(phone, do="enemy", type="robot", at="Old Mill", facedown="on")
    assert any(one["space"] == "old-mill" and not one["active"] for one in house.state["enemies"].values())
    tap(phone, do="correct", board="red", hp="11", rads="2", caps="1", letters_shown="1", letter_S="on",
        letter_L="on", xp="S", space="market")  # fmt: skip
    red = house.state["players"]["red"]
    assert (red["hp"], red["rads"], red["caps"], red["letters"], red["xp"], red["space"]) == (
        11,
        2,
        1,
        "SL",
        "S",
        "market",
    )
    house.tap(phone, do="move", by="red")
    tap(phone, do="step", to="Deep Cut!", difficult="on", irradiated="on")
    assert house.state["players"]["red"]["space"] == "deep-cut"
    assert house.state["players"]["red"]["rads"] == 3
    tap(phone, do="explore", type_0="critter", at_0="deep-cut-2", placed_1="reef")
    assert any(one["space"] == "deep-cut-2" for one in house.state["enemies"].values())


def test_spaces_are_typed_in_any_script(house):
    begin(house, **FIGHT)
    phone = house.seated("red")
    tap(phone, do="enemy", type="robot", at="Łąka")
    assert "łąka" in [one["space"] for one in house.state["enemies"].values()]
    house.tap(phone, do="move", by="red")
    tap(phone, do="step", to="Рынок за дюнами")
    assert house.state["players"]["red"]["space"] == "рынок-за-дюнами"
    assert "Рынок за дюнами" in phone.get("/seat/red").text
    tap(phone, do="explore", type_0="critter", at_0="Рынок")
    assert "рынок" in [one["space"] for one in house.state["enemies"].values()]


def test_a_trade_by_form(house):
    begin(house, start={"players": {"red": {"caps": 5, "space": "deep-cut"}, "blue": {"space": "deep-cut"}}})
    phone = house.seated("red")
    house.tap(phone, do="camp", by="red")
    house.tap(phone, do="choose", by="red", option="trade")
    assert "f-trade" in phone.get("/seat/red").text
    assert tap(phone, do="show", to="blue", agenda="1").status_code == 303
    assert tap(phone, do="offer", to="blue", give_caps="2", give_agenda_1="on").status_code == 303
    blue = house.seated("blue")
    assert "Red gives: 1 agenda, 2 Caps" in blue.get("/seat/blue").text
    house.tap(blue, do="choose", by="blue", option="agree")
    assert house.state["players"]["blue"]["agendas"] == 2


@pytest.mark.parametrize("form", [{}, {"do": "nothing"}, {"do": "test", "difficulty": "many"}, {"do": "enemy"}])
def test_an_odd_form_is_refused(house, form):
    begin(house)
    assert 400 <= tap(house.seated("red"), **form).status_code < 500


def test_a_form_is_for_its_own_seat(house):
    begin(house)
    assert tap(house.seated("blue"), do="result", results="caps 9").status_code == 403
    assert tap(house.client(), do="result", results="caps 9").status_code == 401
    assert house.state["players"]["red"]["caps"] == 3


def test_a_level_up_keeps_a_letter(house):
    begin(house, start={"players": {"red": {"letters": "SL", "xp": "L"}}})
    phone = house.seated("red")
    tap(phone, do="result", results="xp 1")
    page = phone.get("/seat/red").text
    assert "Level up: which letter do you keep?" in page
    choice = house.state["pending"][0]
    house.tap(phone, do="choose", by="red", id=choice["id"], option=choice["options"][0])
    assert house.state["players"]["red"]["xp"] == "start"


def test_the_host_begins_a_game_by_form(house):
    host = house.client()
    assert host.get("/wasteland/new").headers["Location"] == "/start?game=wasteland"
    form = {
        "pack": "homemade", "scenario": "low-tide", "plays_red": "on", "plays_green": "on", "place_red": "2",
        "place_green": "1", "survivor_green": "the-netmaker", "name_green": "Ola", "first": "red", "dice": "companion",
        "cards": "companion",
    }  # fmt: skip
    assert host.post("/wasteland/new", data=form, headers=BEARER).status_code == 303
    state = house.state
    assert (state["game"], state["order"], state["first"]) == ("wasteland", ["green", "red"], "red")
    assert (state["options"]["scenario"], state["players"]["green"]["name"]) == ("low-tide", "Ola")
    assert state["pending"][0]["kind"] == "survivor"


@pytest.mark.parametrize(
    "body",
    [
        {"setup": {}, "game": "chess"},
        {"setup": {}, "game": 3},
        {"game": "wasteland"},
        {"setup": {"players": ["red"]}, "game": "wasteland", "pack": "standard"},
    ],
)
def test_a_game_that_is_not_there_is_refused(house, body):
    answer = house.client().post("/api/host/games", json=body, headers=BEARER)
    assert 400 <= answer.status_code < 500


def answered(house):
    """The first answer of every open choice."""
    while house.state["pending"]:
        choice = house.state["pending"][0]
        house.tap(None, do="choose", by=choice["by"], id=choice["id"], option=choice["options"][0])
    assert house.state["phase"] == "over"


def test_the_end_shows_hands_and_influence(house):
    begin(house)
    game = game_of(house)
    house.tap(None, do="result", by="red", results=["power star 7"])
    answered(house)
    for path in ("/", "/seat/red", "/seat/blue", "/table"):
        page = house.client().get(path).text
        assert page.count("The factions have won") >= 1
        assert 'class="m-podium"' in page
        assert '<li class="rank-3' in page
        assert game.box.agendas[game.survivors[0].hand[0]].name in page
    assert house.client().get("/history").status_code == 200
    assert house.client().get(f"/history/{house.state['id']}.journal").status_code == 200


def test_who_has_enough_influence_reads_that_they_won_and_the_same_people_play_again(house):
    begin(house, names={"red": "Ada"})
    board = {"hand": ["lamp-oil-contract", "never-alone", "full-purse", "well-read"], "caps": 25}
    house.tap(None, do="correct", set={"power": {"shield": 5, "star": 0}})
    house.tap(None, do="correct", set={"players": {"red": board}})
    house.tap(None, do="claim", by="red")
    answered(house)
    influence = house.state["result"]["influence"]
    red, blue = house.seated("red"), house.seated("blue")
    page = tight(red.get("/seat/red").text)
    assert "You won" in page
    assert f"<b>{influence['red']}</b><small>no. 1</small>" in page
    assert page.count('<span class="m-box">') == 2
    assert names(house, board["hand"]) - set(board["hand"]) <= set(re.findall(r"<li>([^<]+)<b>", page))
    lines = re.findall(r"<li>[^<]+<b>(\d+)</b></li>", page)
    assert sum(map(int, lines)) == sum(influence.values())
    assert _last_of_the_curve(page) == {
        colour: round(PHONE.height * (1 - one / max(influence.values())), 1) for colour, one in influence.items()
    }
    assert "Ada wins" in blue.get("/seat/blue").text
    assert "You are number 2" in blue.get("/seat/blue").text
    assert red.post("/again").headers["Location"] == "/seat/red"
    state = house.state
    assert (state["game"], state["phase"], state["order"]) == ("wasteland", "turn", ["red", "blue"])
    assert (state["options"]["scenario"], state["players"]["red"]["name"]) == ("the-salt-road", "Ada")


def _last_of_the_curve(page):
    """How far below the top everybody's curve of influence ends."""
    (drawn,) = re.findall(r'<svg class="curve"[^>]*aria-label="Everybody&#39;s influence">(.*?)</svg>', page)
    ends = re.findall(r'<use class="fill-(\w+)"[^>]* y="([-.\d]+)"', drawn)
    return {colour: round(float(y) + PHONE.text / 2, 1) for colour, y in ends}


def test_corrections_lead_to_the_boards(house):
    begin(house)
    host = house.client()
    assert host.get("/correct/", headers=BEARER).status_code == 303
    assert host.get("/correct/red", headers=BEARER).status_code == 404


def test_the_other_pages_bear_the_second_game(house):
    """Every page that is shown without a name in its address answers, whichever game is being played."""
    begin(house)
    host = house.client()
    paths = [
        str(rule)
        for rule in house.app.url_map.iter_rules()
        if "GET" in rule.methods and not rule.arguments and "stream" not in rule.endpoint
    ]
    assert len(paths) > 15
    for path in paths:
        if path in ("/api/events", "/api/camera.mjpg"):
            continue
        answer = host.get(path, headers=BEARER)
        assert answer.status_code < 500 or answer.status_code == 503, path
        answer.close()


def test_the_description_of_the_api_holds_for_the_second_game(house):
    begin(house)
    schemas = house.client().get("/api/openapi.json").json["components"]["schemas"]
    state = house.seated("red").get("/api/state").json
    assert set(schemas["State"]["required"]) <= set(state)
    assert state["phase"] in schemas["State"]["properties"]["phase"]["enum"]
    assert "null" in schemas["Legal"]["properties"]["preview"]["type"]
    assert {move["preview"] for move in house.client().get("/api/legal").json["moves"]} == {None}


def test_the_way_back_in_words(house):
    begin(house, **FIGHT)
    host = house.client()
    house.tap(None, do="fight", by="red", enemy=1)
    house.tap(None, do="choose", by="red", option="roll")
    house.tap(None, do="use", by="red", card="lucky-net")
    page = host.get("/host/back", headers=BEARER).text
    assert "Red: chooses Roll the dice" in page
    assert "fights enemy" in page


def test_a_game_that_was_put_away_is_laid_by_a_list(house):
    begin(house, **FIGHT)
    host = house.client()
    assert host.post("/api/host/freeze", headers=BEARER).status_code == 200
    page = host.get("/host", headers=BEARER).text
    for told in ("Dune Crab", "Reef", "HP 16, rads 0", "Lucky Net", "1 The Ferry Bell"):
        assert told in page, told
    assert host.get("/seat/red", headers=BEARER).status_code == 200
    assert host.post("/api/host/thaw", headers=BEARER).status_code == 200


def test_shopping_shows_prices(house):
    begin(house, start={"players": {"red": {"caps": 9, "space": "deep-cut"}}})
    phone = house.seated("red")
    tap(phone, do="result", results="shop 2")
    page = phone.get("/seat/red").text
    assert "Shopping: 2 left" in page
    assert "Buy " in page or "Recruit " in page
    assert "Caps" in page


def test_a_drawn_card_of_a_real_deck_is_asked_of_everybody(house):
    begin(house, options={"cards": "table"})
    assert "What was drawn:" in house.seated("blue").get("/").text


def test_whoever_comes_back_to_a_survivor_reads_what_was_missed(house):
    begin(house, **FIGHT)
    blue = house.seated("blue")
    seq = house.state["seq"]
    assert "Nothing has happened" in blue.get(f"/seat/blue/missed?since={seq}").text
    house.tap(house.seated("red"), do="fight", by="red", enemy=1)
    page = blue.get(f"/seat/blue/missed?since={seq}").text
    assert "Dune Crab" in page
    assert 'data-others="yes"' in page
    assert "/history/" not in page.partition('id="missed"')[2].partition("</section>")[0]


def test_a_survivors_phone_nudges_reads_aloud_and_explains_a_first_game(house):
    begin(house)
    page = house.seated("red").get("/seat/red").text
    assert "seat.js" in page
    assert 'data-from="/seat/red/missed"' in page
    assert 'id="switch-speak"' in page
    assert 'id="switch-guide"' in page
    assert "seat.js" not in house.client().get("/seat/red").text


def test_the_way_around_names_this_game_and_leads_to_its_own_rules(house):
    assert "Fallout Shelter" in house.client().get("/rules").text
    begin(house)
    nav = house.client().get("/").text.partition("<nav")[2].partition("</nav>")[0]
    assert "The wasteland" in nav
    assert 'href="/rules"' in nav
    page = house.client().get("/rules").text
    assert "V.A.T.S. dice" in page
    assert "elevator" not in page


def test_hands_over_the_table_take_neither_the_feed_nor_take_back(house):
    begin(house, **FIGHT)
    phone = house.seated("red")
    house.tap(phone, do="fight", by="red", enemy=1)
    house.tap(phone, do="choose", by="red", option="roll")
    house.passing_hands()
    house.session.ask(DeviceChanged("camera", "failing", "The cable is loose.")).result(20)
    assert "rolls" in phone.get("/").text
    assert 'id="do-undo"' in phone.get("/seat/red").text


def test_what_dice_and_enemies_bring_is_told_on_every_page(make_house):
    live = make_house(pace=1000.0)
    begin(live)
    for _ in wander(live, 4, 80):
        if live.session.snapshots.latest.seconds_to_see:
            break
    assert live.session.snapshots.latest.seconds_to_see
    key = live.app.extensions["companion"].stage.now().key
    assert key.startswith(("enemies-", "contest-"))
    pages = [live.client().get(path).text for path in ("/", "/seat/red", "/table")]
    assert all(f'data-key="{key}"' in page for page in pages)
    heads = {re.search(r'class="m-head.*?<h2[^>]*>([^<]*)<', page, re.DOTALL)[1].strip() for page in pages}
    assert len(heads) == 1
    assert heads != {""}


def test_the_last_steps_on_the_big_screen_have_a_space_behind_the_name(house):
    begin(house)
    list(wander(house, 4, 25))
    last = re.search(r'<footer class="ticker".*?</footer>', house.client().get("/table").text, re.DOTALL).group()
    assert "</b>" in last
    assert not re.search(r"</b>[^\s<]", last)


def test_a_first_game_is_explained_step_by_step_to_who_wants_it(house):
    begin(house, **FIGHT)
    red = house.seated("red")
    page = red.get("/seat/red").text
    assert 'id="guide-offer"' in page
    assert 'id="guide-offer"' not in house.client().get("/seat/red").text
    red.post("/phone", data={"switch": "guide", "back": "/seat/red"})
    page = red.get("/seat/red").text
    assert 'id="guide-offer"' not in page
    assert "You want influence" in page
    house.tap(red, do="fight", by="red", enemy=1)
    assert "each bullet hits you" in red.get("/seat/red").text


FOUR = {
    "players": ["red", "blue", "green", "yellow"],
    "scenario": "low-tide",
    "survivors": {
        "red": "the-netmaker", "blue": "the-pilgrim", "green": "the-brine-child", "yellow": "the-diver-maid"
    },
}  # fmt: skip


def test_by_hand_who_is_nearest_is_one_tap_of_four(house):
    begin(house, **FOUR, start={"enemies": {"1": {"id": "dune-crab", "space": "causeway"}}},
          decks={"agendas": [*names_of_agendas()]})  # fmt: skip
    for _ in range(8):
        if house.state["phase"] == "enemies":
            break
        house.tap(None, do="end", by=house.state["turn"])
    house.tap(None, do="reveal")
    while (choice := house.state["pending"][0])["kind"] != "nearest":
        house.tap(None, do="choose", id=choice["id"], option=choice["options"][0])
    assert len(choice["options"]) == 15
    page = house.seated(choice["by"]).get(f"/seat/{choice['by']}").text
    asked = page[page.index(f'id="choice-{choice["id"]}"') :].partition("</section>")[0]
    assert len(re.findall(r"<button[^>]*name=\"move\"", asked)) == 4
    assert "+" not in re.sub(r"<[^>]*>", "", asked)


def names_of_agendas():
    """Agendas on top of the deck that wake critters when they are revealed."""
    return [one.id for one in builtin("homemade").agendas if "critter" in one.activates][:9]


def test_a_token_that_is_drawn_names_for_whom(house):
    begin(house, **FOUR, options={"cards": "table"})
    while (choice := house.state["pending"][0])["about"].get("whose") is None:
        house.tap(None, do="choose", id=choice["id"], option=choice["options"][0])
    whose = choice["about"]["whose"]
    page = house.seated("red").get("/").text
    assert f"What did {whose.capitalize()} draw" in page


def test_a_triggered_objective_says_its_trigger_in_words(house):
    begin(house)
    for path in ("/", "/seat/blue", "/table"):
        assert "when somebody kills a robot" in house.client().get(path).text.lower(), path
    german = house.client().get("/", headers={"Accept-Language": "de"}).text
    assert card_texts("de", CATALOGUE)["when somebody kills a robot"] in html.unescape(german)
