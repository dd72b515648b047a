import hashlib
import re
import stat
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from at_the_door import BEARER, PIN, House

from companion.refusal import Refusal
from web.base import access
from web.base.access import Access, session_key
from web.base.guard import is_ours
from web.base.limits import BURST


def code_of(answer):
    return answer.status_code, answer.json["error"]["code"]


def test_a_code_works_once(house):
    code = house.access.code("red")
    assert house.client().post("/api/seats/red/claim", json={"code": f" {code.lower()} "}).json == {"seat": "red"}
    assert code_of(house.client().post("/api/seats/red/claim", json={"code": code})) == (403, "wrong_code")
    assert not house.access.is_free("red")
    assert code_of(house.client().post("/api/seats/red/claim", json={})) == (400, "malformed")
    assert code_of(house.client().post("/api/seats/pink/claim", json={"code": code})) == (404, "no_such_seat")


def test_a_taken_seat_moves_with_the_next_code(house):
    house.start()
    old = house.seated("red")
    new = house.seated("red")
    assert code_of(house.tap(old, do="pass", by="red")) == (401, "no_seat")
    assert house.tap(new, do="pass", by="red").status_code == 200


def test_a_code_that_was_shown_before_a_seat_was_given_up_takes_it_no_more(house):
    red = house.seated("red")
    shown = house.access.code("red")
    assert red.post("/api/seats/red/release").status_code == 200
    assert code_of(house.client().post("/api/seats/red/claim", json={"code": shown})) == (403, "wrong_code")
    assert house.access.is_free("red")


def test_one_phone_may_hold_several_seats(house):
    house.start()
    both = house.seated("red", "blue")
    assert house.tap(both, do="pass", by="red").status_code == 200
    assert house.tap(both, do="pass", by="blue").status_code == 200


def test_a_seat_is_given_up_by_its_phone_or_the_host(house):
    red = house.seated("red")
    assert code_of(house.client().post("/api/seats/red/release")) == (401, "no_seat")
    assert code_of(house.seated("blue").post("/api/seats/red/release")) == (403, "not_yours")
    assert red.post("/api/seats/red/release").json == {"seat": "red"}
    assert house.access.is_free("red")
    assert house.client().post("/api/seats/blue/release", headers=BEARER).status_code == 200
    assert house.access.is_free("blue")


def test_seats_and_key_outlive_a_start_and_no_secret_is_kept(tmp_path):
    house = House(tmp_path)
    red = house.seated("red")
    cookie = red.get_cookie("companion").value
    code = house.access.code("red")
    house.close()
    again = House(tmp_path)
    again.start()
    client = again.client()
    client.set_cookie("companion", cookie)
    assert again.tap(client, do="pass", by="red").status_code == 200
    kept = "".join(path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file())
    assert PIN not in kept
    assert code not in kept
    for private in ("session.key", "seats.json"):
        assert stat.S_IMODE((tmp_path / private).stat().st_mode) == 0o600
    again.close()


def test_a_forged_cookie_opens_nothing(house):
    house.start()
    client = house.client()
    client.set_cookie("companion", "eyJob3N0Ijp0cnVlfQ.aaaa.bbbb")
    assert code_of(house.tap(client, do="pass", by="red")) == (401, "no_seat")


def test_guessing_is_slow(house):
    client = house.client()
    for _ in range(5):
        assert code_of(client.post("/api/host/login", json={"pin": "111111"})) == (403, "wrong_pin")
    answer = client.post("/api/host/login", json={"pin": PIN})
    assert code_of(answer) == (429, "too_many_tries")
    assert 0 < int(answer.headers["Retry-After"]) <= 61
    house.now += 61
    assert client.post("/api/host/login", json={"pin": PIN}).status_code == 200


def at(address):
    return {"environ_base": {"REMOTE_ADDR": address}}


def test_guessing_from_many_addresses_is_slow_and_keeps_nobody_else_out(house):
    """Thirty wrong PINs in a minute leave one try to each address; whoever has not guessed is let in by the first."""
    for number in range(6):
        for _ in range(5):
            house.client().post("/api/host/login", json={"pin": "111111"}, **at(f"10.0.0.{number}"))
    client = house.client()
    assert code_of(client.post("/api/host/login", json={"pin": "1"}, **at("10.1.1.2"))) == (403, "wrong_pin")
    assert code_of(client.post("/api/host/login", json={"pin": PIN}, **at("10.1.1.2"))) == (429, "too_many_tries")
    assert client.post("/api/host/login", json={"pin": PIN}, **at("10.1.1.1")).status_code == 200
    assert client.post("/api/host/login", json={"pin": PIN}, **at("10.1.1.1")).status_code == 200


def test_pin_and_codes_are_counted_apart(house):
    client = house.client()
    for _ in range(5):
        client.post("/api/host/login", json={"pin": "111111"})
    assert client.post("/api/seats/red/claim", json={"code": house.access.code("red")}).status_code == 200
    other = house.client()
    for _ in range(5):
        assert other.post("/api/seats/blue/claim", json={"code": "X"}).status_code == 403
    assert code_of(other.post("/api/seats/blue/claim", json={"code": house.access.code("blue")}))[0] == 429


def test_a_phone_that_was_let_in_is_not_kept_out_by_who_guesses_behind_its_address(house):
    red, host, guessing = house.seated("red"), house.client(), house.client()
    assert host.post("/api/host/login", json={"pin": PIN}).status_code == 200
    for _ in range(40):
        guessing.post("/api/host/login", json={"pin": "111111"})
        guessing.post("/api/seats/blue/claim", json={"code": "X"})
    assert red.post("/api/host/login", json={"pin": PIN}).status_code == 200
    assert host.post("/api/host/login", json={"pin": PIN}).status_code == 200
    assert host.post("/api/seats/blue/claim", json={"code": house.access.code("blue")}).status_code == 200


def test_a_hundred_pins_at_once_are_no_more_than_five(house, monkeypatch):
    """A try is counted before it is looked at, and no more than two are looked at together."""
    at_once, most, looked_at, counted = 0, 0, 0, threading.Lock()
    together = threading.Barrier(72)
    hashed = hashlib.scrypt

    def scrypt(*secret, **options):
        nonlocal at_once, most, looked_at
        with counted:
            at_once, looked_at = at_once + 1, looked_at + 1
            most = max(most, at_once)
        try:
            return hashed(*secret, **options)
        finally:
            with counted:
                at_once -= 1

    monkeypatch.setattr(access, "COST", 1 << 12)
    monkeypatch.setattr(hashlib, "scrypt", scrypt)

    def guess(number):
        together.wait()
        return house.client().post("/api/host/login", json={"pin": f"{number:06}"}).status_code

    with ThreadPoolExecutor(72) as phones:
        answers = Counter(phones.map(guess, range(72)))
    assert answers == {403: 5, 429: 67}
    assert looked_at == 5
    assert most <= 2


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:81"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_changes_come_from_our_own_pages(house, headers):
    house.start()
    red = house.seated("red")
    answer = red.post("/api/moves", json={"do": "pass", "by": "red"}, headers=headers)
    assert code_of(answer) == (403, "foreign_origin")
    with_token = house.client().post("/api/moves", json={"do": "pass", "by": "red"}, headers={**BEARER, **headers})
    assert code_of(with_token) == (403, "foreign_origin")
    assert red.post("/api/moves", json={"do": "pass"}, headers={"Origin": "http://localhost"}).status_code == 200
    typed = {"Sec-Fetch-Site": "none"}  # an address that somebody typed, or a script of their own
    assert red.post("/api/seats/red/release", headers=typed).status_code == 200


def test_only_our_own_names_are_answered(house):
    client = house.client()
    assert code_of(client.get("/api/state", headers={"Host": "evil.example"})) == (403, "foreign_host")
    assert client.get("/api/state", headers={"Host": "table.local:8000"}).status_code == 200
    assert is_ours("192.168.1.7:8000", frozenset())
    assert is_ours("[::1]:8000", frozenset())
    assert not is_ours("192.168.1.7.evil.example", frozenset())
    assert not is_ours("[", frozenset())


@pytest.mark.parametrize("host", ["table.local.", "table.local.:8000", "TABLE.local", "localhost.", "192.168.1.7."])
def test_a_name_of_ours_is_ours_however_it_is_written(house, host):
    """A final dot only says that the name is whole; a browser sends it as it was typed."""
    headers = {"Host": host}
    assert house.client().get("/api/state", headers=headers).status_code == 200
    headers["Origin"] = f"http://{host}"
    answer = house.client().post("/api/host/login", json={"pin": PIN}, headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/", "/host", "/table", "/api/state", "/static/table.css", "/nowhere"])
def test_every_answer_says_what_a_browser_may_do_with_it(house, path):
    """Nobody frames our pages, sends our forms elsewhere, or has our files read as something else."""
    with house.client().get(path) as answer:
        headers = answer.headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["default-src"] == "'none'"
    assert policy["form-action"] == policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


SCRIPTS = re.compile(r"<script.*?</script>", re.DOTALL)


def test_pages_load_nothing_from_elsewhere_and_hold_no_inline_script_or_style(house):
    house.start()
    for path in ("/", "/seat/red", "/table", "/host", "/join", "/history"):
        answer = house.client().get(path, headers=BEARER)
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "http://" not in answer.text.replace("http://localhost", "").replace("http://www.w3.org", "")
        assert " style=" not in answer.text
        assert "<style" not in answer.text
        assert " onclick" not in answer.text
        assert re.fullmatch(
            r'(<script defer src="/static/[a-z/]+\.js\?v=[0-9a-f]{8}"></script>)+',
            "".join(SCRIPTS.findall(answer.text)),
        )
        assert answer.headers["Cache-Control"] == "no-store"


def test_the_state_holds_no_secret(house):
    house.start()
    text = house.client().get("/api/state").text + house.client().get("/metrics").text
    assert house.access.code("red") not in text
    assert PIN not in text


def test_the_language_goes_back_to_our_own_pages_alone(house):
    client = house.client()
    for back in ("//evil.example", "/\\evil.example", "https://evil.example"):
        assert client.post("/language", data={"language": "pl", "back": back}).headers["Location"] == "/"
    assert client.post("/language", data={"language": "pl", "back": "/join"}).headers["Location"] == "/join"
    assert 'lang="pl"' in client.get("/").text
    assert code_of(client.post("/language", data={"language": "xx"})) == (400, "malformed")


def test_a_disk_that_takes_no_seat_is_told(tmp_path):
    session_key(tmp_path)
    access = Access(tmp_path, PIN)
    (tmp_path / "seats.json.new").mkdir()
    with pytest.raises(Refusal, match="cannot be written"):
        access.claim("red", access.code("red"))
    assert access.is_free("red")
    (tmp_path / "seats.json").write_text("[]")
    assert Access(tmp_path, PIN).is_free("red")


def test_only_who_logs_in_or_takes_a_seat_is_given_a_cookie(house):
    """An answer to what was asked before a login would write the cookie of before over the login's."""
    client = house.seated("red")
    for path in ("/", "/seat/red", "/host", "/api/state"):
        assert "Set-Cookie" not in client.get(path).headers
    assert "companion=" in client.post("/api/host/login", json={"pin": PIN}).headers["Set-Cookie"]


def test_a_page_that_answers_a_form_leads_back_to_where_the_form_was(house):
    reader = {"Accept": "text/html", "Referer": "http://localhost/host"}
    page = house.client().post("/api/host/login", data={"pin": "000000"}, headers=reader).text
    assert 'name="back" value="/host"' in page
    assert 'href="/host">' in page
    elsewhere = {"Accept": "text/html", "Referer": "http://elsewhere.example/host"}
    page = house.client().post("/api/host/login", data={"pin": "000000"}, headers=elsewhere).text
    assert 'name="back" value="/"' in page


@pytest.mark.parametrize("days", [-400, -0.05, 100])
def test_seat_and_host_stay_whatever_the_clock_says(house, monkeypatch, days):
    """A Pi has no battery for its clock: it starts in the past, and jumps when a network tells it the date."""
    house.start()
    client = house.seated("red")
    assert client.post("/api/host/login", json={"pin": PIN}).status_code == 200
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + days * 86400)
    assert house.tap(client, do="pass", by="red").status_code == 200
    assert client.post("/api/host/freeze", json={}).status_code == 200


def test_a_cookie_ends_by_the_phones_own_clock(house):
    answer = house.client().post("/api/host/login", json={"pin": PIN})
    (cookie,) = answer.headers.getlist("Set-Cookie")
    assert "Max-Age=34560000" in cookie  # where it stands, browsers pass over `Expires` and its date
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


@pytest.mark.parametrize("cookie", ["", "x", "e30.x", "eyJhIjoxfQ.aR0xYw.c2ln", "."])
def test_a_cookie_that_is_not_ours_is_nobodys(house, cookie):
    client = house.client()
    client.set_cookie("companion", cookie)
    assert client.get("/host").status_code == 200
    assert code_of(house.tap(client, do="pass", by="red")) == (401, "no_seat")


def test_a_seat_has_a_pace_and_the_host_has_none(house):
    """Taking turns at correcting two things of its own, a seat wrote 51 MB in 7 seconds."""
    house.start()
    red = house.seated("red")
    before = house.state["version"]
    answers = Counter(
        house.tap(red, do="correct", by="red", set={"players": {"red": {"happiness": number % 5}}}).status_code
        for number in range(400)
    )
    assert set(answers) == {200, 429}
    assert house.state["version"] - before <= BURST
    refused = house.tap(red, do="pass", by="red")
    assert code_of(refused) == (429, "too_many_moves")
    assert int(refused.headers["Retry-After"]) >= 1
    assert house.tap(house.seated("blue"), do="correct", by="blue", set={}).status_code == 200
    assert house.tap(None, do="pass", by="red").status_code == 200
    house.now += 2
    assert house.tap(red, do="correct", by="red", set={}).status_code == 200
    large = {"players": {"red": {"name": "x" * 20_000}}}
    assert code_of(house.tap(red, do="correct", by="red", set=large)) == (413, "too_large")


def test_a_large_move_takes_as_much_as_several(house):
    house.start()
    red = house.seated("red")
    large = {"players": {"red": {"items": ["x" * 10] * 700}}}
    answers = [house.tap(red, do="correct", by="red", set=large).status_code for _ in range(60)]
    assert answers.count(429) > 20
    house.now += 1000
    assert house.tap(red, do="pass", by="red").status_code == 200
