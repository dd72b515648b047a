"""The page of the league: what it says, what it streams, what can be taken away, and how it looks."""

import csv
import io
import json
import re
import socket

import pytest
from playwright.sync_api import expect

from benchmarks import network
from tests.network.hall import Hall, evening
from tests.web.browsing import CHROMIUM, FLAGS, PHONE, SCREEN, Looking, shoot

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")


@pytest.fixture
def hall(league):
    made = []

    def open_(port, **options):
        watched = league(port, **options)
        made.append(Hall(watched.league))
        return watched, made[-1]

    yield open_
    for one in made:
        one.close()


def test_a_hall_without_tables_says_how_they_come(mosquitto, hall):
    shown, served = hall(mosquitto().port)
    shown.until(lambda picture: picture["broker"]["online"])
    client = served.app.test_client()
    for language, said in (("en", "appears by itself"), ("pl", "pojawi się sam"), ("ru", "появится сам")):
        answer = client.get("/", headers={"Accept-Language": language})
        assert answer.status_code == 200
        assert said in answer.text
    assert client.get("/healthz").json["parts"] == {"broker": "ok"}
    assert client.post("/language", data={"language": "pl"}).headers["Location"] == "/"
    assert "pojawi się sam" in client.get("/").text
    assert client.post("/language", data={"language": "xx"}).status_code == 400
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403
    assert client.get("/export/secrets").json["error"]["code"] == "no_such_page"


def test_a_broker_that_is_away_is_said_on_the_page(hall):
    shown, served = hall(1)
    shown.until(lambda picture: picture["broker"]["hint"])
    text = served.app.test_client().get("/").text
    assert "The broker does not answer" in text
    assert served.app.test_client().get("/healthz").json["parts"] == {"broker": "failing"}


def test_names_are_words_and_never_more(mosquitto, place, hall, rng):
    broker = mosquitto()
    evil = '<script>alert("x")</script>'
    shown, served = hall(broker.port)
    table = place(broker.port, "=1+1 & <b>")
    table.table.start(names={"red": evil, "blue": "=HYPERLINK(1)"})
    table.play_to_the_end(rng)
    shown.finals(1)
    shown.until(lambda picture: any(one["state"] and one["state"]["players"] for one in picture["tables"]))
    client = served.app.test_client()
    page = client.get("/")
    assert evil not in page.text
    assert "=1+1 &amp; &lt;b&gt;" in page.text
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    rows = list(csv.DictReader(io.StringIO(client.get("/export/standings.csv").text)))
    assert {row["name"] for row in rows} == {evil, "'=HYPERLINK(1)"}
    games = list(csv.DictReader(io.StringIO(client.get("/export/games.csv").text)))
    assert {(row["table"], row["colour"]) for row in games} == {("'=1+1 & <b>", "red"), ("'=1+1 & <b>", "blue")}
    whole = client.get("/export/evening.json").json
    assert whole["standings"] == shown.picture["standings"] == client.get("/api/league").json["standings"]
    assert whole["results"][0]["game"] == table.state["id"]


def events(base, seen=""):
    """A reader of the stream: the parts of each event."""
    host, port = base.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as reader:
        reader.sendall(f"GET /api/events?seen={seen} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        with reader.makefile("r", encoding="utf-8") as lines:
            number = 0
            for line in lines:
                if line.startswith("id: "):
                    number = int(line[4:])
                elif line.startswith("data: "):
                    yield number, json.loads(line[6:])


def test_the_stream_tells_what_has_changed_and_nothing_else(mosquitto, place, hall):
    broker = mosquitto()
    shown, served = hall(broker.port)
    tables = [place(broker.port, f"Table {number}") for number in (1, 2)]
    shown.until(lambda picture: sum(one["online"] and one["state"] is not None for one in picture["tables"]) == 2)
    stream = events(served.base)
    number, first = next(stream)
    while len(first["order"]) < 2:
        number, first = next(stream)
    tables[1].table.start()
    for _, told in stream:
        if any("Red\u2019s turn" in html for html in told.get("parts", {}).values()):
            break
    assert "order" not in told
    assert "Table 1" not in "".join(told["parts"].values())
    tables[0].publisher.close()
    for _, told in stream:
        if "order" in told:
            break
    assert len(told["order"]) == 1
    stream.close()
    late = events(served.base, seen=number)
    assert "Table 2" in "".join(next(late)[1]["parts"].values())
    late.close()


def test_the_benchmark_finds_every_table_on_the_page(mosquitto, place, hall):
    """It has a page of 200 tables open and reads how far each has come."""
    broker = mosquitto()
    shown, served = hall(broker.port)
    place(broker.port, "Table 1")
    shown.until(lambda picture: any(one["online"] and one["state"] is not None for one in picture["tables"]))
    stream = events(served.base)
    for _, told in stream:
        cards = network.CARD.findall("".join(told.get("parts", {}).values()))
        if cards and int(cards[0][1]) == shown.picture["tables"][0]["state"]["seq"]:
            break
    stream.close()
    assert [table for table, _ in cards] == [network.card("Table 1")]


@pytest.fixture(scope="module")
def browser():
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield launched
        launched.close()


def judged(page):
    """What axe-core finds on the page, in both schemes."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
    found = []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        for one in axe.Axe().run(page, options=rules).response["violations"]:
            found += [f"{scheme}: {one['id']}: {node['html'][:160]}" for node in one["nodes"]]
    return found


def test_an_evening_of_eight_tables_in_a_browser(browser, mosquitto, place, hall, rng):
    broker = mosquitto()
    shown, served = hall(broker.port)
    places = [place(broker.port, f"Table {number}") for number in range(1, 9)]
    evening(places, rng)
    shown.until(lambda picture: [one["online"] for one in picture["tables"]] == [True] * 8)
    shown.finals(13)
    looking = Looking(browser, served.base)
    try:
        page = looking.open("/", SCREEN)
        expect(page.locator("#tables article")).to_have_count(8)
        shoot(page, "league")
        shoot(looking.open("/", PHONE), "league-phone")
        for language, scheme in (("pl", "light"), ("ru", "dark")):
            shoot(looking.open("/", PHONE, locale=language, color_scheme=scheme), f"league-{language}")
            shoot(looking.open("/", SCREEN, locale=language, color_scheme=scheme), f"league-{language}-wide")
        assert judged(looking.open("/", PHONE)) == []
        places[0].publisher.close()
        expect(page.locator("#tables article")).to_have_count(7)
        expect(page.locator("#notes")).to_contain_text("Table 1")
        before = page.locator("#standings tbody tr").count()
        places[6].play_to_the_end(rng)
        expect(page.locator("#top")).to_contain_text("14 games finished")
        assert page.locator("#standings tbody tr").count() >= before
        place(broker.port, "Table 0")
        expect(page.locator("#tables article h2").first).to_have_text("Table 0")
        broker.kill()
        expect(page.locator("#notes")).to_contain_text("does not answer")
        assert re.search(r"\d", page.inner_text("#standings"))
    finally:
        looking.close()
    assert looking.wrong == []
