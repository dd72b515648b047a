"""What stands in the way is told in the reader's language; scripts get the engine's own words."""

import ast
from functools import cache
from pathlib import Path

import pytest
from at_the_door import BEARER

from companion.languages import catalogues
from companion.refusal import Refusal
from web.base.errors import NAMES
from web.base.words import plain, words_in
from web.games.shelter.cards import cards_of

ROOT = Path(__file__).parents[2]
ROOMS = (ROOT / "companion" / "games" / "shelter", ROOT / "companion" / "table", ROOT / "web")
FILES = [path for room in ROOMS for path in sorted(room.rglob("*.py"))] + list((ROOT / "companion/games").glob("*.py"))


@cache
def codes():
    """Every code that some line of the game, the table or the pages refuses with."""
    return codes_in(FILES)


def codes_in(files):
    """Every code that some line of these files refuses with, and those of HTTP."""
    found = set(NAMES.values())
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if named == "Refusal" and node.args:
                ways = (
                    [node.args[0].body, node.args[0].orelse] if isinstance(node.args[0], ast.IfExp) else node.args[:1]
                )
                found |= {way.value for way in ways if isinstance(way, ast.Constant)}
    return found


@pytest.mark.parametrize("language", catalogues.codes())
def test_every_code_has_its_words(language):
    assert len(codes()) > 60
    assert [code for code in sorted(codes()) if not words_in(language).has(f"refused_{code}")] == []


def test_the_words_name_people_and_cards_instead_of_places(house):
    house.start(names={"blue": "Borys"})
    state, words = house.state, words_in("en")
    taken = Refusal("space_taken", "P1", "1:R1a is taken by blue.", space="1:R1a", by="blue")
    assert plain(words, state, taken) == "Borys stands there already."
    lift = Refusal("not_your_elevator", "P4", "2:E is another player's elevator.", space="2:E", by="blue")
    assert plain(words, state, lift) == "That elevator is for Red alone."
    item = Refusal("item_exhausted", "I2", "exhausted", item="lab-coat", by="blue")
    assert (
        plain(words, state, item, lambda card: cards_of(None).name(card, "en"))
        == "Lab Coat is exhausted until the end of the round."
    )
    assert plain(words, state, Refusal("unheard_of", None, "?")) == "The rules do not allow that."


def test_a_phone_reads_its_own_language_and_a_script_the_engines_words(house):
    house.start()
    phone = house.seated("blue")
    move = {"do": "place", "by": "blue", "space": "1:R1a"}
    polish = phone.post("/api/moves", json=move, headers={"Accept-Language": "pl"})
    assert (polish.status_code, polish.json["error"]["clause"]) == (409, "R2")
    assert polish.json["error"]["message"] == "To nie twoja tura. Teraz: Czerwony."
    script = house.client().post("/api/moves", json=move, headers=BEARER)
    assert script.json["error"]["message"] == "It is red's turn."


def test_who_reads_a_page_is_refused_by_a_page(house):
    browser = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": "ru"}
    lost = house.client().get("/nowhere", headers=browser)
    assert (lost.status_code, lost.mimetype) == (404, "text/html")
    assert "Такой страницы нет." in lost.text
    wrong = house.client().post("/api/seats/red/claim", data={"code": "BAD"}, headers=browser)
    assert (wrong.status_code, wrong.mimetype) == (403, "text/html")
    assert "Этот код не подходит" in wrong.text
    assert house.client().get("/nowhere").json["error"]["code"] == "not_found"


def test_a_move_without_the_script_goes_back_to_where_it_was_tapped(house):
    house.start()
    phone = house.seated("red")
    form = {"move": '{"do": "place", "by": "red", "space": "1:R1a"}', "back": "/seat/red"}
    answer = phone.post("/moves", data=form)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/seat/red")
    assert "1:R1a" in house.state["placed"]
    assert phone.post("/moves", data={**form, "move": "{"}).status_code == 400
    assert phone.post("/moves", data=form).status_code == 409
    away = phone.post("/moves", data={"move": '{"do": "undo"}', "back": "//elsewhere"})
    assert away.headers["Location"] == "/"
    assert house.client().post("/moves", data=form).status_code == 401
