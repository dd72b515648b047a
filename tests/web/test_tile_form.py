"""The form of a map tile: what it shows, what is posted, and the whole way in a browser."""

import html
import re

import pytest
import tile_taps
from at_the_door import BEARER
from browsing import CHROMIUM
from evening_out import begin

from companion.cards.wasteland import lattice
from companion.cards.wasteland.loader import builtin
from web.games.wasteland.owner.own_packs import Packs

MINUTE = 60


@pytest.fixture
def owned(house):
    begin(house)
    assert house.client().post("/wasteland/cards/begin", headers=BEARER).status_code == 303
    return house


def tiles(house):
    return Packs(house.record.folder).data()["tile"]


def fields_of(page):
    """What a browser would post of the form as it stands."""
    form = re.search(r'id="card">(.*?)</form>', page, re.DOTALL)[1]
    found = {}
    for name, rest in re.findall(r'<input\s+(?:type="hidden"\s+)?name="([^"]+)"([^>]*)>', form):
        found[name] = html.unescape((re.search(r'value="([^"]*)"', rest) or [""] * 2)[1])
    for name, rest in re.findall(r'<input\s+type="checkbox"\s+name="([^"]+)"([^>]*)>', form):
        if "checked" in rest:
            found[name] = "on"
    for name, rest in re.findall(r'<input\s+type="radio"\s+name="(back)"([^>]*)>', form):
        if "checked" in rest:
            found[name] = re.search(r'value="([^"]*)"', rest)[1]
    for name, options in re.findall(r'<select name="([^"]+)">(.*?)</select>', form, re.DOTALL):
        found[name] = re.search(r'value="([^"]*)" selected', options)[1]
    pattern = re.search(r'<textarea name="pattern"[^>]*>(.*?)</textarea>', form, re.DOTALL)
    found["pattern"] = html.unescape(pattern[1])
    return found


@pytest.mark.parametrize("nth", [0, len(builtin("homemade").tiles) - 1])
def test_a_tile_of_ours_goes_through_its_form_unchanged(owned, nth):
    before = tiles(owned)[nth]
    host = owned.client()
    page = host.get(f"/wasteland/cards/tile/{nth}", headers=BEARER).text
    answer = host.post(f"/wasteland/cards/tile/{nth}", data=fields_of(page), headers=BEARER)
    assert answer.status_code == 303, answer.text
    after = tiles(owned)[nth]
    assert sorted(after.pop("space"), key=lambda one: one["area"]) == sorted(
        before.pop("space"), key=lambda one: one["area"]
    )
    assert "".join(after.pop("pattern").split()) == "".join(before.pop("pattern").split())
    assert after == before


def test_a_new_tile_is_cut_and_named_in_any_script(owned):
    host = owned.client()
    page = host.get("/wasteland/cards/tile/new", headers=BEARER).text
    assert page.count("<polygon") == len(lattice.TRIANGLES)
    rows = "aaaaaaa\naaaaaaaaa\naaaaaaaaaaa\nbbbbbbbbbbb\nbbbbbbbbb\nbbbbbbb\n"
    given = {"name": "Старая мельница", "name_pl": "Stary młyn", "back": "deadly", "pattern": rows,
             "s0_name": "Мельница", "s0_icon": "settlement", "s0_level": "3", "s1_difficult": "on",
             "s1_enemy_1": "critter", "s1_enemy_2": "random"}  # fmt: skip
    answer = host.post("/wasteland/cards/tile/new", data={**fields_of(page), **given}, headers=BEARER)
    assert answer.status_code == 303, answer.text
    tile = tiles(owned)[-1]
    assert (tile["id"], tile["back"], tile["names"]) == ("старая-мельница", "deadly", {"pl": "Stary młyn"})
    assert tile["space"] == [
        {"area": "a", "id": "мельница", "name": "Мельница", "encounter": "settlement 3"},
        {"area": "b", "terrain": ["difficult"], "enemies": ["critter", "random"]},
    ]


def test_what_is_wrong_with_a_tile_is_told_and_what_was_typed_stays(owned):
    host = owned.client()
    page = host.get("/wasteland/cards/tile/0", headers=BEARER).text
    spoiled = {**fields_of(page), "pattern": "ab", "s0_level": "x", "s0_icon": "settlement"}
    answer = host.post("/wasteland/cards/tile/0", data=spoiled, headers=BEARER)
    assert answer.status_code == 409
    assert "54 letters in rows of 7" in answer.text
    assert "an encounter icon and its level" in html.unescape(answer.text)
    assert 'value="x"' in answer.text
    assert tiles(owned)[0]["id"] == "camp"


def test_a_copied_tile_has_spaces_of_its_own(owned):
    host = owned.client()
    copied = host.post("/wasteland/cards/tile/1/copy", headers=BEARER)
    assert copied.status_code == 303, copied.text
    assert tiles(owned)[-1]["space"][0]["id"] == "market-2"


@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
def test_a_tile_is_made_by_tapping(looking, owned):
    page = looking.open("/wasteland/cards/tile/new", extra_http_headers=BEARER)
    triangles = page.locator("#tile polygon")
    for nth in (3, 30, 50):  # the middles of three spaces
        triangles.nth(nth).click()
    page.check("#tile-single")
    page.check("#tile .palette [value=a]")
    triangles.nth(53).click()
    pattern = "".join(page.input_value("[name=pattern]").split())
    assert (pattern[3], pattern[30], pattern[50], pattern[53]) == ("a", "b", "c", "a")
    assert set(pattern) == set("abc")
    assert page.locator(".space:visible").get_attribute("data-letter") == "a"
    triangles.nth(53).click()
    page.locator("#tile .palette [value=c]").check()
    triangles.nth(53).click()
    page.fill("[name=name]", "Łąka")
    page.click("#card > button:last-of-type")
    page.wait_for_url("**/wasteland/cards#k-tile")
    assert tiles(owned)[-1]["id"] == "łąka"


@pytest.mark.long
@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no {CHROMIUM}")
def test_every_tile_of_ours_is_made_by_thumb_in_a_minute(looking, house):
    assert house.client().post("/wasteland/cards/begin", data={"pack": "box"}, headers=BEARER).status_code == 303
    page = looking.open("/wasteland/cards", extra_http_headers=BEARER, has_touch=True)
    counts = []
    for tile in builtin("homemade").tiles:
        counts.append(tile_taps.TileThumb(page, tile).enter())
        made = tiles(house)[-1]
        assert "".join(made["pattern"].split()) == tile_taps.relettered(tile.pattern)
        assert [printed(one) for one in made["space"]] == [printed(one) for one in raw_of(tile)]
        assert made.get("back") == (tile.back and tile.back.value)
    seconds = [one.seconds for one in counts]
    assert sum(seconds) / len(seconds) <= MINUTE, tile_taps.table(counts)


def raw_of(tile):
    order = list(dict.fromkeys(tile.pattern))
    for space in sorted(tile.spaces, key=lambda one: order.index(one.area)):
        level = "" if space.level is None else f" {space.level}"
        yield {
            "name": space.name,
            "encounter": f"{space.encounter.value}{level}" if space.encounter else "",
            "terrain": sorted(one.value for one in space.terrain),
            "enemies": [one.value if one else "random" for one in space.enemies],
        }


def printed(space):
    """What is printed in a space."""
    found = {"name": "", "encounter": "", "terrain": [], "enemies": [], **space}
    return found["name"], found["encounter"], sorted(found["terrain"]), found["enemies"]
