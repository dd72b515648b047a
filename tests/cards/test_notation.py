"""The notation: every space has one text, and every mistake has a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import effects as fx
from companion.cards.notation import (
    NotationError,
    parse_cost,
    parse_pay,
    parse_side,
    parse_space,
    print_cost,
    print_side,
    print_space,
)

AMOUNTS = st.integers(1, 18)
RESOURCES = st.sampled_from(fx.Resource)
PAYS = st.builds(fx.Pay, RESOURCES, AMOUNTS)
RESOURCE_COSTS = PAYS | st.builds(fx.PayAny, AMOUNTS)
COSTS = RESOURCE_COSTS | st.sampled_from([fx.PayItem(), fx.Injure()])
EXCHANGES = st.builds(fx.Exchange, PAYS, PAYS).filter(lambda both: both.left.resource is not both.right.resource)
PLAIN = st.sampled_from([fx.NewDweller(), fx.FirstPlayer(), fx.TakeItem(), fx.Build(), fx.Heal(), fx.Ready()])
REWARDS = (
    PLAIN
    | EXCHANGES
    | st.builds(fx.Gain, RESOURCES, AMOUNTS)
    | st.builds(fx.GainAny, AMOUNTS)
    | st.builds(fx.Happiness, AMOUNTS)
    | st.builds(fx.Train, st.none() | st.sampled_from(fx.Letter))
    | st.builds(fx.Refresh, st.sampled_from(fx.Track))
)


@st.composite
def spaces(draw):
    cost = draw(st.lists(COSTS, max_size=4))
    reward = draw(st.lists(REWARDS, max_size=4))
    if fx.Build() in reward and draw(st.booleans()):
        cost.insert(draw(st.integers(0, len(cost))), fx.PayRoom())
    return fx.Space(
        tuple(cost),
        tuple(reward),
        draw(st.none() | st.sampled_from(fx.Letter)),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.none() | st.integers(2, 12)),
    )


@given(spaces())
def test_what_is_written_reads_back_equal(space):
    assert parse_space(print_space(space)) == space


@given(st.none() | spaces())
def test_a_side_of_a_room_reads_back_equal(side):
    assert parse_side(print_side(side)) == side


@given(spaces(), st.data())
def test_there_is_one_canonical_text(space, data):
    text = print_space(space)
    blanks = st.text(" \t", min_size=1, max_size=3)
    loose = "".join(data.draw(blanks) if character == " " else character for character in text)
    assert print_space(parse_space(f"{data.draw(blanks)}{loose}{data.draw(blanks)}")) == text


@given(st.lists(RESOURCE_COSTS, max_size=5).map(tuple))
def test_build_costs_read_back_equal(cost):
    assert parse_cost(print_cost(cost)) == cost


@given(st.text(alphabet="0129WFEH?SX:(),<-> abcdefghilnoprtuyé\n", max_size=40))
def test_any_text_is_a_space_or_a_placed_error(text):
    try:
        parse_space(text)
    except NotationError as error:
        column, caret = error.column, error.caret().splitlines()[1]
    else:
        return
    assert 1 <= column <= len(text) + 1
    assert caret.index("^") == column + 1


def test_the_examples_of_the_cards():
    water, food = fx.Pay(fx.Resource.WATER), fx.Pay(fx.Resource.FOOD, 2)
    assert parse_space("free -> 1W<->2F") == fx.Space(reward=(fx.Exchange(water, food),))
    assert parse_space("fight:9 -> 2H (linked, letter E)") == fx.Space(
        reward=(fx.Happiness(2),), letter=fx.Letter.E, linked=True, fight=9
    )
    assert parse_space("1W 1F injure -> dweller").cost == (water, fx.Pay(fx.Resource.FOOD), fx.Injure())
    assert parse_space("free -> heal (injured only)").injured_only
    assert parse_space("free -> first train:L").reward == (fx.FirstPlayer(), fx.Train(fx.Letter.L))
    assert parse_space("pay-room -> 2H build").cost == (fx.PayRoom(),)
    assert parse_pay("2E") == fx.Pay(fx.Resource.ENERGY, 2)


SPACE_ERRORS = [
    ("", 1, "the end", "a cost"),
    ("2W", 3, "the end", "'->'"),
    ("free", 5, "the end", "'->'"),
    ("free 1W -> item", 6, "'1'", "'->'"),
    ("0W -> item", 1, "'0'", "an amount from 1 to 18"),
    ("19? -> item", 1, "'19'", "an amount from 1 to 18"),
    ("01W -> item", 1, "'01'", "an amount from 1 to 18"),
    ("1H -> item", 2, "'H'", "one of W, F, E, ?"),
    ("2 W -> item", 3, "'W'", "right behind the amount"),
    ("2w -> item", 2, "'w'", "one of W, F, E, ?"),
    ("build -> item", 1, "'build'", "a cost"),
    ("2W1F -> item", 3, "'1'", "a blank before the next icon"),
    ("1W<->2F -> item", 3, "'<->'", "a blank before the next icon"),
    ("2W -> pay-room", 7, "'pay-room'", "a reward"),
    ("2W ->", 6, "the end", "a reward"),
    ("2W -> itme", 7, "'itme'", "a reward"),
    ("2W -> item é", 12, "'é'", "a reward"),
    ("free -> 1W<->2W", 14, "'2'", "another resource"),
    ("free -> 1?<->2F", 11, "'<->'", "a blank"),
    ("free -> 1W<->2H", 15, "'H'", "one of W, F, E"),
    ("fight:1 -> 1H", 7, "'1'", "a fight from 2 to 12"),
    ("fight:13 -> 1H", 7, "'13'", "a fight from 2 to 12"),
    ("fight -> 1H", 7, "'->'", "a number from 2 to 12"),
    ("fight: 9 -> 1H", 8, "'9'", "a number from 2 to 12"),
    ("fight:9item -> 1H", 8, "'item'", "a blank"),
    ("1W fight:9 -> 1H", 4, "'fight'", "a cost"),
    ("fight:8 fight:9 -> 1H", 9, "'fight'", "a cost"),
    ("free -> train:X", 15, "'X'", "one of the letters"),
    ("free -> refresh", 16, "the end", "':items' or ':rooms'"),
    ("free -> refresh:threats", 17, "'threats'", "items or rooms"),
    ("free -> 1W (letter Q)", 20, "'Q'", "one of the letters"),
    ("free -> 1W (letter)", 19, "')'", "one of the letters"),
    ("free -> 1W (letter P, letter L)", 23, "'letter'", "each note once"),
    ("free -> 1W (linked, linked)", 21, "'linked'", "each note once"),
    ("free -> heal (injured)", 22, "')'", "'only'"),
    ("free -> 1W ()", 13, "')'", "a note"),
    ("free -> 1W (linked letter P)", 20, "'letter'", "',' or ')'"),
    ("free -> 1W (linked", 19, "the end", "',' or ')'"),
    ("free -> 1W (linked) 1F", 21, "'1'", "the end"),
    ("1W pay-room -> 1H", 4, "'pay-room'", "a build"),
    ("pay-room pay-room -> build", 10, "'pay-room'", "pay-room once"),
    ("1W\n-> 1H", 3, r"'\n'", "a blank"),
]


@pytest.mark.parametrize(("text", "column", "found", "expected"), SPACE_ERRORS)
def test_a_wrong_space_is_refused_at_its_place(text, column, found, expected):
    with pytest.raises(NotationError) as refused:
        parse_space(text)
    assert (refused.value.column, refused.value.found) == (column, found)
    assert expected in refused.value.expected


@pytest.mark.parametrize(
    ("parse", "text", "column"),
    [
        (parse_cost, "", 1),
        (parse_cost, "2W item", 4),
        (parse_cost, "pay-room", 1),
        (parse_cost, "free 1W", 6),
        (parse_pay, "1?", 2),
        (parse_pay, "1W 1F", 4),
        (parse_side, "none -> 1W", 6),
        (parse_side, "nothing", 1),
        (parse_space, "none", 1),
    ],
)
def test_a_wrong_price_is_refused_at_its_place(parse, text, column):
    with pytest.raises(NotationError) as refused:
        parse(text)
    assert refused.value.column == column


def test_an_error_shows_the_place():
    with pytest.raises(NotationError) as refused:
        parse_space("2W -> itme")
    assert str(refused.value).splitlines()[1:] == ["  2W -> itme", "        ^"]
