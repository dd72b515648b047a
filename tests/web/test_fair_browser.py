"""The check of chance in a real browser: phones add their numbers by themselves, and work everything out again."""

import hashlib
import hmac

import pytest
from browsing import CHROMIUM, Looking, shoot, take_seat
from judging import judged
from test_fair_pages import begin, play_and_forge

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


def test_a_seat_that_is_kept_adds_to_the_next_game_before_it_begins(fair, looking):
    phone = take_seat(looking, fair, "red")
    assert fair.state["fair"]["next"]["numbers"] == ["red"]
    begin(fair)
    assert fair.state["fair"]["numbers"] == ["red"]
    fair.access.release("red")
    assert phone.url.endswith("/seat/red")


def test_our_own_hash_is_sha_256(fair, looking):
    game = begin(fair)
    play_and_forge(fair)
    page = looking.open(f"/history/{game}/fair")
    ours, keyed = page.evaluate(HASHES, LENGTHS)
    texts = [bytes(n * 7 % 256 for n in range(length)) for length in LENGTHS]
    assert ours == [hashlib.sha256(text).hexdigest() for text in texts]
    assert keyed == hmac.new(texts[3][:32], texts[4], "sha256").hexdigest()
