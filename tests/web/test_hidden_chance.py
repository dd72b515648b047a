"""While a game runs no address tells its seed or a deck to come: every GET route is walked, by everybody."""

import json
import re

import evening_out
import pytest
from at_the_door import BEARER, PIN, SETUP

from companion.table.record.export import FORMATS, as_journal
from companion.table.session.intents import StartGame

SEED = "seed-9f3c61d2ab"
RUN = 5
"""So many cards to come in their order are no accident."""
GAMES = {"shelter": SETUP, "wasteland": evening_out.TWO}


def begin(house, plays):
    house.session.ask(StartGame(GAMES[plays], plays, seed=SEED)).result(30)
    return house.state["id"]


def orders(house, game):
    """Every order to come, as numbers and, where cards have names, by name."""
    first = house.record.entries(game)[0].body
    found = [list(map(str, order)) for order in first["chance"]["shuffled"] if len(order) > RUN * 2]
    position = house.session.snapshots.latest.position.game
    if first["plays"] == "shelter":
        found += [
            [position.box.names[pile][card] for card in reversed(deck)] for pile, deck in enumerate(position.decks)
        ]
    else:
        found.append([position.box.agendas[card].id for card in reversed(position.agendas.cards)])
    assert all(len(order) >= RUN for order in found)
    return found


def tells(text, order):
    """Whether the next cards stand there one behind the other, in whichever direction and however they are divided."""
    return any(
        re.search(r"(?<![\w-])" + r'["\'\s,;]+'.join(map(re.escape, ends[:RUN])) + r"(?![\w-])", text)
        for ends in (order, order[::-1], order[-RUN:], order[RUN - 1 :: -1])
    )


def told(house, game, text):
    return [SEED for _ in [0] if SEED in text] + [order[:RUN] for order in orders(house, game) if tells(text, order)]


def addresses(house, game):
    """Every address that answers to GET, with all the kinds that an export has."""
    fills = {"colour": SETUP["players"], "game": [game], "kind": [*FORMATS, "agendas"], "step": ["1"]}
    with house.app.test_request_context():
        for rule in house.app.url_map.iter_rules():
            if "GET" not in rule.methods or rule.endpoint in ("static", "calibrate.film"):
                continue
            found = [rule.rule]
            for name in rule.arguments:
                marks = [f"<{name}>", f"<int:{name}>", f"<path:{name}>"]
                mark = next(mark for mark in marks if mark in rule.rule)
                found = [path.replace(mark, value) for path in found for value in fills.get(name, ["0"])]
            yield from found


def read(client, path, headers):
    answer = client.get(path, headers=headers)
    if path != "/api/events":
        return answer.data.decode("utf-8", "replace")
    frames = iter(answer.response)
    text = next(frames).decode()
    frames.close()
    return text


def readers(house, plays):
    host = house.client()
    assert host.post("/api/host/login", json={"pin": PIN}).status_code == 200
    seats = [(house.seated(colour), {}) for colour in GAMES[plays]["players"]]
    return [(house.client(), {}), *seats, (host, {}), (host, {"Accept-Language": "pl"}), (house.client(), BEARER)]


def leaks(house, plays, game):
    return [
        (path, secret)
        for client, headers in readers(house, plays)
        for path in addresses(house, game)
        for secret in told(house, game, read(client, path, headers))
    ]


@pytest.mark.long
@pytest.mark.parametrize("plays", GAMES)
def test_a_running_game_tells_neither_its_seed_nor_its_decks(house, plays):
    game = begin(house, plays)
    assert any(told(house, game, as_journal(house.record.entries(game)))), "what is looked for can be found"
    assert len(set(addresses(house, game))) > 40
    assert leaks(house, plays, game) == []


@pytest.mark.parametrize("plays", GAMES)
def test_a_game_that_was_put_away_keeps_its_secrets(house, plays):
    game = begin(house, plays)
    secrets = orders(house, game)
    house.start()
    for headers in ({}, BEARER):
        answer = house.client().get(f"/history/{game}.journal", headers=headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (409, "secret_until_over")
        for kind in ("json", "csv", "html"):
            text = house.client().get(f"/history/{game}.{kind}", headers=headers).text
            assert SEED not in text
            assert not any(tells(text, order) for order in secrets)


@pytest.mark.parametrize("plays", GAMES)
def test_the_journal_is_everybodys_after_the_end(house, plays):
    game = begin(house, plays)
    page = house.client().get("/history").text
    assert (f"{game}.journal" in page, "the journal after the end" in page) == (False, True)
    finish(house, plays)
    answer = house.client().get(f"/history/{game}.journal")
    assert answer.status_code == 200
    assert json.loads(answer.text.splitlines()[0])["seed"] == SEED
    page = house.client().get("/history").text
    assert (f"{game}.journal" in page, "the journal after the end" in page) == (True, False)
    house.tap(None, do="undo")
    assert house.client().get(f"/history/{game}.journal").status_code == 409


def finish(house, plays):
    if plays == "shelter":
        house.tap(None, do="correct", set={"last_round": True})
    else:
        house.tap(None, do="result", by="red", results=["power star 7"])
    while house.state["phase"] != "over":
        moves = evening_out.moves_of(house)
        move = next((move for move in moves if move["do"] in ("choose", "place", "pass")), moves[0])
        answer = house.tap(None, **move)
        assert answer.status_code == 200, answer.json


@pytest.mark.parametrize("language", ["en", "pl", "ru"])
def test_the_host_waits_with_the_backup_too_and_is_told_why(house, language):
    begin(house, "shelter")
    client = house.client()
    client.post("/api/host/login", json={"pin": PIN})
    answer = client.get("/api/host/backup", headers={"Accept-Language": language})
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "secret_until_over")
    page = client.get("/host/record", headers={"Accept-Language": language}).text
    assert "companion backup" in page
    assert "/api/host/backup" not in page
    finish(house, "shelter")
    assert client.get("/api/host/backup").status_code == 200
    assert "/api/host/backup" in client.get("/host/record").text
