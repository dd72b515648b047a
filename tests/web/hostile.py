"""Hostile requests: each comes from a seed and its number, so that it can be sent again.

python tests/web/hostile.py GAME SEED NUMBER      sends all up to that one, since what came before may matter
"""

import gc
import inspect
import json
import random
import re
import socket
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import evening_out
from at_the_door import BEARER, PIN, SETUP, House

import web
from companion.games import registry

PIG = Path(__file__).parents[2] / "examples/pig"
GAMES = {
    "shelter": {"setup": SETUP},
    "wasteland": {"setup": evening_out.TWO, "game": "wasteland"},
    "pig": {"setup": {"players": ["red", "blue"]}, "game": "pig"},
}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "G\u0415T")
DIGITS = ("9" * 5000, "9" * 400, "9" * 19, "-" + "9" * 5000, "1e400", "-1e308", "0x10", "0" * 300, "\u0663", "\u00b2")
SURROGATES = ("\ud800", "a\udfff", "\udcff" * 50)
TEXTS = (
    "", " ", "\0", "/a\nb: c", "/\r\nSet-Cookie: a=b", "/\ud800", "/" + "x" * 70_000, "y" * 5000 + ".jpg", "/?a#b",
    "..", "../../etc/passwd", "%00", "%2e%2e%2f", "//evil.example",
    "/\\evil.example", "\u202egnp", "\u017c\u00f3\u0142w", "\U0001f4a3" * 20, "x" * 200, "y" * 5000, "{{7*7}}",
    "<script>", "'\"`;--", "null", "true", "red", "blue", "1:R1a", "spawn", "0", "1", "-1", "1.5", *SURROGATES, *DIGITS,
)  # fmt: skip
HEADERS = (
    ("Origin", ("http://[", "http://", "null", "http://localhost", "http://[::1", "\u00fc", "x" * 5000)),
    ("Host", ("[", "[::1", "localhost:99999", "localhost:x", "a" * 300, "localhost", "127.0.0.1", "", "\u00e9")),
    ("Referer", ("http://[", "//", "http://localhost/host", "x" * 5000)),
    ("Last-Event-ID", (*DIGITS, "", "-", "7")),
    ("If-None-Match", ('"', '"1"', "W/", "*", '"' + "9" * 5000 + '"', ",,,,")),
    ("If-Modified-Since", ("", "Thu, 99 Foo 0000", "9" * 5000)),
    ("Accept-Language", ("pl", "xx-" * 300, "en;q=" + "9" * 500, "*;q=x", ";;;,,,", "en;q=1e999")),
    ("Accept", ("text/html", "text/html;q=" + "9" * 400, "*/*;" * 100, "/", "application/json")),
    (
        "Authorization",
        ("Bearer", "Bearer ", "Bearer \u00fc", "Basic " + "A" * 3000, "Bearer x", "x" * 5000, "bearer\t"),
    ),
    ("Cookie", ("companion=", "companion=e30.x", "phone=" + "." * 3000, "language=xx", "=;=;=", "companion=\x7f", "a")),
    ("Content-Length", ("-1", "9" * 50, "x", "0")),
    ("Range", ("bytes=" + "9" * 300 + "-", "bytes=-", "lines=1")),
    ("Sec-Fetch-Site", ("cross-site", "none", "same-origin", "")),
    ("X-Forwarded-For", ("\u00fc", "127.0.0.1")),
    ("Transfer-Encoding", ("chunked",)),
)
TYPES = (
    "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data",
    "text/plain", "", "application/json; charset=utf-99", "application/x-www-form-urlencoded; charset=utf-7",
    "\u00fc/x",
)  # fmt: skip
RAW = (b"", b"{", b"[", b"\xff\xfe", b"[" * 60_000, b'{"a":' * 3000, b"=&=&", b"%ED%A0%80=%ED%A0%80", b"a=%ZZ",
       b'--x\r\nContent-Disposition: form-data; name="pin"\r\n\r\n\xff\r\n--x--\r\n', b"--x\r\n", b"\0" * 70_000,
       b"&".join(b"a%d=b" % one for one in range(3000)), b'{"pin": "\\ud800"}', b'{"code": "\\udfff"}',
       b"&".join(b"a=b" for _ in range(1500)))  # fmt: skip
SMALL = ({"players": ["red", "blue"]}, {}, [], None, True, 0, 1.5, -1, "red", ["red"], {"red": {}}, [[1, 2]])


BEARERS = (("Authorization", "Bearer wrong"), ("Authorization", "Bearer " + "9" * 5000))


@dataclass(frozen=True)
class Case:
    """One request, and by whom it is sent."""

    who: str
    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def __str__(self):
        body = self.body if len(self.body) < 300 else self.body[:300] + b"..."
        return f"{self.who}: {self.method} {self.path[:300]!a} {str(self.headers)[:600]} {body!r}"


def names_in(text):
    """Return the names of fields and arguments that a route, a presenter or a template reads."""
    return set(re.findall(r'(?:get\(|getlist\(|raw\[|form\[|\bname=)"(\w+)"', text))


def all_names():
    root = Path(next(iter(web.__path__)))
    files = [*root.rglob("*.py"), *root.rglob("*.html")]
    return sorted(set().union(*(names_in(file.read_text(encoding="utf-8")) for file in files)))


class Attacker:
    """Makes the cases of a seed, for the routes that there are."""

    def __init__(self, house, seed):
        self.house = house
        self.seed = seed
        self.rules = sorted(
            (rule for rule in house.app.url_map.iter_rules()), key=lambda rule: (rule.rule, sorted(rule.methods or ()))
        )
        self.every_name = all_names()
        self.names_of = {}
        for endpoint, view in house.app.view_functions.items():
            own = sorted(names_in(inspect.getsource(view)))
            module = Path(sys.modules[view.__module__].__file__ or "").read_text(encoding="utf-8")
            self.names_of[endpoint] = [*own * 5, *sorted(names_in(module))]

    def case(self, number):
        """Return case `number`; it depends on nothing but the seed, and the moves that are legal now."""
        source = random.Random(f"{self.seed}/{number}")
        rule = source.choice(self.rules)
        meant = sorted((rule.methods or set(METHODS)) - {"HEAD", "OPTIONS"})
        method = source.choice(meant) if source.random() < 0.85 else source.choice(METHODS)
        path = "".join(self._part(source, part) for part in re.split(r"(<[^>]*>)", rule.rule))
        if source.random() < 0.4:
            path += "?" + "&".join(
                f"{self._name(source, rule)}={self._quoted(source, self._text(source))}"
                for _ in range(source.randint(1, 4))
            )
        headers = dict(source.choice(BEARERS) for _ in range(1)) if source.random() < 0.1 else {}
        for name, values in source.sample(HEADERS, source.choice((0, 0, 0, 1, 1, 2, 4))):
            headers[name] = source.choice(values)
        body = b""
        if method in ("POST", "PUT", "PATCH", "DELETE"):
            headers["Content-Type"], body = self._body(source, rule)
        who = source.choice(("nobody", "red", "host", "token", "token"))
        return Case(who, method, path, headers, body)

    def _name(self, source, rule):
        """Return a name that this route's module reads, or now and then that another one reads."""
        names = self.names_of.get(rule.endpoint)
        return source.choice(names if names and source.random() < 0.9 else self.every_name)

    def _part(self, source, part):
        if not part.startswith("<"):
            return part
        name = part.strip("<>").rpartition(":")[2]
        ids = [*self.house.record.games, "current"]
        known = {
            "colour": ["red", "blue", "pink"], "game": ids, "kind": ["json", "csv", "html", "journal", "fair", "x"],
            "name": ["x.jpg", "game-1-3.jpg"], "card": ["raider", "garden"],
        }  # fmt: skip
        if source.random() < 0.6:
            return str(source.choice(known.get(name, ["0", "1", "red", "quests", "step", "columns"])))
        return self._quoted(source, self._text(source))

    def _quoted(self, source, text):
        if source.random() < 0.1:
            return "%FF%ED%A0%80%ZZ"
        return quote(text.encode("utf-8", "surrogatepass"))

    def _text(self, source):
        return source.choice(TEXTS)

    def _value(self, source, depth=0):
        kind = source.random()
        if kind < 0.5 or depth > 3:
            return self._text(source)
        if kind < 0.65:
            return source.choice(SMALL)
        if kind < 0.7:
            return source.choice((10**17, -(10**17), 10**40, 1e300, 0.1, -0.0))
        if kind < 0.85:
            return [self._value(source, depth + 1) for _ in range(source.randint(0, 3))]
        return {self._text(source)[:150]: self._value(source, depth + 1) for _ in range(source.randint(0, 3))}

    def _move(self, source):
        """Return a legal move with something wrong in it, now and then nothing."""
        position = self.house.session.snapshots.latest.position
        legal = [] if position is None else position.rules.legal(position.game, frozenset({"red", "blue"}))
        move = dict(position.rules.write(source.choice(legal))) if legal and source.random() < 0.5 else {}
        if not move or source.random() < 0.2:
            does = (
                "spawn",
                "place",
                "pass",
                "choose",
                "use",
                "resolve",
                "rethrow",
                "recall",
                "correct",
                "undo",
                "redo",
            )
            move["do"] = source.choice(does)
        if move["do"] == "correct":
            move["set"] = self._correction(source)
        if source.random() < 0.8:
            keys = ("do", "by", "space", "dwellers", "use", "option", "id", "item", "to", "dice", "drawn", "if_version")
            move[source.choice(keys)] = self._value(source)
        return move

    def _correction(self, source):
        """Return a part of the state with something else at some place of it."""
        state = json.loads(json.dumps(self.house.state))
        at = state
        path = []
        while isinstance(at, dict | list) and at and (not path or source.random() < 0.8):
            key = source.choice(sorted(at)) if isinstance(at, dict) else source.randrange(len(at))
            path.append((at, key))
            at = at[key]
        if not path:
            return {}
        inside, key = path[-1]
        inside[key] = self._value(source)
        return {path[0][1]: state[path[0][1]]}

    def _body(self, source, rule):
        kind = source.random()
        if kind < 0.2:
            return source.choice(TYPES), source.choice(RAW)
        if rule.rule in ("/api/moves", "/moves"):
            raw = self._move(source)
        else:
            raw = {self._name(source, rule): self._value(source) for _ in range(source.randint(0, 4))}
        whole = json.dumps(raw).encode()
        if rule.rule == "/moves":
            return TYPES[1], b"move=" + quote(whole).encode() + b"&back=" + quote(
                self._text(source)[:99].encode("utf-8", "replace")
            ).encode()
        if kind < 0.6 or not isinstance(raw, dict):
            return TYPES[0], whole
        pairs = [f"{name}={self._quoted(source, str(value))}" for name, value in raw.items()]
        return TYPES[1], "&".join(pairs).encode()


class HostileError(AssertionError):
    """What a hostile request found, and how it is sent again."""

    def __init__(self, what, game, seed, number, case):
        super().__init__(f"{what}\n  {case}\nagain: python tests/web/hostile.py {game} {seed} {number}")


class Attack:
    """A house under attack by an attacker, and by readers of every kind."""

    def __init__(self, game, seed, folder):
        self.game, self.seed = game, seed
        self.house = House(folder)
        self.begin()
        self.attacker = Attacker(self.house, seed)
        self.clients = {who: self.house.client() for who in ("nobody", "token")}
        self.clients["red"] = self.house.seated("red")
        self.clients["host"] = self.house.client()
        assert self.clients["host"].post("/api/host/login", json={"pin": PIN}).status_code == 200
        self.house.app.log_exception = self._traced
        self.traces = []
        self.codes = {}

    def begin(self):
        answer = self.house.client().post("/api/host/games", json=GAMES[self.game], headers=BEARER)
        assert answer.status_code == 200, answer.text

    def _traced(self, exc_info):
        self.traces.append(f"{exc_info[0].__name__}: {str(exc_info[1])[:200]}")

    def send(self, number):
        """Send one, and look at what comes of it: an answer of the contract's shape, and a house that lives."""
        case = self.attacker.case(number)
        code, text = self._answered(case)
        self.codes[code] = self.codes.get(code, 0) + 1
        wrong = []
        if code >= 500 or self.traces:
            wrong.append(f"{code} {self.traces}")
        if "Traceback" in text:
            wrong.append("a traceback in the answer")
        if code >= 400 and case.method != "HEAD" and not text.startswith(("<!doctype html>", "<!DOCTYPE html>")):
            with suppress(ValueError):
                if set(json.loads(text)["error"]) >= {"code", "message", "fields"}:
                    text = ""
            if text:
                wrong.append(f"{code} without the shape of an error: {text[:200]!r}")
        if self.house.session.failure is not None or self.house.session.bugs.count:
            wrong.append(f"the session: {self.house.session.failure or 'a bug that was contained'}")
        if wrong:
            raise HostileError("; ".join(wrong), self.game, self.seed, number, case)
        self.house.now += 20  # wrong PINs are forgotten, so that all of them are looked at
        if number % 250 == 249 and self.house.state["game"] != GAMES[self.game].get("game", "shelter"):
            self.begin()

    def _answered(self, case):
        headers = dict(case.headers)
        if case.who == "token":
            headers.setdefault("Authorization", BEARER["Authorization"])
        answer = self.clients[case.who].open(case.path, method=case.method, headers=headers, data=case.body)
        with answer:
            if answer.is_streamed and case.method != "HEAD" and answer.mimetype == "text/event-stream":
                frames = iter(answer.response)
                next(frames)
                frames.close()
                return answer.status_code, ""
            return answer.status_code, answer.get_data().decode("utf-8", "replace")

    def run(self, count, at_once=1):
        """Send so many, one after the other or several at a time."""
        if at_once == 1:
            for number in range(count):
                self.send(number)
        else:
            with ThreadPoolExecutor(at_once) as phones:
                list(phones.map(self.send, range(count)))

    def close(self):
        self.house.close()


AT_HOME = b"Host: localhost\r\n"
MOVES = b"POST /api/moves HTTP/1.1\r\n" + AT_HOME
CHUNKED = MOVES + b"Transfer-Encoding: chunked\r\n\r\n"
LINES = (
    b"GET / HTTP/1.1\r\n" + AT_HOME + b"\r\n", b"GET /api/state HTTP/1.0\r\n\r\n", b"GET  / HTTP/1.1\r\n\r\n",
    b"\0\0\0\0\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET / HTTP/9.9\r\n" + AT_HOME + b"\r\n",
    MOVES + b"Content-Length: -5\r\n\r\n{}", MOVES + b"Content-Length: 99999999999999999999\r\n\r\n{}",
    MOVES + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    MOVES + b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\n",
    CHUNKED + b"ffffffffffffffff\r\n{}\r\n0\r\n\r\n", CHUNKED + b"zz\r\n{}\r\n0\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + AT_HOME + b"X: y\r\n" * 5000 + b"\r\n", b"GET /" + b"a" * 300_000 + b" HTTP/1.1\r\n\r\n",
    b"GET /%ff%fe HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n", b"GET http://[ HTTP/1.1\r\nHost: [\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", b"GET //evil.example/%2e%2e/ HTTP/1.1\r\n" + AT_HOME + b"\r\n",
    b"CONNECT a:1 HTTP/1.1\r\n" + AT_HOME + b"\r\n", b"\r\n" * 2000, b"GET",
)  # fmt: skip


def raw_bytes(base, seed, count):
    """Send bytes that are hardly HTTP to a server; raises with the number of those that are answered by 500."""
    where = urlsplit(base)
    for number in range(count):
        source = random.Random(f"raw/{seed}/{number}")
        lines = [source.choice(LINES) for _ in range(source.randint(1, 3))] if number >= len(LINES) else [LINES[number]]
        sent = bytearray(b"".join(lines))
        for _ in range(source.choice((0, 0, 1, 5, 50)) if number >= len(LINES) else 0):
            sent[source.randrange(len(sent))] = source.randrange(256)
        answer = b""
        with socket.create_connection((where.hostname, where.port), 10) as phone, suppress(OSError):
            phone.sendall(bytes(sent[: source.choice((len(sent), len(sent), len(sent) // 2))]))
            phone.shutdown(socket.SHUT_WR)
            while got := phone.recv(65536):
                answer += got
        if b"HTTP/1.1 500" in answer or b"HTTP/1.0 500" in answer or b"Traceback" in answer:
            raise AssertionError(f"bytes {number} of seed {seed}: {bytes(sent[:300])!r} are answered {answer[:300]!r}")


def resident():
    """Return the megabytes of memory that are in use."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def leftovers():
    """Return what must not grow: threads, open files, temporary files."""
    gc.collect()
    return (
        threading.active_count(),
        len(list(Path("/proc/self/fd").iterdir())),
        len(list(Path(tempfile.gettempdir()).glob("tmp*"))),
    )


def with_pig():
    """Add the game of pig, whose pages are those of every game without pages of its own."""
    sys.path.insert(0, str(PIG))
    return registry.add("pig:Pig")


def main():
    game, seed, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if game == "pig":
        with_pig()
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(game, seed, Path(folder) / "data")
        attack.run(number + 1)
        attack.close()
    sys.stdout.write(f"{number + 1} requests: {attack.codes}\n")


if __name__ == "__main__":
    main()
