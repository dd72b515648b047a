import pytest

from companion.network.results import MOST, FinishedGames, finished, result_of
from tests.table.at_the_table import Table


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path)
    yield made
    made.close()


def ended(table):
    table.start(start={"round": 9, "phase": "recall", "last_round": True, "players": {"red": {"happiness": 5}}})
    table.tap("recall")
    assert table.state["phase"] == "over"


def test_a_finished_game_is_told_with_all_that_breaks_a_tie(table):
    assert result_of(table.state, "now") is None
    ended(table)
    told = result_of(table.state, "now")
    red = {"name": "Red", "won": True, "happiness": 5, "cubes": 0, "dwellers": 2, "items": 0}
    assert told["players"]["red"] == red | {key: told["players"]["red"][key] for key in ("cubes", "dwellers", "items")}
    assert (told["game"], told["ended"], told["rounds"]) == ("game-1", "now", 9)


def test_the_record_tells_of_games_that_ended_before(table):
    ended(table)
    table.start()
    ended(table)
    found = finished(table.folder)
    assert [one["game"] for one in found] == ["game-1", "game-3"]
    assert found[-1] == result_of(table.state, found[-1]["ended"])
    results = FinishedGames(found)
    assert not results.look(table.state)
    assert results.as_list() == found


def test_an_end_that_is_taken_back_is_none(table):
    ended(table)
    results = FinishedGames(clock=lambda: "now")
    assert results.look(table.state)
    assert not results.look(table.state)
    table.tap("undo")
    assert results.look(table.state)
    assert results.as_list() == []
    assert not results.look({"id": None})


def test_the_latest_are_kept(table):
    ended(table)
    one = result_of(table.state, "")
    many = [{**one, "game": str(nth), "ended": f"{nth:04}"} for nth in range(100)]
    assert [result["game"] for result in FinishedGames(reversed(many)).as_list()] == [
        str(nth) for nth in range(36, 100)
    ]
    assert MOST == 64
