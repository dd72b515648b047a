"""From the owner's box to the first turn, as four people tap it: every tap and every typed letter is counted.

Only what stands on a page can be tapped, and only a form's own fields are sent. What the hands do meanwhile with cards
and map is not counted; a tap is counted with the time in which somebody reads, decides and finds it.
"""

import re
import time
from dataclasses import dataclass, field
from html.parser import HTMLParser

from at_the_door import BEARER

SECONDS_OF_A_TAP = 3.0
SECONDS_OF_A_LETTER = 0.4
FOUR = {"red": "Ada", "blue": "Błażej", "green": "Chloé", "yellow": "Дима"}


class FormsOfPage(HTMLParser):
    """The forms of a page with their fields as a browser would send them, and its links."""

    def __init__(self, page):
        super().__init__()
        self.forms, self.links, self._select = [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "a":
            self.links.append(found.get("href"))
        if tag == "form":
            self.forms.append({"action": found.get("action", ""), "fields": {}, "buttons": [], "offers": {}})
        if not self.forms:
            return
        form, name = self.forms[-1], found.get("name")
        if tag == "select":
            self._select = name
        if tag == "option" and ("selected" in found or self._select not in form["fields"]):
            form["fields"][self._select] = found.get("value", "")
        if tag == "button":
            form["buttons"].append((name, found.get("value", ""), found.get("id")))
        if tag == "input" and name:
            kind, value = found.get("type", "text"), found.get("value", "on")
            form["offers"].setdefault(name, set()).add(value)
            if kind not in ("checkbox", "radio") or "checked" in found:
                form["fields"][name] = value if kind in ("checkbox", "radio", "hidden") else found.get("value", "")


@dataclass
class Thumb:
    """Somebody with a phone."""

    client: object
    page: str = ""
    taps: int = 0
    letters: int = 0
    served: float = 0.0
    said: list = field(default_factory=list)

    def _shown(self, answer):
        while answer.status_code in (302, 303):
            answer = self.client.get(answer.headers["Location"])
        assert answer.status_code == 200, answer.text[:300]
        self.page = answer.text

    def _ask(self, ask):
        began = time.perf_counter()
        self._shown(ask())
        self.served += time.perf_counter() - began

    def open(self, path):
        """Come to a page without a tap: it is where one is."""
        self._ask(lambda: self.client.get(path))

    def follow(self, path):
        """Tap a link of the page."""
        assert path in FormsOfPage(self.page).links, path
        self.taps += 1
        self._ask(lambda: self.client.get(path))

    def send(self, action, button=None, *, post=True, **said):
        """Fill in a form of the page, a tap for every field and its letters, and tap its button."""
        form = next(one for one in FormsOfPage(self.page).forms if one["action"] == action)
        fields = dict(form["fields"])
        for name, value in said.items():
            offered = form["offers"][name]
            if fields.get(name) == value:
                continue
            self.taps += 1
            if value not in offered:
                self.letters += len(value)
            fields[name] = value
        if button is not None:
            assert any((name, value) == button for name, value, _ in form["buttons"]), button
            fields[button[0]] = button[1]
        self.taps += 1
        self._ask(
            lambda: self.client.post(action, data=fields) if post else self.client.get(action, query_string=fields)
        )

    @property
    def seconds(self):
        return self.taps * SECONDS_OF_A_TAP + self.letters * SECONDS_OF_A_LETTER + self.served


def evening(house):
    """Play from a table that knows no card to the first turn of four; return all thumbs."""
    host = Thumb(house.client())
    host.client.environ_base["HTTP_AUTHORIZATION"] = BEARER["Authorization"]
    host.open("/host")
    host.follow("/wasteland/cards")
    host.send("/wasteland/cards/begin", ("pack", "box"))
    host.follow("/host")
    host.follow("/start?game=wasteland")
    who = {f"plays_{colour}": "on" for colour in FOUR} | {f"name_{colour}": name for colour, name in FOUR.items()}
    host.send("/start", ("step", "scenario"), post=False, **who)
    host.send("/start", ("step", "cards"), post=False)
    host.send("/start", ("step", "more"), post=False)
    host.send("/start", post=True)
    phones = {colour: Thumb(house.seated(colour), taps=2) for colour in FOUR}  # the code is scanned, the seat taken
    while house.state["phase"] == "setup":
        choice = house.state["pending"][0]
        phone = phones[choice["by"] or house.state["first"]]
        phone.open(f"/seat/{choice['by'] or house.state['first']}")
        option = "P" if choice["kind"] == "drawn" else choice["options"][0]  # a token of another letter than one's own
        assert f"choice-{choice['id']}" in phone.page
        by = {"by": choice["by"]} if choice["by"] else {}
        phone.taps += 1
        house.tap(phone.client, do="choose", id=choice["id"], option=option, **by)
    first = phones[house.state["turn"]]
    for task in house.state["hands"]:
        first.open("/hands")
        assert re.search(rf'value="{task["place"]}"', first.page)
        first.taps += 1
        first.client.post("/api/hands/done", data={"place": task["place"], "back": "/hands"})
    return [host, *phones.values()]
