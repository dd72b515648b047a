"""A real browser: two phones and a big screen play an evening in the wasteland."""

import cv2
import pytest
from at_the_door import BEARER, PIN
from browsing import CHROMIUM, SCREEN, Looking, caught_up, shoot, take_seat
from evening_out import begin

from tests.vision.test_card_photo import photo
from web.games.wasteland.owner.own_packs import Packs

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

DECK = {"agendas": {"only": ["lamp-oil-contract", "toll-collector", "good-name", "bad-company"]}}


def tap(page, house, selector):
    """A thumb: what is tapped is shown before the next one."""
    caught_up(page, house)
    before = house.state["seq"]
    page.locator(selector).first.click()
    page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)


def answer(page, house, text):
    tap(page, house, f".choice button:has-text('{text}')")


def answer_anything(phones, house, until):
    """The first answer of every open choice, by the thumb of whoever is asked."""
    for _ in range(60):
        if until(house.state):
            return
        choice = house.state["pending"][0]
        tap(phones[choice["by"]], house, ".choice button")
    pytest.fail(f"still asked: {house.state['pending']}")


def whole(page, name):
    """The whole length of a page, for whoever wants to look at it."""
    size = page.viewport_size
    page.set_viewport_size({"width": size["width"], "height": page.evaluate("document.documentElement.scrollHeight")})
    shoot(page, name)
    page.set_viewport_size(size)


def settled(state):
    return not state["pending"]


def choose_survivors(house, phones):
    answer(phones["red"], house, "The Netmaker")
    answer(phones["red"], house, "Camp fire")
    answer(phones["blue"], house, "The Pilgrim")
    answer_anything(phones, house, settled)
    assert house.state["turn"] == "red"


def a_fight_with_real_dice_and_a_level_up(house, phones, screen):
    """Arms hit a dune crab: dice are keyed in, it dies, its XP is the last one of the level."""
    red = phones["red"]
    house.tap(None, do="correct", set={
        "players": {"red": {"letters": "SL", "xp": "L", "space": "reef"}},
        "enemies": {"90": {"id": "dune-crab", "space": "reef"}},
    })  # fmt: skip
    tap(red, house, "#actions button:has-text('Dune Crab')")
    shoot(red, "wasteland-dice")
    for _ in range(3):
        tap(red, house, ".choice button:has-text('arms')")
    caught_up(screen, house)
    answer_anything(phones, house, lambda state: state["pending"][0]["kind"] in ("letter", "replacement"))
    answer_anything(phones, house, settled)
    assert len(house.state["players"]["red"]["letters"]) + len(house.state["players"]["red"]["perks"]) == 3
    assert house.state["players"]["red"]["xp"] == "start"


def a_fight_with_the_companions_dice(house, phones, screen):
    red = phones["red"]
    house.tap(None, do="correct", set={
        "options": {"dice": "companion"},
        "players": {"red": {"weapon": "flare-pistol", "letters": "SP", "hp": 13, "rads": 4}},
        "enemies": {"91": {"id": "deserter", "space": "reef"}},
    })  # fmt: skip
    tap(red, house, "#actions button:has-text('Deserter')")
    assert house.state["pending"][0]["kind"] == "reroll"
    caught_up(screen, house)
    shoot(screen, "wasteland-fight")
    caught_up(red, house)
    shoot(red, "wasteland-reroll")
    answer(red, house, "Reroll dice 1")
    answer_anything(phones, house, settled)
    house.tap(None, do="correct", set={"enemies": {"91": None}, "players": {"red": {"space": "camp-fire"}}})


def end_the_round(house, phones):
    while house.state["phase"] == "turn":
        tap(phones[house.state["turn"]], house, "#do-end")
    assert house.state["phase"] == "enemies"


def an_enemy_phase(house, phones, screen):
    end_the_round(house, phones)
    house.tap(None, do="enemy", type="human", at="market")
    tap(phones["blue"], house, "#do-reveal")
    if house.state["activating"] and house.state["pending"]:
        caught_up(screen, house)
        shoot(screen, "wasteland-enemies")
    answer_anything(phones, house, lambda state: state["phase"] == "turn" and not state["pending"])


def the_deck_is_passed(house, phones, screen):
    assert house.state["decks"]["agendas"] == 1
    end_the_round(house, phones)
    tap(phones["red"], house, "#do-reveal")
    answer_anything(phones, house, lambda state: state["phase"] == "turn" and not state["pending"])
    assert house.state["first"] == "blue"
    assert house.state["power"] == {"star": 1, "shield": 1}
    caught_up(screen, house)
    assert "first player" in screen.inner_text("#players").lower()


def a_victory(house, phones, screen):
    hand = ["lamp-oil-contract", "never-alone", "full-purse", "well-read"]
    house.tap(None, do="correct", set={"power": {"shield": 5, "star": 0}})
    board = {"hand": hand, "caps": 25}
    told = house.tap(None, do="correct", set={"players": {"red": board}})
    assert told.status_code == 200, told.json
    red = phones["red"]
    caught_up(red, house)
    assert not red.is_visible("#hand li")
    red.click("#hand summary")
    shoot(red, "wasteland-hand")
    whole(red, "wasteland-board")
    assert "A Full Purse" not in screen.content()
    tap(red, house, "#do-claim")
    answer_anything(phones, house, lambda state: state["phase"] == "over")
    caught_up(screen, house)
    screen.wait_for_selector("#podium")
    assert "A Full Purse" in screen.inner_text("#podium")
    assert "red wins" in screen.inner_text("h1").lower()
    shoot(screen, "wasteland-over")
    red.wait_for_selector("#again")
    shoot(red, "wasteland-over-phone")


def test_two_survivors_play_an_evening(house, looking):
    begin(house, survivors={}, decks=DECK, options={"dice": "table"})
    screen = looking.open("/table", SCREEN)
    phones = {colour: take_seat(looking, house, colour) for colour in ("red", "blue")}
    shoot(phones["red"], "wasteland-survivors")
    choose_survivors(house, phones)
    shoot(phones["red"], "wasteland-seat")
    caught_up(screen, house)
    shoot(screen, "wasteland-table")
    a_fight_with_real_dice_and_a_level_up(house, phones, screen)
    a_fight_with_the_companions_dice(house, phones, screen)
    an_enemy_phase(house, phones, screen)
    the_deck_is_passed(house, phones, screen)
    status = looking.open("/")
    caught_up(status, house)
    shoot(status, "wasteland-status")
    shoot(looking.open("/", locale="ru", color_scheme="light"), "wasteland-status-ru-light")
    a_victory(house, phones, screen)


def test_everybody_sees_a_fight_and_the_enemy_phase_at_the_same_moment(make_house, browser):
    house = make_house(pace=1000.0)
    looking = Looking(browser, house.serve())
    board = {"space": "reef", "weapon": "flare-pistol", "letters": "SP", "hp": 13, "rads": 4}
    crab = {"id": "dune-crab", "space": "reef"}
    begin(house, names={"red": "Ada", "blue": "Borys"}, start={"players": {"red": board}, "enemies": {"1": crab}})
    red, blue = (take_seat(looking, house, colour) for colour in ("red", "blue"))
    screen = looking.open("/table", SCREEN)
    house.tap(None, do="fight", by="red", enemy=1)
    for page in (red, blue, screen):
        page.wait_for_selector(".w-thrown")
    assert blue.locator("#moment .choice").count() == 0
    shoot(red, "wasteland-moment-fight")
    shoot(screen, "wasteland-table-fight")
    tap(red, house, "#moment .choice button:has-text('Keep')")
    for page in (red, blue, screen):
        page.wait_for_selector("#moment .m-stamp")
    shoot(blue, "wasteland-moment-won")
    shoot(screen, "wasteland-table-won")
    answer_anything({"red": red, "blue": blue}, house, settled)
    stage = house.app.extensions["companion"].stage
    for _ in range(2):
        house.tap(None, do="end", by=house.state["turn"])
    house.tap(None, do="reveal")
    stage.go_on(stage.now().key, 0)
    for page in (red, blue, screen):
        page.wait_for_selector("#moment .w-alarm")
    shoot(blue, "wasteland-moment-enemies")
    shoot(screen, "wasteland-table-enemies")
    looking.close()
    assert looking.wrong == []


def test_the_host_begins_a_game_in_the_wasteland(house, looking):
    host = looking.open("/host")
    host.fill("input[name=pin]", PIN)
    host.click("#login button")
    host.click("#doors a[href='/start?game=wasteland']")
    host.wait_for_selector(".tiles")
    for colour in ("red", "blue"):
        host.click(f"label[for=plays-{colour}]")
    shoot(host, "wasteland-who")
    for step, shows in (("scenario", "[name=scenario]"), ("cards", "[name=cards]"), ("more", "#begin")):
        host.click(".foot .go")
        host.wait_for_selector(shows)
        shoot(host, f"wasteland-{step}")
    host.click("#survivors summary")
    host.select_option("select[name=survivor_red]", "the-netmaker")
    host.click("#begin")
    host.wait_for_url("**/start/phones")
    assert house.state["game"] == "wasteland"
    assert house.state["order"] == ["red", "blue"]


def test_the_owner_types_in_a_card(house, looking):
    host = looking.open("/host")
    host.fill("input[name=pin]", PIN)
    host.click("#login button")
    host.click("#house a[href='/wasteland/cards']")
    host.click("#begin button:has-text('copy')")
    host.click("#k-agenda summary")
    shoot(host, "wasteland-cards")
    host.click("#k-agenda a >> nth=0")
    host.fill("input[name=base]", "many")
    host.click("#keep")
    host.wait_for_selector("#faults li")
    shoot(host, "wasteland-card")
    looking.wrong.clear()  # a browser reports every page that is answered with a refusal
    host.fill("input[name=base]", "2")
    host.click("#keep")
    host.wait_for_selector("#k-agenda")
    assert Packs(house.app.extensions["companion"].folder).data()["agenda"][0]["base"] == 2


PINCH = """
() => {
    const drawn = document.querySelector('#map .drawn'), { left, top } = drawn.getBoundingClientRect();
    const finger = (kind, id, x) => drawn.dispatchEvent(new PointerEvent(kind, {
        bubbles: true, pointerId: id, clientX: left + x, clientY: top + 100 }));
    const before = drawn.getAttribute('viewBox');
    finger('pointerdown', 1, 150); finger('pointerdown', 2, 200);
    finger('pointermove', 1, 100); finger('pointermove', 2, 250);
    finger('pointerup', 1, 100); finger('pointerup', 2, 250);
    return [before, drawn.getAttribute('viewBox')].map((box) => Number(box.split(' ')[2]));
}
"""


def test_on_a_map_one_taps_the_goal(looking, house):
    """A goal that is safe is a move; one that hurts asks first; two fingers zoom, and a button shows the whole map."""
    enemies = {"1": None, "2": None, "3": None, "4": {"space": "nave"}}
    begin(house, scenario="the-sunken-bell", start={"enemies": enemies})
    red = take_seat(looking, house, "red")
    at = red.locator
    tap(red, house, "#at-church-quay .ground")
    assert house.state["players"]["red"]["space"] == "church-quay"
    size = at("#at-bell-tower .ground").bounding_box()
    assert min(size["width"], size["height"]) >= 44
    tap(red, house, "#at-camp-well .ground")
    assert house.state["players"]["red"]["space"] == "camp-well"
    wide, near = red.evaluate(PINCH)
    assert near < wide
    red.locator("#map-whole").click()
    assert "wide" in at("#map").get_attribute("class")
    assert at("#map .drawn").get_attribute("viewBox") == at("#map").get_attribute("data-whole")
    red.keyboard.press("Escape")
    assert "wide" not in at("#map").get_attribute("class")
    house.tap(None, do="correct", set={"players": {"red": {"space": "camp-fire"}}, "actions": {"left": 2}})
    caught_up(red, house)
    at("#at-stairs-pool .ground").click()
    assert "rads: 1" in at("#sheet").inner_text()
    tap(red, house, "#sheet button[name=move]")
    assert house.state["players"]["red"]["rads"] == 1


def test_a_card_is_put_together_by_thumb_and_known_by_its_photo(house, looking, tmp_path):
    """Buttons change the form in its place, what was tapped stays; a photo goes with it."""
    host = house.client()
    host.environ_base["HTTP_AUTHORIZATION"] = BEARER["Authorization"]
    host.post("/wasteland/cards/begin", data={"pack": "box"})
    solo = {"plays_red": "on", "place_red": "1", "pack": "mine", "survivor_red": "vault-dweller", "first": "red"}
    host.post("/wasteland/new", data=solo)
    while house.state["phase"] == "setup":
        choice = house.state["pending"][0]
        by = {"by": choice["by"]} if choice["by"] else {}
        house.tap(None, do="choose", id=choice["id"], option=choice["options"][0], **by)
    page = take_seat(looking, house, "red")
    house.tap(None, do="result", by="red", results=["draw loot"])
    picture = tmp_path / "card.jpg"
    cv2.imwrite(str(picture), photo(1, 1))
    page.click("[id^=learn-]")
    page.set_input_files("#photo input", str(picture))
    page.wait_for_selector("#seen")
    page.fill("[name=name]", "Łom")
    page.click("label:has(> [name=kind][value=weapon])")
    page.click("#more > summary")
    page.click("#t-abilities-add")
    page.click("#f-abilities\\.0\\.effects summary")
    for _ in range(2):
        shown = page.locator("[name='abilities.0.effects']").count()
        page.click("[id='t-abilities.0.effects-add-hit-1']")
        page.wait_for_function("n => document.getElementsByName('abilities.0.effects').length > n", arg=shown)
    assert page.input_value("[name=name]") == "Łom"
    page.click("#keep")
    page.wait_for_url("**/seat/red")
    assert house.state["pending"][0]["kind"] == "equip"
    made = house.session.snapshots.latest.position.game.box.cards[-1]
    assert (made.name, len(made.abilities[0].effects)) == ("Łom", 2)
    assert list((house.folder / "wasteland-photos").iterdir())
