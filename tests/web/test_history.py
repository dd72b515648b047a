"""Past evenings: people, charts, the round that decided, and a game step by step."""

import re

import evening_out
import pytest
from at_the_door import BEARER, tight

from companion.table.record.history import Story
from companion.table.record.summaries import result_of
from web.base.words import words_in
from web.games import charts
from web.games.shelter import feed
from web.games.shelter.cards import cards_of
from web.pages.history.view import people


class Step:
    def __init__(self, number, **standing):
        self.round = number
        self.standing = standing


def story(*steps, winners=("red",), scores=None, names=None):
    result = {"winners": list(winners), "scores": scores or {}}
    players = {colour: {"name": (names or {}).get(colour, colour.capitalize())} for colour in ("red", "blue")}
    return Story("g", ["red", "blue"], list(steps), {"game": "shelter", "result": result, "players": players})


@pytest.mark.parametrize(
    ("ends", "winners", "number"),
    [
        ([(0, 0), (2, 1), (3, 2), (5, 4)], ["red"], 2),
        ([(2, 1), (2, 3), (3, 3), (5, 4)], ["red"], 4),
        ([(2, 1), (3, 3)], ["red"], 2),
        ([(0, 0), (3, 3)], ["red", "blue"], None),
    ],
    ids=["ahead from the second on", "overtaken and back", "a tie-break", "shared"],
)
def test_the_deciding_round_is_the_first_after_which_the_winner_was_always_alone_in_front(ends, winners, number):
    steps = [Step(at, red=red, blue=blue) for at, (red, blue) in enumerate(ends, 1)]
    told = story(*steps, winners=winners)
    assert charts.decided(told) == number
    assert charts.end_of(told.steps, number) == (None if number is None else number - 1)


def test_nothing_is_decided_before_the_end():
    told = story(Step(1, red=1, blue=0))
    told.state["result"] = None
    assert charts.decided(told) is None


def test_a_line_goes_along_and_then_up_and_has_its_scale():
    chart = charts.chart([Step(1, red=0), Step(1, red=0), Step(2, red=12)], ["red"], charts.Size(100, 60, 10), mark=1)
    assert chart.lines[0].path == "M0.0 60.0H100.0V0.0H100.0"
    assert [happy for _, happy in chart.levels] == [0, 2, 4, 6, 8, 10, 12]
    assert chart.rounds == [(0.0, 1), (100.0, 2)]
    assert chart.marked == 50.0
    assert charts.chart([Step(1)], ["red"]).lines[0].last_x == 0
    many = charts.chart([Step(number, red=0) for number in range(1, 41)], ["red"])
    assert [number for _, number in many.rounds][:3] == [1, 5, 9]


def test_people_are_counted_across_evenings_by_the_name_they_gave():
    first = {"red": {"happiness": 9}, "blue": {"happiness": 4}}
    second = {"red": {"happiness": 3}, "blue": {"happiness": 6}}
    names = {"red": "Anna", "blue": "Borys"}
    unfinished = story(names=names)
    unfinished.state["result"] = None
    told = people(
        map(
            result_of,
            [
                story(scores=first, names=names),
                story(scores=second, names={"red": "Borys", "blue": "anna"}, winners=["blue"]),
                story(scores=first, names={"red": "Red"}),
                unfinished,
            ],
        )
    )
    assert [(one.name, one.games, one.wins, one.average, one.best) for one in told] == [
        ("anna", 2, 2, 7.5, 9),
        ("Borys", 2, 0, 3.5, 4),
    ]


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("1:R1a plain", "Red: placed on Water Treatment"),
        ("1:R1a S () 3+4", "Red: placed on Water Treatment trained s 3+4"),
        ("garden@left", "Red: placed on Garden, left"),
        ("use:minigun", "Red: placed on Minigun"),
        ("injured+A", "Red: placed on injured, trained a"),
        ("1W->2F", "Red: placed on 1W->2F"),
        ("water players", "Red: placed on water"),
    ],
)
def test_a_step_is_told_in_the_readers_words(house, what, told):
    house.start()
    step = Step(1)
    step.by, step.do, step.values = "red", "place", what.split()
    assert feed.text_of(words_in("en"), house.state, cards_of(None), step) == told


def play_on(house, taps):
    for _ in range(taps):
        moves = [move for move in house.client().get("/api/legal").json["moves"] if move["do"] != "use"]
        move = next((move for move in moves if move["do"] in ("choose", "place")), moves[0])
        house.tap(None, **{key: value for key, value in move.items() if key != "preview"})


def test_a_game_is_walked_through_step_by_step(house):
    house.start(names={"red": "Anna"})
    house.tap(None, do="place", by="red", space="1:R1a")
    play_on(house, 12)
    game, client = house.state["id"], house.client()
    first = tight(client.get(f"/history/{game}").text)
    assert 'class="figure' not in first
    assert "a new game" in first
    assert 'rel="prev"' not in first
    second = client.get(re.search(r'rel="next" id="next" href="([^"]*)"', first)[1].replace("&amp;", "&")).text
    assert second.count('class="figure') == 1
    assert "Anna: placed on Water Treatment</p>" in second
    end = client.get(f"/history/{game}?step=9999").text
    assert 'rel="next"' not in end
    assert client.get("/history/nothing").status_code == 404
    assert client.get(f"/history/{game}.json").mimetype == "application/json"
    assert client.get(f"/history/{game}.nonsense").status_code == 404
    assert f'href="/history/{game}"' in client.get("/history").text


def test_a_finished_game_is_in_the_history_with_its_people_and_its_round(house):
    house.start(names={"red": "Anna", "blue": "Borys"}, start={"players": {"blue": {"happiness": 5}}})
    house.tap(None, do="correct", set={"last_round": True})
    while house.state["phase"] != "over":
        play_on(house, 1)
    page = tight(house.client().get("/history").text)
    assert "Round 1 decided it" in page
    assert '<th scope="row">Borys</th><td>1</td><td>1</td>' in page
    assert "Green</th>" not in page
    screen = tight(house.client().get("/table").text)
    assert "What decided it" in screen
    assert "<b>Round 1</b>" in screen
    assert 'class="mark"' in screen


def test_the_other_game_has_neither_rooms_nor_a_vault_to_walk_through(house):
    evening_out.begin(house)
    client, game = house.client(), house.state["id"]
    assert client.get("/rooms").headers["Location"] == "/"
    assert client.get(f"/history/{game}").status_code == 404
    assert "Step by step" not in client.get("/history").text
    assert f'href="/history/{game}.csv"' in client.get("/host/record", headers=BEARER).text


def test_the_way_back_is_told_newest_first(house):
    house.start(names={"red": "Anna"})
    house.tap(None, do="place", by="red", space="1:R1a")
    told = house.app.extensions["companion"].stories.story(house.state["id"])
    entries = feed.entries(words_in("en"), told, cards_of(None))
    assert [(one.nth, one.colour, one.text) for one in entries] == [
        (1, "red", "Anna: placed on Water Treatment"),
        (0, "", "a new game"),
    ]
    assert feed.entries(words_in("en"), Story("g"), cards_of(None)) == []


def test_the_secrets_of_a_running_game_are_not_given_away_before_the_end(house):
    house.start()
    game = f"/history/{house.state['id']}"
    for headers in ({}, BEARER):
        assert house.client().get(f"{game}.journal", headers=headers).status_code == 409
        assert house.client().get(f"{game}.json", headers=headers).status_code == 200
