from companion.games.api import Button
from companion.table.session.intents import AskCards, AskLegal, ButtonPressed, Freeze


def test_questions_change_nothing(table):
    assert table.session.question(AskLegal()).result(30) == []
    assert table.session.question(AskCards()).result(30) is None
    table.start()
    before = table.session.snapshots.latest
    offers = table.session.question(AskLegal("red")).result(30)
    assert {"do": "pass", "by": "red"} in [offer.move for offer in offers]
    assert any(offer.move["do"] == "place" for offer in offers)
    assert table.session.question(AskLegal("blue")).result(30) == []
    assert table.session.question(AskCards()).result(30).pack().id == "standard"
    assert table.session.snapshots.latest is before


def test_a_trained_dweller_shows_where_it_doubles(table):
    table.start(start={"players": {"red": {"available": ["A", "plain"]}}})
    offers = table.session.question(AskLegal("red")).result(30)
    doubled = [offer.move for offer in offers if offer.doubled]
    assert doubled
    assert all(move["dwellers"] == ["A"] for move in doubled)
    assert "1:R2a" in [move["space"] for move in doubled]


def test_nothing_is_legal_while_the_game_is_frozen(table):
    table.start()
    table.ask(Freeze())
    assert table.session.question(AskLegal()).result(30) == []


def test_a_whole_state_sent_back_changes_nothing_while_the_table_asks(table):
    table.start(levels=["blue", "red"], start={"levels": {"2": {"rooms": {"L1": "garden"}}}})
    table.tap("place", by="red", space="2:L1a")
    table.ask(ButtonPressed(Button.RECALL))
    before = table.state
    assert [one["kind"] for one in before["pending"]] == ["income", "passes"]
    table.tap("correct", set=before)
    after = table.state
    assert {key: after[key] for key in before if key not in ("version", "seq")} == {
        key: before[key] for key in before if key not in ("version", "seq")
    }
    table.tap("correct", set={"pending": [before["pending"][1]]})
    assert [one["kind"] for one in table.state["pending"]] == ["passes"]
