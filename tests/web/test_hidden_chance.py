"""While a game runs no address tells its secret or a deck to come: every GET route is walked, by everybody."""

import base64
import json
import random
import re
import threading
import zipfile

import evening_out
import pytest
from at_the_door import BEARER, PIN, SETUP

from companion.app.config import Config
from companion.commands.doctor import write_bundle
from companion.fair.promise import promise_of
from companion.languages.catalogues import codes
from companion.network.broker_settings import Broker, Mqtt
from companion.network.publisher import Publisher
from companion.table.record.export import FORMATS, as_journal
from companion.table.session.intents import StartGame

RUN = 5
"""So many cards to come in their order are no accident."""
GAMES = {"shelter": SETUP, "wasteland": evening_out.TWO}


@pytest.fixture
def house(make_house):
    """Its chance is promised: what the walks look for is the secret behind the promise."""
    return make_house(promised=True)


def begin(house, plays):
    house.session.ask(StartGame(GAMES[plays], plays, number="5" * 32)).result(30)
    game = house.state["id"]
    assert house.state["fair"]["promise"] == promise_of(secret_of(house, game))
    return game


def secret_of(house, game):
    return house.record.entries(game)[0].body["seed"]


def secrets_of(house, game):
    """The secret of this game and that of the next one, in every form in which it could be told."""
    for secret in (secret_of(house, game), json.loads((house.folder / "promise.json").read_text())["secret"]):
        raw = bytes.fromhex(secret)
        yield from (secret, secret.upper(), base64.b64encode(raw).decode(), base64.urlsafe_b64encode(raw).decode())
        yield from (repr(raw), str(list(raw)), str(int(secret, 16)))


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


def told(house, game, text, to_come=None):
    """The secrets and the orders that stand in a text; `to_come`: orders that somebody has already."""
    found = orders(house, game) if to_come is None else to_come
    return [secret for secret in secrets_of(house, game) if secret in text] + [
        order[:RUN] for order in found if tells(text, order)
    ]


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


def hands(house, plays, but=None):
    """The cards in hands that only their owners may read, by id and by name."""
    if plays == "shelter":
        return []
    hidden = evening_out.hidden(evening_out.game_of(house))
    return sorted(evening_out.names(house, {one for seat, ids in hidden.items() if seat != but for one in ids}))


def in_hands(text, cards):
    return [card for card in cards if re.search(rf"(?<![\w-]){re.escape(card)}(?![\w-])", text)]


@pytest.mark.long
@pytest.mark.parametrize("plays", GAMES)
def test_a_running_game_tells_neither_its_secret_nor_its_decks(house, plays):
    game = begin(house, plays)
    assert any(told(house, game, as_journal(house.record.entries(game)))), "what is looked for can be found"
    assert len(set(addresses(house, game))) > 40
    assert leaks(house, plays, game) == []


CATALOGUES = ("/wasteland/cards", "/host/cards", "/rules")
"""Addresses that list the cards of the box, whoever holds them."""


def outcomes(house, plays, game, client, headers, but):
    """What leaked to one reader at one moment, by address."""
    to_come, secret_cards = orders(house, game), hands(house, plays, but)
    for path in addresses(house, game):
        text = read(client, path, headers)
        yield from ((path, secret) for secret in told(house, game, text, to_come))
        if not path.startswith(CATALOGUES):
            yield from ((path, card) for card in in_hands(text, secret_cards))


@pytest.mark.long
@pytest.mark.parametrize("plays", GAMES)
def test_every_route_at_every_stage_tells_nobody_what_is_hidden(house, plays, capfd):
    """As nobody, each seat, the host and a script: secrets, decks to come and others' hands; what is logged too."""
    game = begin(house, plays)
    seated = [(house.seated(colour), {}, colour) for colour in GAMES[plays]["players"]]
    host = house.client()
    host.post("/api/host/login", json={"pin": PIN})
    own = []
    for number, _ in enumerate(evening_out.wander(house, 1, 60)):
        if house.state["phase"] == "over":
            break
        if number % 30 == 17:
            for client, headers, but in (
                *seated,
                (house.client(), {}, None),
                (host, {}, None),
                (house.client(), BEARER, None),
            ):
                assert list(outcomes(house, plays, game, client, headers, but)) == [], (number, but)
            for client, _, colour in seated:
                mine = set(hands(house, plays)) - set(hands(house, plays, colour))
                own += [in_hands(read(client, f"/seat/{colour}", {}), mine)] if mine else []
    assert all(own), "what is looked for can be found"
    assert bool(own) == (plays == "wasteland")
    said = capfd.readouterr()
    assert told(house, game, said.out + said.err) == []
    assert in_hands(said.out + said.err, hands(house, plays)) == []


class Carrying:
    """A link that keeps all that is handed over to the broker, and acknowledges it."""

    def __init__(self, published):
        self.published, self.sent, self.newer = published, [], threading.Condition()

    def publish(self, topic, payload, **_):
        with self.newer:
            self.sent.append((topic, payload))
            self.newer.notify_all()
        self.published.acknowledged(len(self.sent), None)
        return len(self.sent)

    def until_answered(self, times):
        with self.newer:
            assert self.newer.wait_for(lambda: len(self.answered()) >= times, 30)

    def answered(self):
        return [topic for topic, _ in self.sent if topic.endswith("/answer")]

    def latest(self):
        """What was sent last, of each topic one."""
        return "\n".join(dict(self.sent).values())

    def start(self):
        pass

    stop = start


@pytest.mark.parametrize("plays", GAMES)
def test_what_a_broker_and_a_league_are_told(house, plays):
    """Every topic: state, events, results, discovery, and the answers to commands, allowed and refused."""
    published = Publisher(house.session, Mqtt(Broker("127.0.0.1", 1), "table", allow_commands=True), say=str)
    link = published._link = Carrying(published)
    published.start()
    published.up(None)
    game = begin(house, plays)
    source = random.Random(3)
    for number in range(40):
        move = source.choice(evening_out.moves_of(house)) if number % 5 else {"do": "claim", "by": "red"}
        published.heard("companion/table/command", json.dumps(move).encode(), retained=False, data=b"")
        link.until_answered(number + 1)
        assert told(house, game, link.latest()) == []
        assert in_hands(link.latest(), hands(house, plays)) == []
        if house.state["phase"] == "over":
            break
    assert told(house, game, "\n".join(text for _, text in link.sent)) == []
    topics = {topic.rpartition("/")[2] for topic, _ in link.sent}
    assert {"state", "event", "results", "availability", "answer"} <= topics
    published.close()


@pytest.mark.parametrize("plays", GAMES)
def test_the_bundle_of_a_game_that_is_not_over(house, plays, tmp_path):
    """It is sent by somebody who may be playing."""
    game = begin(house, plays)
    for _ in evening_out.wander(house, 5, 20):
        pass
    held = write_bundle(tmp_path / "bundle.zip", Config(data=house.folder), {}, pictures=False)
    assert "1 games (1 not over: no seed, deck or hand)" in held
    assert told(house, game, contents(tmp_path / "bundle.zip")) == []
    assert in_hands(contents(tmp_path / "bundle.zip"), hands(house, plays)) == []
    write_bundle(tmp_path / "all.zip", Config(data=house.folder), {}, pictures=False, hidden=True)
    assert secret_of(house, game) in contents(tmp_path / "all.zip")
    finish(house, plays)
    write_bundle(tmp_path / "over.zip", Config(data=house.folder), {}, pictures=False)
    assert secret_of(house, game) in contents(tmp_path / "over.zip")


def contents(path):
    with zipfile.ZipFile(path) as bundle:
        return "\n".join(bundle.read(name).decode("utf-8", "replace") for name in bundle.namelist())


@pytest.mark.parametrize("plays", GAMES)
def test_a_game_that_was_put_away_keeps_its_secrets(house, plays):
    game = begin(house, plays)
    secrets = orders(house, game)
    house.start()
    for headers in ({}, BEARER):
        answer = house.client().get(f"/history/{game}/fair", headers=headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (409, "secret_until_over")
        answer = house.client().get(f"/history/{game}.journal", headers=headers)
        assert (answer.status_code, answer.json["error"]["code"]) == (409, "secret_until_over")
        for kind in ("json", "csv", "html"):
            text = house.client().get(f"/history/{game}.{kind}", headers=headers).text
            assert not any(secret in text for secret in secrets_of(house, game))
            assert not any(tells(text, order) for order in secrets)


@pytest.mark.parametrize("plays", GAMES)
def test_the_journal_is_everybodys_after_the_end(house, plays):
    game = begin(house, plays)
    page = house.client().get("/history").text
    assert (f"{game}.journal" in page, "the journal after the end" in page) == (False, True)
    finish(house, plays)
    answer = house.client().get(f"/history/{game}.journal")
    assert answer.status_code == 200
    assert promise_of(json.loads(answer.text.splitlines()[0])["seed"]) == house.state["fair"]["promise"]
    page = house.client().get("/history").text
    assert (f"{game}.journal" in page, "the journal after the end" in page) == (True, False)
    house.tap(None, do="undo")
    assert house.client().get(f"/history/{game}.journal").status_code == 409


def finish(house, plays):
    if plays == "shelter":
        house.tap(None, do="correct", set={"last_round": True})
    else:
        while house.state["pending"]:
            answer_one(house)
        answer = house.tap(None, do="result", by="red", results=["power star 7"])
        assert answer.status_code == 200, answer.json
    for _ in range(500):
        if house.state["phase"] == "over":
            return
        answer_one(house)
    raise AssertionError("the game does not end")


def answer_one(house):
    """Answer what is open, or place or pass. Who may be done is: a trade in a camp may begin again and again."""
    moves = [move for move in evening_out.moves_of(house) if move["do"] in ("choose", "place", "pass")]
    move = next((move for move in moves if move.get("option") == "done"), (moves or evening_out.moves_of(house))[0])
    answer = house.tap(None, **move)
    assert answer.status_code == 200, (move, answer.json)


@pytest.mark.parametrize("language", codes())
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
