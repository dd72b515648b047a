"""An evening: three phones play a game to its end by thumb, beside a big screen, and one of them sleeps for a while."""

import json

import pytest
from at_the_door import SETUP
from browsing import CHROMIUM, SCREEN, caught_up, open_sheet, place, take_seat, whose_move

from companion.table.session.intents import StartGame

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

WORTH = {"build": 9, "happiness": 6, "dweller": 5, "item": 2, "train": 1, "first": 1, "any": 2}
RESOURCES = ("water", "food", "energy")
ANSWERS = ("roll", "done", "keep", "none")
MOST = 500


def begin(house, **setup):
    """A game whose dice and decks fall the same in every run."""
    house.session.ask(StartGame({**SETUP, **setup}, seed="evening")).result(10)


def worth(move, player):
    """What a greedy player sees in a placement: what it gives, and of resources only what they have too little of."""
    told, score = move["preview"], 0.0
    for icon in told["reward"]:
        name, amount = icon["icon"], icon["amount"]
        if name in RESOURCES:
            score += min(amount, max(4 - player["resources"][name], 0)) * 1.5
        else:
            score += WORTH.get(name, 0) * amount
    return score * (2 if told["doubled"] else 1) - (4 if told["fight"] else 0) - len(told["cost"]) / 2


def wanted(house):
    """The move that greed takes now, as the buttons carry it."""
    state = house.state
    if state["pending"]:
        asked = state["pending"][0]
        stock = state["players"][asked["by"]]["resources"]
        quick = [option for option in asked["options"] if option in ANSWERS]
        cubes = sorted((option for option in asked["options"] if option in stock), key=lambda option: stock[option])
        option = (quick or cubes or asked["options"])[0]
        return {"do": "choose", "option": option, "id": asked["id"], "by": asked["by"]}
    moves = house.client().get("/api/legal").json["moves"]
    places = [move for move in moves if move["do"] == "place"]
    if places:
        return max(places, key=lambda move: worth(move, state["players"][move["by"]]))
    return next(move for move in moves if move["do"] in ("pass", "spawn", "recall"))


def tap(page, move):
    """Find the button that makes this move, and tap it as a thumb would."""
    plain = json.dumps({key: value for key, value in move.items() if key != "preview"}, sort_keys=True)
    if move["do"] == "place":
        goer = page.locator(f"#goer-{move['dwellers'][0].replace('+', '-')}")
        goer.check(force=True)
        open_sheet(page, move["space"])
        for number in range(page.locator("#act [data-way]").count()):
            if json.loads(page.get_attribute("#go", "value")) == json.loads(plain):
                break
            page.click(f"#act [data-way] >> nth={number}")
            page.wait_for_selector(f"#act [data-way][href$='way={number}'][aria-current=true]")
    found = page.evaluate_handle(
        """wanted => {
          const sorted = (one) => JSON.stringify(one, Object.keys(one).sort());
          const same = JSON.stringify(JSON.parse(wanted), Object.keys(JSON.parse(wanted)).sort());
          return [...document.querySelectorAll("[name=move]")].find((one) => sorted(JSON.parse(one.value)) === same);
        }""",
        plain,
    ).as_element()
    assert found, plain
    found.click()


def kind_of(move, state):
    """What a thumb meets: one placement is like another that pays the same, one answer like another of its question."""
    if move["do"] == "choose":
        return "choose", state["pending"][0]["kind"], move["option"] in ANSWERS, state["last_round"]
    told = move.get("preview", {})
    icons = frozenset(icon["icon"] for icon in told.get("reward", ()))
    fought = told.get("fight"), told.get("doubled"), bool(told.get("cost"))
    return move["do"], len(move.get("dwellers", ())), icons, *fought, state["last_round"]


def sent(house, move):
    """Make a move as the script of a page sends it."""
    answer = house.tap(None, **{key: value for key, value in move.items() if key != "preview"})
    assert answer.status_code == 200, answer.json


def moves_to(house, until):
    """The moves that greed wants, one by one, each made by whoever takes it from here."""
    for _ in range(MOST):
        if until(house.state):
            return
        yield wanted(house)
    pytest.fail(f"after {MOST} moves: {house.state['round']} {house.state['phase']}")


def play_to(house, phones, until):
    """By thumb every kind of move there is, once before the last round and once in it; the others are sent."""
    tapped = {}
    for move in moves_to(house, until):
        colour, before = move.get("by") or whose_move(house), house.state["seq"]
        kind = kind_of(move, house.state)
        if kind in tapped:
            sent(house, move)
            continue
        tapped[kind] = colour
        caught_up(phones[colour], house)
        tap(phones[colour], move)
        phones[colour].wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)
    return tapped


def test_three_phones_play_a_game_to_its_end_beside_a_big_screen(house, looking):
    begin(house, names={"red": "Anna", "blue": "Borys", "green": "Zofia"})
    screen = looking.open("/table", SCREEN)
    phones = {colour: take_seat(looking, house, colour) for colour in ("red", "blue", "green")}
    tapped = play_to(house, phones, lambda state: state["phase"] == "over")
    assert set(tapped.values()) == set(phones)
    assert len(tapped) > 40
    for page in (*phones.values(), screen):
        caught_up(page, house)
    winner = house.state["players"][house.state["result"]["winners"][0]]["name"]
    assert winner in screen.text_content("h1")
    assert screen.text_content("#podium .won .m-name") == winner
    assert screen.locator("#podium .curve .line-red").count() == 1
    assert all(winner in page.text_content("#turn h1") for page in phones.values())


def test_a_phone_that_slept_through_three_rounds_shows_the_game_when_it_wakes(house, looking):
    begin(house)
    watching = looking.open("/")
    caught_up(watching, house)
    watching.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.asleep, configurable: true })")
    watching.evaluate("window.asleep = true; source.close(); document.dispatchEvent(new Event('visibilitychange'))")
    slept_at, began = watching.evaluate("document.body.dataset.shown"), house.state["round"]
    for move in moves_to(house, lambda state: state["round"] == began + 3 and state["placed"]):
        sent(house, move)
    assert watching.evaluate("document.body.dataset.shown") == slept_at
    watching.evaluate("window.asleep = false; document.dispatchEvent(new Event('visibilitychange'))")
    caught_up(watching, house)
    assert f"Round {began + 3}" in watching.text_content("#bar")
    assert watching.is_hidden("#behind")
    assert watching.locator("#vault .figure").count() == sum(
        len(one["dwellers"]) for one in house.state["placed"].values()
    )


def test_a_phone_without_a_connection_says_so_with_the_time_and_keeps_what_was_tapped_from_being_lost(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    caught_up(page, house)
    page.context.set_offline(True)
    page.wait_for_selector("#behind", state="visible")
    assert page.text_content("#since")
    page.click("#s-1-R1a")
    page.wait_for_selector("#said", state="visible")
    assert "Not sent" in page.inner_text("#said")
    page.context.set_offline(False)
    page.wait_for_selector("#behind", state="hidden")
    place(page, "1:R1a")
    page.wait_for_function("() => document.querySelectorAll('#vault .sp .fig').length === 1")
    looking.wrong = [line for line in looking.wrong if "ERR_INTERNET_DISCONNECTED" not in line]
