"""A real browser and a real process: pig on two phones and a big screen, and the plug is pulled in the middle."""

import re
from pathlib import Path

import pytest
from browsing import CHROMIUM, SCREEN, Looking, shoot
from own_process import GONE, Companion, caught_up

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

PIG = Path(__file__).parents[2] / "examples/pig"
ENOUGH = 12


@pytest.fixture
def companion(tmp_path):
    for file in PIG.glob("pig.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    made = Companion(tmp_path, (PIG / "companion.toml").read_text(encoding="utf-8"))
    made.start()
    yield made
    made.kill()


@pytest.fixture
def looking(browser, companion):
    opened = Looking(browser, companion.base)
    yield opened
    opened.close()
    assert opened.wrong == []


def seated(looking, colour):
    page = looking.open("/join")
    page.click(f"form[action='/api/seats/{colour}/claim'] button")
    page.wait_for_url(f"**/seat/{colour}")
    return page


def tap(page, companion, text):
    """A thumb on a legal move, and the page that shows what came of it."""
    caught_up(page, companion)
    before = companion.state["seq"]
    page.get_by_role("button", name=re.compile(text)).click()
    page.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=before)


def play(phones, companion, until):
    """Everybody throws until twelve points lie there, and keeps them."""
    for _ in range(200):
        state = companion.state
        if until(state):
            return state
        tap(phones[state["turn"]], companion, "Keep" if state["pot"] >= ENOUGH else "Throw")
    raise AssertionError(companion.state)


def in_the_middle(state):
    """Whether somebody has kept points, and somebody may lose some."""
    return state["pot"] and any(player["points"] for player in state["players"].values())


def what_counts(state):
    return {key: state[key] for key in ("id", "version", "round", "turn", "pot", "die", "players", "result")}


def test_pig_is_played_on_phones_and_goes_on_after_the_plug_was_pulled(companion, looking):
    setup = {"players": ["red", "blue"], "names": {"red": "Ada"}}
    companion.ask("/api/host/games", {"game": "pig", "setup": setup})
    screen = looking.open("/table", SCREEN)
    phones = {colour: seated(looking, colour) for colour in ("red", "blue")}
    assert "Ada throws" in phones["blue"].text_content("h1")
    assert phones["blue"].get_by_role("button", name="Throw the die").count() == 0

    before = play(phones, companion, in_the_middle)
    caught_up(screen, companion)
    shoot(screen, "pig-table")
    shoot(phones[before["turn"]], "pig-seat")
    companion.kill()
    companion.start()
    after = companion.state
    assert what_counts(after) == what_counts(before)

    for page in (screen, *phones.values()):
        caught_up(page, companion)
    looking.wrong = [line for line in looking.wrong if not re.search(GONE, line)]
    tap(phones[after["turn"]], companion, "Throw")
    assert companion.state["version"] == before["version"] + 1

    close = {"players": {"red": {"points": 45}, "blue": {"points": 45}}}
    companion.ask("/api/moves", {"do": "correct", "set": close})
    over = play(phones, companion, lambda state: state["phase"] == "over")
    (winner,) = over["result"]["winners"]
    name = over["players"][winner]["name"]
    caught_up(screen, companion)
    assert name in screen.text_content("h1")
    assert str(over["players"][winner]["points"]) in screen.text_content("#main")
    shoot(screen, "pig-over")
