"""The calibration's page and its words, before a table that is only drawn."""

import re
from html import unescape

import numpy as np
import pytest
from at_the_door import BEARER, PIN, tight
from guided import Bench, is_a_picture

from calibration.guide import STEPS, Guide
from calibration.measuring.papers import circle_middle
from calibration.steps.step import texts
from companion.languages.catalogues import codes
from companion.table.session.intents import DeviceChanged
from tests.calibration import scenes
from tests.calibration.rows import a_row
from tests.vision import tables
from web.base.words import words_in

ONLY_TYPED = {"cards_left", "enrolled", "odd_number", "not_twelve", "columns_kept", "columns_not_given"}
"""What only the command line says."""


@pytest.fixture
def bench(tmp_path, make_house):
    made = Bench(tmp_path, make_house)
    yield made
    made.close()


@pytest.fixture
def client(bench):
    client = bench.house.client()
    assert client.post("/api/host/login", json={"pin": PIN}).status_code == 200
    return client


def tell(client, step, action, **fields):
    answer = client.post("/api/calibrate", json={"step": step, "action": action, **fields})
    assert answer.status_code == 200, answer.json
    return answer.json


def seen(bench, client, wanted):
    """The view as soon as a note of this code is there: each picture of the film is a look later."""
    number = 0
    for _ in range(200):
        view = client.get("/api/calibrate").json
        if wanted in [note["code"] for note in view["notes"]]:
            return view
        shown = bench.eye.window.newer_than(number, drawn=True, timeout=1.0)
        number = shown.number if shown is not None else number
    raise AssertionError((wanted, view))


def test_only_the_host_calibrates(bench):
    client = bench.house.seated("red")
    assert "pin" in client.get("/calibrate").text
    assert client.get("/api/calibrate").status_code == 403
    assert bench.house.client().post("/api/calibrate", json={"step": "aim", "action": "open"}).status_code == 401


def test_a_table_without_a_camera_says_so(house):
    client = house.client()
    client.post("/api/host/login", json={"pin": PIN})
    page = client.get("/calibrate")
    assert page.status_code == 200
    assert "switched off" in page.text
    answer = client.get("/api/calibrate")
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "no_camera")


def test_the_page_does_not_send_away_whoever_calibrates(bench, client):
    tell(client, "check", "open")
    busy = Guide(bench.profile, lambda: None, lambda: bench.camera).why
    bench.house.session.ask(DeviceChanged("camera", "lost", busy)).result(20)
    assert words_in("en").text("device_calibrating") not in unescape(client.get("/calibrate").text)
    bench.house.session.ask(DeviceChanged("camera", "lost", "The cable is loose.")).result(20)
    assert "The cable is loose." in unescape(client.get("/calibrate").text)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"step": "dance", "action": "open"}, 404, "no_such_step"),
        ({"step": "aim", "action": "take"}, 409, "step_closed"),
        ({"step": 3, "action": "open"}, 400, "malformed"),
        ({"step": "aim"}, 400, "malformed"),
        (["aim"], 400, "malformed"),
    ],
)
def test_what_cannot_be_done_is_refused(bench, body, status, code):
    answer = bench.house.client().post("/api/calibrate", json=body, headers=BEARER)
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)


def test_the_mat_is_measured_by_a_word(bench, client):
    assert client.get("/api/calibrate").json["open"] == ""
    view = tell(client, "table", "open")
    assert (view["open"], view["pace"], view["ready"]) == ("table", "told", False)
    tell(client, "table", "take")
    view = seen(bench, client, "table_found")
    assert view["ready"]
    assert is_a_picture(client.get("/api/camera.jpg").data)
    view = tell(client, "table", "keep")
    assert [note["code"] for note in view["notes"]][-1] == "kept"
    assert {step["name"]: step["done"] for step in view["steps"]}["table"]
    assert tell(client, "table", "close")["open"] == ""


def test_the_light_is_held_and_let_go_by_a_word(bench, client):
    bench.lamp = 2.5
    tell(client, "aim", "open")
    seen(bench, client, "light_free")
    assert 'id="hold-aim"' in client.get("/calibrate").text
    tell(client, "aim", "hold")
    assert 'id="hold-aim"' not in client.get("/calibrate").text, "it is being done"
    seen(bench, client, "light_is_held")
    page = client.get("/calibrate").text
    assert 'id="release-aim"' in page
    assert "the picture stays as it is" in page
    view = client.get("/api/calibrate").json
    assert {step["name"]: step["done"] for step in view["steps"]}["aim"]
    assert bench.guide._file.raw()["camera"]["locked"] == bench.camera.values()
    tell(client, "aim", "release")
    seen(bench, client, "light_free")
    assert "locked" not in bench.guide._file.raw()["camera"]


def test_the_numbers_are_read_off_the_cards_compared_and_kept(bench, client, tmp_path):
    row = a_row([None, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, None], tmp_path / "row")
    bench.scene = row.picture
    row.file.path.replace(bench.profile)
    tell(client, "columns", "open")
    view = seen(bench, client, "columns_read")
    assert view["details"]["read"].count("?") <= 3
    page = client.get("/calibrate").text
    sent = re.search(r'name="read" value="([^"]+)"', page).group(1)
    assert sent.split() == client.get("/api/calibrate").json["details"]["read"]
    offered = tight(client.get("/host/columns", query_string={"read": "- 2 4 3 ? 6 8 9 10 11 12 -"}).text)
    assert 'id="read"' in offered
    assert "spaces 5," in offered
    chosen = re.findall(r"<option selected>([^<]+)</option>", offered)
    assert chosen == ["-", "2", "4", "3", "5", "6", "8", "9", "10", "11", "12", "-"], "5 is what was written before"
    form = {f"column_{place}": number for place, number in enumerate(chosen)}
    form |= {name: unescape(value) for name, value in re.findall(r'<input name="(\w+)" value="([^"]+)"', offered)}
    assert client.post("/host/columns/standard", data=form).status_code == 303
    assert client.get("/api/calibrate").json["open"] == "", "the camera goes back to the game"


@pytest.mark.parametrize("read", ["1 2 3", "<b>", "x " * 12])
def test_odd_numbers_in_an_address_choose_nothing(client, read):
    page = client.get("/host/columns", query_string={"read": read})
    assert page.status_code == 200
    assert "<b>" not in page.text.split('id="correct"')[1].split("</form>")[0]
    assert re.findall(r"<option selected>([^<]+)</option>", page.text)[1:3] == ["2", "3"]


def test_a_step_that_has_nothing_to_keep_says_why(client):
    tell(client, "lens", "open")
    view = tell(client, "lens", "keep")
    assert [note["code"] for note in view["notes"]] == ["few_views"]
    assert "are needed" in client.get("/calibrate").text


def test_a_broken_profile_is_told_and_not_hidden(bench, client):
    bench.profile.write_text("{")
    tell(client, "table", "open")
    tell(client, "table", "take")
    view = seen(bench, client, "profile_fault")
    assert not view["ready"]
    assert client.get("/calibrate").status_code == 200


def test_a_card_is_taken_by_itself_and_another_named_by_hand(bench, client):
    bench.learn()
    bench.clear()
    tell(client, "cards", "open")
    seen(bench, client, "lay_a_card")
    bench.lay(3)
    view = seen(bench, client, "card_taken")
    assert view["progress"] == [1, 6]
    bench.lay(2, tag=False)
    view = seen(bench, client, "which_card")
    card = view["details"]["fitting"][0]
    page = client.get("/calibrate").text
    assert f'value="{card}"' in page
    assert tell(client, "cards", "name", card=card)["progress"] == [2, 6]
    assert tell(client, "cards", "again", card=card)["progress"] == [1, 6]
    assert tell(client, "cards", "light", light="lamp")["progress"] == [0, 6]
    assert [note["code"] for note in tell(client, "cards", "dance")["notes"]] == ["no_such_action"]


def test_a_new_table_chooses_its_deck_first(bench, client):
    raw = bench.guide._file.raw()
    bench.profile.unlink()
    bench.guide._file.change({**raw, "cards": {}})
    tell(client, "cards", "open")
    seen(bench, client, "no_cards_known")
    assert "deck-homemade" in client.get("/calibrate").text
    view = tell(client, "cards", "deck", pack="homemade")
    assert view["progress"][1] > 60


def test_every_room_has_its_score_on_the_page(bench, client):
    tell(client, "check", "open")
    tell(client, "check", "take")
    seen(bench, client, "slots_scored")
    page = client.get("/calibrate").text
    assert len(re.findall(r'<td class="is-(good|fair|poor)">', page)) == 35


def test_the_aim_is_looked_at_all_the_time(bench, client):
    tell(client, "aim", "open")
    seen(bench, client, "in_view")
    bench.scene = np.zeros_like(bench.scene)
    seen(bench, client, "black")


def test_the_colours_are_shown_before_they_are_kept(bench, client):
    flat, size = scenes.paper("colour-circles")
    view = scenes.facing((0, -180, 480))
    bench.scene = scenes.shown(flat, size, view)
    for number, paint in enumerate(((180, 40, 60), (40, 90, 170), (60, 150, 70), (230, 180, 50))):
        for lying in (False, True):
            scenes.stand(bench.scene, view, circle_middle(number, lying=lying), paint, lying=lying)
    tell(client, "colours", "open")
    tell(client, "colours", "take")
    seen(bench, client, "colours_seen")
    assert client.get("/calibrate").text.count('fill="rgb(') == 4


def test_a_calibration_that_nobody_looks_at_gives_the_table_back(tmp_path):
    now = [0.0]
    changes = []
    guide = Guide(tables.write_profile(tmp_path), lambda: changes.append(now[0]), clock=lambda: now[0])
    guide.act("aim", "open", {})
    small = np.zeros((180, 320), dtype=np.uint8)
    assert guide.due(small, 0.0)
    now[0] = 1000.0
    assert not guide.due(small, 0.1)
    assert not guide.is_open
    assert changes == [0.0, 1000.0]


def test_a_form_without_a_script_comes_back_to_the_page(client):
    answer = client.post("/api/calibrate", data={"step": "aim", "action": "open"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/calibrate")


@pytest.mark.parametrize("language", codes())
def test_the_page_has_words_for_everything_that_a_step_may_say(language):
    words = words_in(language)
    wanted = set(texts()) - ONLY_TYPED
    assert {code for code in wanted if not words.has(f"calnote_{code}")} == set()
    for code in wanted:
        fields = set(re.findall(r"\{(\w+)\}", texts()[code]))
        assert set(re.findall(r"\{(\w+)\}", words._texts[f"calnote_{code}"])) <= fields, code
    for step in STEPS:
        assert words.text(f"calhow_{step}")
        assert words.text(f"calstep_{step}")
