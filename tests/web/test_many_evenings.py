"""The pages of a table that has been played at for years: lists in pages, and the host's copy every evening."""

import re
import sqlite3

import pytest
from at_the_door import BEARER, PIN, House

from companion.languages.catalogues import codes
from companion.table.record import record as keeping
from companion.table.record.record import BUILDING, DONE, FINISHED, OUTCOMES, TAKEN_BACK, Record
from tests.years import NAMES, TONIGHT, write_years
from web.base.past_games import A_PAGE, READ_AT_ONCE
from web.base.words import words_in

GAMES = 33
MOST_BYTES = 60_000


@pytest.fixture(scope="module")
def years(tmp_path_factory):
    folder = tmp_path_factory.mktemp("years") / "data"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(keeping, "FAR", 10)
        write_years(folder, GAMES, unfinished=(3, 30))
        house = House(folder)
        yield house
        house.session.stop()
        house.record.close()


def shown(page):
    return re.findall(r'href="/history/([\w-]+)"', page)


def test_the_list_comes_in_pages_that_lead_to_each_other(years):
    client, path, found = years.client(), "/history", []
    while path:
        answer = client.get(path)
        assert answer.status_code == 200
        assert len(answer.data) < MOST_BYTES
        assert len(shown(answer.text)) <= A_PAGE
        found += shown(answer.text)
        older = re.search(r'rel="next" href="([^"]+)"', answer.text)
        newer = re.search(r'rel="prev" href="([^"]+)"', answer.text)
        assert (newer is None) == (path == "/history")
        path = older and older[1]
    assert found == [TONIGHT, *(f"evening-{number:03}" for number in reversed(range(GAMES)))]


@pytest.mark.parametrize("page", ["99", "nonsense", "-1", ""])
def test_a_page_that_is_not_there_is_the_nearest(years, page):
    answer = years.client().get(f"/history?page={page}")
    assert answer.status_code == 200
    assert ("evening-000" in shown(answer.text)) == (page == "99")


def test_people_are_counted_over_all_pages(years):
    years.client().get("/history")
    page = years.client().get("/history", headers={"Accept-Language": "en"}).text
    assert 'id="missing"' not in page, "a second look has read the rest"
    games = sum(map(int, re.findall(r'<th scope="row">[^<]+</th>\s*<td>\d+</td>\s*<td>(\d+)</td>', page)))
    assert games == 3 * (GAMES - 2)
    assert all(name in page for name in NAMES)
    assert 'id="people"' not in years.client().get("/history?page=1").text


def test_few_games_are_held_however_many_are_read(years):
    client, stories = years.client(), years.app.extensions["companion"].stories
    for number in range(0, GAMES, 3):
        assert client.get(f"/history/evening-{number:03}").status_code == 200
    assert len(stories._told) <= READ_AT_ONCE


@pytest.mark.parametrize("language", codes())
def test_the_host_has_a_copy_every_evening_without_what_may_still_be_played(years, tmp_path, language):
    client = years.client()
    client.post("/api/host/login", json={"pin": PIN})
    page = client.get("/host/record", headers={"Accept-Language": language}).text
    assert 'href="/api/host/backup"' in page
    assert 'id="backup-without"' in page
    assert 'rel="next"' in page
    answer = client.get("/api/host/backup")
    assert answer.status_code == 200
    assert int(answer.headers["Content-Length"]) == len(answer.data)
    (tmp_path / "copy").write_bytes(answer.data)
    with sqlite3.connect(tmp_path / "copy") as db:
        games = {game for (game,) in db.execute("SELECT game FROM entries")}
    assert games == {f"evening-{number:03}" for number in range(GAMES)} - {"evening-003", "evening-030"}
    assert TONIGHT.encode() not in answer.data


def test_a_damaged_old_game_still_has_its_page(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping, "FAR", 10)
    write_years(tmp_path / "data", 3)
    with sqlite3.connect(tmp_path / "data" / "record.sqlite3") as db:
        db.execute("DROP TRIGGER entries_stay")
        db.execute("UPDATE entries SET text = replace(text, 'evening-001', 'evening-00x') WHERE game = 'evening-001'")
    house = House(tmp_path / "data")
    try:
        assert house.client().get("/history/evening-001").status_code == 200, "the copy proves it"
        assert house.client().get("/history").status_code == 200
        assert house.client().get("/history/evening-001.json", headers=BEARER).status_code == 200
    finally:
        house.session.stop()
        house.record.close()
    with Record(tmp_path / "data") as record:
        assert record.current == TONIGHT


@pytest.mark.parametrize("language", codes())
@pytest.mark.parametrize("outcome", [FINISHED, TAKEN_BACK])
def test_the_host_is_told_what_became_of_a_restore_that_was_cut_short(tmp_path, language, outcome):
    write_years(tmp_path / "data", 0)
    (tmp_path / "data" / (DONE if outcome == FINISHED else BUILDING)).mkdir()
    house = House(tmp_path / "data")
    try:
        assert house.record.finished == outcome
        page = house.client().get("/host/record", headers={**BEARER, "Accept-Language": language})
        told = page.text.split('id="restored"')[1].split("</p>")[0]
        assert words_in(language).text(f"restore_{OUTCOMES[outcome]}") in told
    finally:
        house.session.stop()
        house.record.close()
    house = House(tmp_path / "data")
    try:
        assert "restored" not in house.state["record"], "once"
    finally:
        house.session.stop()
        house.record.close()
