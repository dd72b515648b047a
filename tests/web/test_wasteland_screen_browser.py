"""The big screen of the second game: what everybody decides by stays in sight in every phase."""

import pytest
from browsing import CHROMIUM, SCREEN, caught_up, shoot
from evening_out import begin, moves_of

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

FOUR = ["red", "blue", "green", "yellow"]
WHO = ["the-netmaker", "the-pilgrim", "the-diver-maid", "the-quartermaster"]
WANTED = [".power", ".power .rungs", "#players li", ".shop", ".shop li", "#quests li", ".watch", ".free", ".watch .qr"]
CUT = """(wanted) => wanted.filter((selector) => {
    const all = [...document.querySelectorAll(selector)];
    return all.length === 0 || all.some((one) => {
        const box = one.getBoundingClientRect();
        let [top, left, low, right] = [0, 0, innerHeight, innerWidth];
        for (let around = one.parentElement; around; around = around.parentElement) {
            if (getComputedStyle(around).overflow === 'visible') continue;
            const hole = around.getBoundingClientRect();
            [top, left] = [Math.max(top, hole.top - 1), Math.max(left, hole.left - 1)];
            [low, right] = [Math.min(low, hole.bottom + 1), Math.min(right, hole.right + 1)];
        }
        return !box.height || box.top < top || box.left < left || box.bottom > low || box.right > right;
    });
})"""
"""What is not wholly in the picture, or is cut off by what it lies in."""
FOES = ["dune-crab", "salt-hound", "brine-wasp", "wreck-robber", "deserter", "buoy-sentry", "pale-eel", "diver"]
CROWD = {str(number): {"id": name, "space": "reef"} for number, name in enumerate(FOES, 20)}


def next_move(house):
    """A fight where there is one; rolls are kept."""
    moves = moves_of(house)
    wanted = [move for move in moves if move.get("option") in ("roll", "keep")] or moves
    return next((move for move in wanted if move["do"] == "fight"), wanted[0])


@pytest.mark.parametrize(("count", "language"), [(2, "ru"), (4, "en")])
def test_nothing_that_decides_is_cut_off_in_any_phase(looking, house, count, language):
    seats = FOUR[:count]
    begin(house, players=seats, scenario="the-drowned-lights", survivors=dict(zip(seats, WHO, strict=False)),
          decks={}, names={colour: f"Anna-Maria {colour}" for colour in seats})  # fmt: skip
    screen = looking.open("/table", SCREEN, locale=language)
    found, seen = [], set()
    for _ in range(50):
        state = house.state
        if state["phase"] == "turn" and len(state["quests"]) < 5:
            board = {colour: {"space": "reef"} for colour in seats}
            told = house.tap(None, do="correct", set={"quests": [1, 2, 3, 4, 6], "enemies": CROWD, "players": board})
            assert told.status_code == 200, told.json
        state = house.state
        what = (state["phase"], state["pending"][0]["kind"] if state["pending"] else "", bool(state["contest"]))
        if len(state["quests"]) > 4 and what not in seen:
            seen.add(what)
            caught_up(screen, house)
            found += [(what, one) for one in screen.evaluate(CUT, WANTED)]
            shoot(screen, f"wasteland-screen-{count}-{language}-{'-'.join(map(str, what))}")
        move = {"do": "reveal"} if state["phase"] == "enemies" and not state["pending"] else next_move(house)
        house.tap(None, **move)
    assert {phase for phase, _, _ in seen} >= {"turn", "enemies"}
    assert any(fights for *_, fights in seen)
    assert found == []
