"""What to do about a device is said in the reader's language, on every page that says it."""

import re
from pathlib import Path

import pytest
from at_the_door import PIN

from companion.languages.catalogues import codes
from companion.table.ports import DeviceError, Hint, as_json, note
from companion.table.session.intents import DeviceChanged
from hardware.cameras.watched import BLACK
from web.base.words import words_in
from web.pages.doctor.view import told

ROOT = Path(__file__).parents[2]
SAID = re.compile(r'Hint\(\s*"(\w+)",\s*((?:"[^"]*"\s*)+|[A-Z_]+)')


def hints_in_the_code():
    found = {}
    for room in ("companion", "hardware", "calibration"):
        for path in (ROOT / room).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for code, said in SAID.findall(text):
                named = re.search(rf'^{said.strip()}: Final = \(?((?:\s*"[^"]*")+)', text, re.MULTILINE)
                found[code] = "".join(re.findall(r'"([^"]*)"', named.group(1) if named else said))
    return found


@pytest.mark.parametrize("language", codes())
def test_every_hint_has_its_words_with_the_same_fields(language):
    words, said = words_in(language), hints_in_the_code()
    assert len(said) > 20
    for code, english in said.items():
        fields = {name: f"<{name}>" for name in re.findall(r"\{(\w+)\}", english)}
        worded = words.hint({"hint": english, "code": code, "fields": fields})
        assert all(value in worded for value in fields.values()), code
        assert (worded == english.format(**fields)) == (language == "en"), code


def test_a_hint_is_its_english_sentence_and_knows_which_one_it_is():
    inner = Hint("camera_black", "Black.")
    outer = Hint("no_camera", "None: {pi} {usb}", pi=inner, usb=3)
    assert outer == "None: Black. 3"
    assert str(DeviceError(outer)) is outer
    assert as_json(outer) == {
        "hint": "None: Black. 3",
        "code": "no_camera",
        "fields": {"pi": {"hint": "Black.", "code": "camera_black", "fields": {}}, "usb": "3"},
    }
    assert type(as_json(outer)["hint"]) is str
    assert as_json("whatever") == {"hint": "whatever"}
    assert "Obraz jest czarny" in words_in("pl").hint(as_json(outer))
    assert words_in("pl").hint({"hint": "whatever", "code": "unheard-of"}) == "whatever"


def test_the_doctor_says_it_too():
    check = note("camera", "none", hint=Hint("no_camera", "{pi} {usb}", pi=BLACK, usb=BLACK))
    assert told(words_in("ru"), check).count("Картинка чёрная") == 2
    assert told(words_in("en"), note("camera", "none", hint="Odd.")).startswith("Odd.")


@pytest.mark.parametrize("state", ["lost", "off"])
@pytest.mark.parametrize(("language", "words"), [("en", "The picture is black"), ("pl", "Obraz jest czarny")])
def test_the_host_reads_it_in_the_language_of_the_page(house, language, words, state):
    client = house.client()
    client.post("/api/host/login", json={"pin": PIN})
    before = house.session.snapshots.latest
    house.session.put(DeviceChanged("camera", state, BLACK))
    assert house.session.snapshots.newer_than(before.seq, 20) is not None
    client.set_cookie("language", language)
    page = client.get("/host").text
    assert words in page
    shown = client.get("/api/state").json["devices"]["camera"]
    assert (shown["hint"], shown["code"]) == (str.__str__(BLACK), "camera_black")
