"""The map on a phone under real touches: pinched, dragged, and a goal tapped to move."""

import pytest
from browsing import CHROMIUM, caught_up, shoot, take_seat
from evening_out import begin
from fingers import Fingers, middle_of

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")

GOALS = "#map .goal:not([data-asks])"


@pytest.fixture
def red(looking, house):
    enemies = {"1": None, "2": None, "3": None, "4": {"space": "nave"}}
    begin(house, scenario="the-sunken-bell", start={"enemies": enemies})
    page = take_seat(looking, house, "red", has_touch=True)
    caught_up(page, house)
    page.locator("#map .drawn").scroll_into_view_if_needed()
    return page


def box_of(page):
    """What part of the map is shown: its corner, and how wide and high it is."""
    return [float(one) for one in page.get_attribute("#map .drawn", "viewBox").split()]


def middle(page, found="#map .drawn"):
    return middle_of(page.locator(found).first.bounding_box())


def below(page, spot):
    """Which space lies below a spot of the glass."""
    return page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest('#map .land')?.id", spot)


def test_two_fingers_zoom_and_carry_the_map_with_them(red):
    fingers, spot = Fingers(red), middle(red)
    before, held, scrolled = box_of(red), below(red, spot), red.evaluate("scrollY")
    fingers.pinch(spot, 80, 160)
    near = box_of(red)
    assert near[2] == pytest.approx(before[2] / 2, rel=0.1)
    assert below(red, spot) == held
    fingers.pinch(spot, 160, 80)
    assert box_of(red) == pytest.approx(before, abs=before[2] / 20)
    fingers.pinch(spot, 160, 20)
    whole = [float(one) for one in red.get_attribute("#map", "data-whole").split()]
    assert min(box_of(red)[2] / whole[2], box_of(red)[3] / whole[3]) <= 1.01
    assert red.evaluate("scrollY") == scrolled
    assert red.evaluate("visualViewport.scale") == 1


def test_one_finger_scrolls_the_page_past_a_small_map_and_drags_the_whole_one(red):
    fingers, spot = Fingers(red), middle(red)
    before = box_of(red)
    fingers.drag(spot, (spot[0], spot[1] - 150))
    assert box_of(red) == before
    fingers.press(red.locator("#map-whole"))
    red.wait_for_selector("#map.wide")
    spot, before = middle(red), box_of(red)
    fingers.pinch(spot, 80, 160)
    near = box_of(red)
    assert near[2] < before[2]
    fingers.drag(spot, (spot[0] - 90, spot[1] - 60))
    moved = box_of(red)
    assert moved[0] > near[0]
    assert moved[1] > near[1]
    assert moved[2:] == pytest.approx(near[2:])
    shoot(red, "wasteland-map-near", top=False)


def test_the_map_is_never_dragged_out_of_sight(red):
    fingers = Fingers(red)
    fingers.press(red.locator("#map-whole"))
    red.wait_for_selector("#map.wide")
    spot = middle(red)
    fingers.pinch(spot, 60, 200)
    for _ in range(8):
        fingers.drag((380, 800), (20, 60))
    left, top, width, height = box_of(red)
    whole = [float(one) for one in red.get_attribute("#map", "data-whole").split()]
    assert left + width / 2 == pytest.approx(whole[0] + whole[2], abs=1)
    assert top + height / 2 == pytest.approx(whole[1] + whole[3], abs=1)


def test_a_goal_is_tapped_after_a_pinch_and_the_figure_goes_there(red, house):
    fingers = Fingers(red)
    fingers.pinch(middle(red), 90, 130)
    was = house.state["players"]["red"]["space"]
    spots = {one.get_attribute("id"): middle_of(one.bounding_box()) for one in red.locator(GOALS).all()}
    found, spot = next((name, spot) for name, spot in spots.items() if below(red, spot) == name)
    space = found.removeprefix("at-")
    seen = house.state["seq"]
    fingers.tap(spot)
    red.wait_for_function("seq => Number(document.body.dataset.shown) > seq", arg=seen)
    assert house.state["players"]["red"]["space"] == space != was
    assert red.locator(f"#at-{space}.here").count() == 1


def test_a_drag_over_a_goal_moves_nobody(red, house):
    fingers = Fingers(red)
    fingers.press(red.locator("#map-whole"))
    red.wait_for_selector("#map.wide")
    goal = middle(red, "#map .goal")
    before = house.state["seq"]
    fingers.drag(goal, (goal[0] + 80, goal[1]))
    fingers.press(red.locator("#map-whole"))
    red.wait_for_selector("#map:not(.wide)")
    assert house.state["seq"] == before
