"""What the buttons of the panel mean to the session."""

from companion.games.api import Button
from companion.games.shelter.events import FightRolled
from companion.table.session.events import MoveRefused
from companion.table.session.intents import ButtonPressed


def press(table, button, held=False):
    return table.ask(ButtonPressed(Button(button), held))


def test_threats(table):
    table.start(start={"round": 2, "phase": "spawn"})
    press(table, "threats")
    assert table.state["phase"] == "place"
    assert len(table.state["spawned"]) == 3
    assert isinstance(press(table, "threats").events[0], MoveRefused)


def test_a_colour_held_passes(table):
    table.start()
    press(table, "red", held=True)
    assert table.state["players"]["red"]["passed"]


def test_undo_is_held(table):
    table.start()
    press(table, "red", held=True)
    press(table, "undo")
    assert table.state["version"] == 1
    press(table, "undo", held=True)
    assert not table.state["players"]["red"]["passed"]


def test_recall_offers_all_the_passes_in_one_confirmation(table):
    table.start()
    table.tap("place", by="red", space="1:R1a")
    table.all_answered()
    press(table, "recall")
    offered = table.state["pending"][-1]
    assert (offered["kind"], offered["options"]) == ("passes", ["yes", "no"])
    table.tap("choose", id=offered["id"], option="no")
    assert table.state["pending"] == []
    press(table, "recall")
    press(table, "recall")
    assert table.state["round"] == 2


def test_m3_nobody_is_passed_for_while_an_income_is_open(table):
    table.start(start={"levels": {"3": {"rooms": {"L1": "garden"}}}})
    table.tap("place", by="red", space="3:L1a")
    press(table, "recall")
    refused = press(table, "recall").events[0].refusal
    assert (refused.code, refused.clause, refused.fields["by"]) == ("income_open", "M3", "blue")
    assert not any(player["passed"] for player in table.state["players"].values())
    table.tap("choose", by="blue", option="water")
    press(table, "recall")
    press(table, "recall")
    assert table.state["round"] == 2


def test_roll_answers_the_fight(table):
    table.start(start={"threats": {"1:R1a": "raider"}})
    table.tap("place", by="red", space="1:R1a")
    while table.state["pending"][0]["kind"] != "fight":
        choice = table.state["pending"][0]
        table.tap("choose", by=choice["by"], option=choice["options"][0])
    answer = press(table, "roll")
    assert any(isinstance(event, FightRolled) for event in answer.events)
    assert isinstance(press(table, "roll").events[0], MoveRefused)


def test_without_a_game_nothing_happens(table):
    for button in Button:
        refused = [isinstance(event, MoveRefused) for event in press(table, button).events]
        assert refused == ([] if button == "undo" else [True])
