"""What the script of a seat does on a phone: it nudges, speaks, explains over the page, and tells what was missed."""

import pytest
from browsing import CHROMIUM, Looking, caught_up, open_sheet, take_seat

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

LISTENING = """
window.kept = { shaken: 0, tones: 0, spoken: [] };
Object.defineProperty(navigator, "vibrate", { value: () => { kept.shaken += 1; } });
const plain = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { kept.tones += 1; return plain.call(this); };
speechSynthesis.speak = (told) => kept.spoken.push([told.lang, told.text]);
"""


def listening(looking, house, colour, **options):
    page = take_seat(looking, house, colour, **options)
    page.add_init_script(LISTENING)
    page.reload()
    caught_up(page, house)
    page.click("#turn h1")
    return page


def test_the_phone_of_whose_turn_it_is_shakes_and_sounds_once(house, looking):
    house.start()
    blue, green = listening(looking, house, "blue"), listening(looking, house, "green")
    house.tap(None, do="place", by="red", space="1:R1a")
    blue.wait_for_function("() => kept.shaken === 1 && kept.tones === 2")
    caught_up(green, house)
    assert green.evaluate("kept.shaken + kept.tones") == 0
    house.tap(None, do="correct", set={"players": {"red": {"happiness": 1}}})
    caught_up(blue, house)
    assert blue.evaluate("[kept.shaken, kept.tones, kept.spoken.length]") == [1, 2, 0]


def test_what_is_switched_off_keeps_quiet_and_what_is_switched_on_reads_aloud(house, looking):
    house.start()
    page = listening(looking, house, "blue", locale="pl")
    page.click("#more-seat summary")
    for name, state in (("sound", "false"), ("shake", "false"), ("speak", "true")):
        page.click(f"#switch-{name}")
        page.wait_for_selector(f"#switch-{name}[aria-checked={state}]")
    house.tap(None, do="place", by="red", space="1:R1a")
    page.wait_for_function("() => kept.spoken.some(([lang, text]) => lang === 'pl' && text.startsWith('Twoja tura'))")
    assert page.evaluate("kept.shaken + kept.tones") == 0


SLOWLY = """
Object.defineProperty(speechSynthesis, "speaking", { get: () => kept.now !== undefined });
Object.defineProperty(speechSynthesis, "cancel", { value: () => { kept.now = undefined; } });
speechSynthesis.speak = (told) => { kept.over = kept.now !== undefined; kept.now = told; kept.spoken.push(told.text); };
kept.heard = () => { const told = kept.now; kept.now = undefined; told.onend(); };
undefined;
"""


def test_what_everybody_sees_is_read_aloud_once_and_to_its_end_before_whose_turn_it_is(make_house, browser):
    house = make_house(pace=1000.0)
    looking = Looking(browser, house.serve())
    house.start(players=["red", "blue"], levels=["red", "blue"], first="red")
    page = listening(looking, house, "red", locale="de")
    page.evaluate(SLOWLY)
    page.click("#more-seat summary")
    page.click("#switch-speak")
    page.wait_for_selector("#switch-speak[aria-checked=true]")
    house.tap(None, do="correct", set={"round": 2, "phase": "spawn"})
    page.wait_for_function("() => kept.now")
    page.evaluate("kept.heard()")
    before = page.evaluate("kept.spoken.length")
    house.tap(None, do="spawn", dice=[[4, 4], [3, 4], [2, 2]])
    page.wait_for_function("seen => kept.spoken.length > seen", arg=before)
    page.locator("form[action='/moments/next'] button:visible").click()
    page.wait_for_selector("#moment > section[data-step='1']")
    page.evaluate("kept.heard(); kept.heard(); kept.heard()")
    first, second, turn = page.evaluate("seen => kept.spoken.slice(seen)", before)
    assert first.startswith("Ebene 1. 8.")
    assert second.startswith("Ebene 2")
    assert "Du bist" in turn
    assert page.evaluate("[kept.now === undefined, kept.over]") == [True, False]
    looking.close()
    assert looking.wrong == []


def test_a_card_is_explained_over_the_page_by_thumb_and_by_key(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    open_sheet(page, "1:L2b")
    page.click("#act .rule a")
    page.wait_for_selector("#sheet[open]")
    assert "first player token" in page.inner_text("#sheet")
    page.keyboard.press("Escape")
    page.wait_for_selector("#sheet", state="hidden")
    page.keyboard.press("Escape")
    page.wait_for_selector("#place", state="hidden")
    status = looking.open("/")
    status.click("#vault [data-rule='/rules/diner'] rect")
    status.wait_for_selector("#sheet[open] >> text=food track")
    status.click("#sheet-close")
    status.click("#offers .icon >> nth=0")
    status.wait_for_selector("#sheet[open]")
    status.keyboard.press("Escape")
    status.focus("#offers a >> nth=0")
    status.keyboard.press("Enter")
    status.wait_for_selector("#sheet[open] h1")


def test_whoever_comes_back_reads_what_they_missed(house, looking):
    house.start()
    page = take_seat(looking, house, "red")
    house.tap(None, do="place", by="red", space="1:R1a")
    caught_up(page, house)
    page.goto("about:blank")
    house.tap(None, do="place", by="blue", space="1:R2a")
    page.goto(f"{looking.base}/seat/red")
    page.wait_for_selector("#away #missed >> text=placed on Diner")
    page.click("#missed-ok")
    page.wait_for_selector("#missed", state="detached")
    page.reload()
    caught_up(page, house)
    page.wait_for_function("seq => JSON.parse(localStorage.looked).seq === seq", arg=house.state["seq"])
    assert page.locator("#missed").count() == 0


def test_a_seat_taken_before_the_game_becomes_the_players_page_when_it_starts(house, looking):
    page = take_seat(looking, house, "red")
    assert "This seat is yours" in page.text_content("#note")
    house.start()
    page.wait_for_selector(".sp")
    assert page.locator(".pips i").first.evaluate("one => one.getBoundingClientRect().height") > 10
    house.tap(None, do="place", by="red", space="1:R1a")
    page.wait_for_function("seq => JSON.parse(localStorage.looked).seq === seq", arg=house.state["seq"])


FOREIGN = (
    "", "evil.com", "https://evil.com/", "//evil.com", "///evil.com", "javascript:alert(1)", " /", "/\u2028/evil.com",
    "/\\evil.com", "\\\\evil.com", "/\t/evil.com", "\t//evil.com", "/\n/evil.com", "/\r/evil.com", "/\x00/evil.com",
    "/%09/evil.com", "/%0a/evil.com", "/%0D/evil.com", "/%2f/evil.com", "/%2fevil.com", "/%5cevil.com", "/%5C/evil.com",
)  # fmt: skip


def test_a_form_leads_back_to_a_page_of_ours(house):
    client = house.client()
    for path in ("/", "/seat/red", "/history/a%20b?step=1", "/wasteland/cards"):
        answer = client.post("/language", data={"language": "en", "back": path})
        assert answer.headers["Location"] == path
    for path in FOREIGN:
        answer = client.post("/language", data={"language": "en", "back": path})
        assert answer.headers["Location"] == "/", path


STAYING = """
window.held = { asked: 0, released: 0 };
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
    held.asked += 1;
    return { addEventListener() {}, release() { held.released += 1; } };
} } });
"""


def test_a_phone_stays_awake_during_the_game_and_only_where_it_may(house, looking):
    house.start()
    page = take_seat(looking, house, "blue")
    page.add_init_script(STAYING)
    page.reload()
    page.wait_for_function("() => held.asked === 1")
    page.click("#more-seat summary")
    assert not page.is_visible("#plain")
    page.click("#switch-awake")
    page.wait_for_function("() => held.released === 1")
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0


def test_an_address_that_is_not_secure_says_what_it_cannot_do(house, looking):
    house.start()
    page = take_seat(looking, house, "blue")
    page.add_init_script('Object.defineProperty(window, "isSecureContext", { value: false });')
    page.reload()
    page.click("#more-seat summary")
    page.wait_for_selector("#plain:has-text('cannot be called')")


def test_a_phone_in_a_pocket_is_called_when_its_turn_begins(house, looking):
    house.start()
    page = take_seat(looking, house, "blue", permissions=["notifications"])
    page.add_init_script("""
        window.calls = [];
        Object.defineProperty(document, "hidden", { get: () => window.inPocket === true });
        ServiceWorkerRegistration.prototype.showNotification = async function (title, more) { calls.push(more); };
    """)
    page.reload()
    page.click("#more-seat summary")
    page.click("#switch-call")
    page.wait_for_selector("#switch-call[aria-checked=true]")
    page.evaluate("navigator.serviceWorker.ready.then(() => { window.inPocket = true; })")
    house.tap(None, do="place", by="red", space="1:R1a")
    page.wait_for_function("() => calls.length === 1")
    assert page.evaluate("calls[0].data") == "/seat/blue"


def test_the_table_can_be_installed(looking):
    page = looking.open("/join")
    told = page.evaluate("""async () => {
        const link = document.querySelector("link[rel=manifest]");
        return (await fetch(link.href)).json();
    }""")
    assert (told["display"], told["start_url"], told["lang"]) == ("standalone", "/", "en")
    for icon in told["icons"]:
        assert page.request.get(looking.base + icon["src"]).headers["content-type"].startswith(icon["type"])
