"""House rules on the pages: chosen by book or one by one, told while a game is played and in what is kept of it."""

import pytest
from at_the_door import BEARER, PIN

from companion.games.shelter.position import HOUSE_RULES
from companion.games.shelter.readings import BOOKS

READER = {"Accept": "text/html", "Accept-Language": "en"}
PLAYERS = {"plays_red": "on", "plays_blue": "on", "pin": PIN}


def begun(house, **sent):
    return house.client().post("/start", data={**PLAYERS, **sent}, headers=READER)


def rules_of(house):
    return set(house.state["options"]["house_rules"])


@pytest.mark.parametrize("book", ["own", *BOOKS])
def test_a_game_begins_by_a_book(house, book):
    assert begun(house, book=book).status_code == 303
    assert rules_of(house) == BOOKS.get(book, set())


def test_options_are_ticked_besides_a_book(house):
    begun(house, book="polish", rule_reward_must_fit="on")
    assert rules_of(house) == {*BOOKS["polish"], "reward_must_fit"}


def test_the_page_offers_books_first_and_every_option_with_what_the_books_say(house):
    page = house.client().get("/start?plays_red=on&plays_blue=on&step=cards&book=russian", headers=READER).text
    assert page.index('name="book"') < page.index('name="rule_')
    assert 'name="book" value="russian" checked' in " ".join(page.split())
    assert all(page.count(f'name="rule_{option}"') == 1 for option in HOUSE_RULES)
    assert "Russian: the owner takes it." in page


def test_options_that_contradict_each_other_are_refused_in_a_line_that_names_both(house):
    answer = begun(house, book="russian", rule_income_late="on")
    assert answer.status_code == 409
    assert "“Income is always taken” and “Income until the recall”" in answer.text
    assert house.state["id"] is None
    assert 'name="rule_income_late" checked' in " ".join(answer.text.split()), "the answers stay"


def test_options_that_contradict_each_other_leave_the_game_as_it_is(house):
    house.start(house_rules={"income_automatic": True})
    before = house.state
    refused = house.client().post(
        "/api/moves",
        json={"do": "correct", "set": {"options": {"house_rules": {"income_late": True}}}},
        headers=BEARER,
    )
    assert (refused.status_code, refused.json["error"]["code"]) == (409, "rules_contradict")
    assert house.state["options"] == before["options"]


def test_the_options_in_force_are_told_on_the_rules_page_and_the_big_screen(house):
    house.start(house_rules={"income_late": True, "items_after_threats": True})
    page = house.client().get("/rules/readings", headers=READER).text
    assert page.count("in this game") == 2
    assert "None lets it wait." in page
    assert "House rules: Income until the recall, Items score last" in house.client().get("/table", headers=READER).text
    house.start(house_rules=dict.fromkeys(BOOKS["polish"], True))
    assert "House rules: As the Polish book" in house.client().get("/table", headers=READER).text
    house.start()
    assert "House rules" not in house.client().get("/table", headers=READER).text
    assert "in this game" not in house.client().get("/rules/readings", headers=READER).text


def test_even_seats_say_what_each_begins_with_and_give_it(house):
    page = house.client().get("/start?plays_red=on&plays_blue=on&step=cards", headers=READER).text
    assert "standard: No. 1 in order begins with: energy 1. No. 2 in order begins with: energy 1, happiness 2." in page
    begun(house, pack="standard", first="red", rule_even_seats="on")
    assert {colour: one["happiness"] for colour, one in house.state["players"].items()} == {"red": 0, "blue": 2}
    assert [one["resources"]["energy"] for one in house.state["players"].values()] == [1, 1]
    assert (
        "No. 2 in order begins with: energy 1, happiness 2."
        in house.client().get("/rules/readings", headers=READER).text
    )


def test_a_pack_without_head_starts_is_refused_in_one_line(house):
    answer = begun(house, pack="homemade", rule_even_seats="on")
    assert answer.status_code == 409
    assert "have no head starts for so many players" in answer.text
    assert house.state["id"] is None
