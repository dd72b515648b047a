"""A real browser and a real process: pig on two phones and a big screen, and the plug is pulled in the middle."""

import json
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from browsing import CHROMIUM, SCREEN, Looking, shoot

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

ROOT = Path(__file__).parents[2]
PIG = ROOT / "examples/pig"
BEARER = "a-token-for-tests"
REST = 'announce = false\n[camera]\nkind = "off"\n[panel]\non = false\n[voice]\non = false\n'
GONE = "ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE"
ENOUGH = 12


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Companion:
    """`companion run` with pig in its configuration, as often as it is started."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.process = None
        for file in PIG.glob("pig.*"):
            (folder / file.name).write_bytes(file.read_bytes())
        self.config = folder / "companion.toml"
        self.config.write_text((PIG / "companion.toml").read_text(encoding="utf-8") + REST, encoding="utf-8")

    def start(self):
        where = ["--config", self.config, "--data", self.folder / "data", "--port", str(self.port)]
        command = [sys.executable, "-m", "companion.cli", "run", *where, "--token", BEARER]
        out, err = subprocess.PIPE, subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdout=out, stderr=err, text=True, cwd=ROOT)
        assert "The table is at" in self.process.stdout.readline()

    def kill(self):
        """Send SIGKILL: nothing is tidied up."""
        self.process.kill()
        assert self.process.wait(20) == -9
        self.process.stdout.close()

    def ask(self, path, body=None):
        headers = {"Authorization": f"Bearer {BEARER}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers)  # noqa: S310 - our own address
        with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
            return json.loads(answer.read())

    @property
    def state(self):
        return self.ask("/api/state")


@pytest.fixture
def companion(tmp_path):
    made = Companion(tmp_path)
    made.start()
    yield made
    made.kill()


@pytest.fixture
def looking(browser, companion):
    opened = Looking(browser, companion.base)
    yield opened
    opened.close()
    assert opened.wrong == []


def caught_up(page, companion):
    page.wait_for_function("seq => Number(document.body.dataset.shown) >= seq", arg=companion.state["seq"])


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
