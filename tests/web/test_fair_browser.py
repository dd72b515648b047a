"""The check of chance in a real browser: phones add their numbers by themselves, and work everything out again."""

import hashlib
import hmac

import evening_out
import pytest
from at_the_door import SETUP
from browsing import CHROMIUM, Looking, shoot, take_seat
from judging import judged
from test_fair_pages import begin, play_and_forge
from test_hidden_chance import finish

from companion.canonical import NO_HASH
from companion.fair.check import check
from companion.table.record.entries import read_line, written
from companion.table.record.export import as_journal
from companion.table.session.intents import StartGame

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

PLAIN = "Object.defineProperty(crypto, 'subtle', { value: undefined });"
"""What a browser on a plain address has: no hash of its own."""
HASHES = """async (lengths) => {
    const { ownSha256, hmac } = await import(document.querySelector('script[src*="fair.js"]').src);
    const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const texts = lengths.map((length) => Uint8Array.from({ length }, (_, n) => (n * 7) % 256));
    return [texts.map((text) => hex(ownSha256(text))), hex(await hmac(texts[3].slice(0, 32), texts[4]))];
}"""
LENGTHS = [0, 1, 55, 56, 63, 64, 65, 1000, 1_000_000]


@pytest.fixture
def fair(make_house):
    made = make_house(promised=True)
    made.serve()
    return made


def rows(page):
    return [line.get_attribute("class") or "" for line in page.query_selector_all("#draws > li")]


def done(page, base, game):
    page.goto(f"{base}/history/{game}/fair")
    page.wait_for_selector("#verdict[data-done]")
    return page.get_attribute("#verdict", "data-done")


@pytest.fixture
def looking(browser, fair):
    opened = Looking(browser, fair.serving.base)
    yield opened
    opened.close()
    assert opened.wrong == []


def test_a_phone_adds_its_number_by_itself_and_checks_the_game(fair, looking):
    """With the browser's own hash, and with ours: both find what the companion finds."""
    game = begin(fair)
    phone = take_seat(looking, fair, "red")
    assert fair.state["fair"]["numbers"] == ["red"]
    assert phone.locator("#fair").inner_text().startswith("Fingerprint ")
    play_and_forge(fair)
    phone.wait_for_function("() => document.getElementById('again')")
    for script in (None, PLAIN):
        if script:
            phone.add_init_script(script)
        assert done(phone, looking.base, game) == "good"
        assert not any("bad" in one for one in rows(phone))
        assert "Worked out on this phone" in phone.inner_text("#where")
        assert phone.inner_text("#mine") == "The number of this phone is in it."
        judged_here = judged(phone, "fair") if script else shoot(phone, "fair")
        assert not judged_here
        assert done(phone, looking.base, "forged") == "bad"
        told = fair.client().get("/history/forged/fair").text.split('id="draws"')[1].split("<li class=")[1:]
        assert ["bad" in one for one in rows(phone)] == [one.startswith('"bad"') for one in told]
        assert sum("bad" in one for one in rows(phone)) == 2


def test_the_phone_finds_an_end_that_was_taken_back_as_the_companion_does(fair, looking):
    game = begin(fair)
    phone = take_seat(looking, fair, "red")
    play_and_forge(fair)
    fair.tap(None, do="undo")
    finish(fair, "shelter")
    phone.wait_for_function("() => document.getElementById('again')")
    assert done(phone, looking.base, game) == "good"
    (row,) = phone.locator("#draws > li.people", has_text="End taken back").all()
    assert "the secret was told before" in row.inner_text()


def test_a_seat_that_is_kept_adds_to_the_next_game_before_it_begins(fair, looking):
    phone = take_seat(looking, fair, "red")
    assert fair.state["fair"]["next"]["numbers"] == ["red"]
    begin(fair)
    assert fair.state["fair"]["numbers"] == ["red"]
    fair.access.release("red")
    assert phone.url.endswith("/seat/red")


def test_a_phone_whose_number_came_too_late_adds_one_to_the_game_that_has_begun(fair, looking):
    begin(fair)
    phone, sent = looking.open("/join"), []
    for cookie in fair.seated("red")._cookies.values():  # a seat taken without a number
        phone.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": looking.base}])

    def first_too_late(route):
        is_sent = route.request.method == "POST"
        if is_sent:
            sent.append(route.request.post_data_json)
        if is_sent and len(sent) == 1:
            route.fulfill(json={"seat": "red", "taken": False})
        else:
            route.continue_()

    phone.route("**/api/seats/red/number", first_too_late)
    with phone.expect_response(lambda answer: answer.request.method == "POST" and len(sent) == 2):
        phone.goto(f"{looking.base}/seat/red")
    assert sent[0]["number"] != sent[1]["number"]
    assert fair.state["fair"]["numbers"] == ["red"]


def test_our_own_hash_is_sha_256(fair, looking):
    game = begin(fair)
    play_and_forge(fair)
    page = looking.open(f"/history/{game}/fair")
    ours, keyed = page.evaluate(HASHES, LENGTHS)
    texts = [bytes(n * 7 % 256 for n in range(length)) for length in LENGTHS]
    assert ours == [hashlib.sha256(text).hexdigest() for text in texts]
    assert keyed == hmac.new(texts[3][:32], texts[4], "sha256").hexdigest()


CHECKED = """async (journals) => {
    const { checkJournal } = await import(document.querySelector('script[src*="fair.js"]').src);
    const found = [];
    for (const journal of journals) {
        const { kept, chain, found: all } = await checkJournal(journal);
        found.push({ kept, chain, wrong: all.map((one) => one.wrong || null), people: all.map((one) => !!one.people) });
    }
    return found;
}"""


def told(journal):
    """What the companion's own check finds, as the page's tells it."""
    found = check([read_line(line) for line in journal.splitlines()])
    wrong = [one.wrong for one in found.draws]
    return {"kept": found.kept, "wrong": wrong, "people": [one.as_json()["by_people"] for one in found.draws]}


@pytest.mark.parametrize("plays", ["shelter", "wasteland"])
def test_both_checks_find_the_same_in_games_that_wander(fair, looking, plays):
    """Through undo, redo, real dice and corrections; and where a roll, a place, a number or the secret is another."""
    setup = {"shelter": SETUP, "wasteland": evening_out.TWO}[plays]
    fair.session.ask(StartGame(setup, plays, number="5" * 32)).result(20)
    game = fair.state["id"]
    for nth, _ in enumerate(evening_out.wander(fair, 4, 50)):
        if nth == 9:
            fair.seated("red").post("/api/seats/red/number", json={"number": "6" * 32})
        if nth in (5, 6, 20, 31):
            fair.tap(None, do="undo")
        if nth == 21:
            fair.tap(None, do="redo")
    entries = fair.record.entries(game)
    journals = [as_journal(entries), *(as_journal(cheated(entries, cheat)) for cheat in CHEATS)]
    begin(fair)
    over = fair.state["id"]
    play_and_forge(fair)
    page = looking.open(f"/history/{over}/fair")
    found = page.evaluate(CHECKED, journals)
    assert [one.pop("chain") for one in found] == [True] * len(journals)
    assert found == [told(journal) for journal in journals]
    assert not any(found[0]["wrong"])
    assert all(not one["kept"] or any(one["wrong"]) for one in found[1:])


def another_secret(body):
    if "seed" in body:
        body["seed"] = "ab" * 32


def another_order(body):
    for order in body.get("chance", {}).get("shuffled", []):
        order.reverse()


def another_place(body):
    for name in ("rolls", "shuffles"):
        chance = body.get("chance", {})
        if name in chance:
            chance[name] = [nth + 1 for nth in chance[name]]


def no_place(body):
    body.get("chance", {}).pop("shuffles", None)


def two_numbers(body):
    if "number" in body:
        body["by"] = "start"


CHEATS = (another_secret, another_order, another_place, no_place, two_numbers)


def cheated(entries, cheat):
    made, before = [], NO_HASH
    for entry in entries:
        body = entry.body
        cheat(body)
        made.append(written(entry.game, entry.nth, before, entry.kind, body))
        before = made[-1].hash
    return made
