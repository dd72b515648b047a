"""Somebody calibrates with a phone beside the mat. Screenshots go where COMPANION_SCREENS says."""

import pytest
from at_the_door import PIN
from browsing import CHROMIUM, SCREEN, Looking, shoot
from guided import Bench

from calibration.guide import ALL_STEPS
from calibration.measuring.papers import circle_middle
from companion.languages.catalogues import codes
from tests.calibration import scenes
from tests.vision import tables

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
PAINTS = ((180, 40, 60), (40, 90, 170), (60, 150, 70), (230, 180, 50))


@pytest.fixture
def bench(tmp_path, make_house):
    made = Bench(tmp_path, make_house)
    yield made
    made.close()


@pytest.fixture
def looking(browser, bench):
    opened = Looking(browser, bench.house.serve())
    yield opened
    opened.close()
    assert opened.wrong == []


@pytest.fixture
def page(looking):
    found = looking.open("/calibrate")
    found.fill("[name=pin]", PIN)
    found.click("#login button")
    found.wait_for_selector("#acts, #new")
    found.goto(looking.base + "/calibrate")
    return found


def film_runs(page):
    page.wait_for_function("() => document.getElementById('picture').naturalWidth > 600")


BROKEN = """
(all) => all.flatMap((one) => {
  const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (range.getClientRects().length > 1) broken.push(word[0]);
    }
  }
  return broken;
})
"""


@pytest.mark.parametrize("language", codes())
def test_no_step_s_name_is_broken_inside_a_word(page, language):
    page.context.add_cookies([{"name": "language", "value": language, "url": page.url}])
    page.reload()
    names = page.locator(".course button")
    assert names.count() == len(ALL_STEPS)
    assert names.evaluate_all(BROKEN) == []


def test_the_whole_course_on_a_phone(bench, page):
    page.click("#open-aim")
    page.wait_for_selector("#notes .is-fine")
    film_runs(page)
    shoot(page, "calibrate-aim")

    page.click("#open-table")
    page.wait_for_selector("#work-table")
    page.click("#take-table")
    page.click("#keep-table")
    page.wait_for_selector("#step-table .mark:has-text('✓')")
    film_runs(page)

    flat, size = scenes.paper("colour-circles")
    view = scenes.facing((0, -180, 480))
    bench.scene = scenes.shown(flat, size, view)
    for number, paint in enumerate(PAINTS):
        for lying in (False, True):
            scenes.stand(bench.scene, view, circle_middle(number, lying=lying), paint, lying=lying)
    page.click("#open-colours")
    page.wait_for_selector("#work-colours")
    page.click("#take-colours")
    page.wait_for_selector("#swatches rect")
    film_runs(page)
    shoot(page, "calibrate-colours")

    bench.scene = tables.draw_table({"2:R1": 3, "4:L2": 1, "1:L1": 0})
    page.click("#open-check")
    page.wait_for_selector("#work-check")
    page.click("#take-check")
    page.wait_for_selector("#scores-of")
    assert page.locator("#scores-of td").count() == 35
    film_runs(page)
    shoot(page, "calibrate-check")
    page.click("#close-check")
    page.wait_for_selector("#closed")


def test_between_the_steps_the_head_of_the_page_follows_the_table(bench, page):
    page.wait_for_selector("#closed")
    bench.house.start()
    page.wait_for_selector("#bar:has-text('Round 1')")
    page.click("#open-aim")
    page.wait_for_selector("#work-aim")
    bench.house.tap(do="correct", set={"round": 2})
    page.wait_for_selector("#bar:has-text('Round 2')")


def test_cards_are_enrolled_with_two_taps_for_each(bench, page):
    bench.learn()
    bench.clear()
    page.click("#open-cards")
    page.wait_for_selector("#work-cards")
    bench.lay(3)
    page.wait_for_selector("#notes .is-fine")
    page.wait_for_function("() => document.querySelector('#far b').textContent.startsWith('1 ')")
    bench.lay(2, tag=False)
    page.wait_for_selector("#which")
    film_runs(page)
    shoot(page, "calibrate-cards")
    page.click("#name-it")
    page.wait_for_function("() => document.querySelector('#far b').textContent.startsWith('2 ')")
    page.wait_for_selector("#which", state="detached")
    page.click("#deck summary")
    page.click("#deck .have button >> nth=0")
    page.wait_for_function("() => document.querySelector('#far b').textContent.startsWith('1 ')")
    page.click("#light-lamp")
    page.wait_for_selector("#light-lamp:not(.no)")
    page.wait_for_function("() => document.querySelector('#far b').textContent.startsWith('0 ')")


def test_the_big_screen_shows_it_too(bench, looking, page):
    page.click("#open-aim")
    page.wait_for_selector("#notes .is-fine")
    large = page.context.new_page()
    large.set_viewport_size(SCREEN)
    large.goto(looking.base + "/calibrate")
    large.wait_for_selector("#work-aim")
    film_runs(large)
    wide, inner = large.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner
    assert bench.guide.is_open
