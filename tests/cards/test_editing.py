"""Edit by icons: what the notation says is reached by taps, and every text is its icons."""

import re
from collections import deque
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cards.editing import (
    BUILD,
    COST,
    ONE,
    PALETTES,
    REWARD,
    changes,
    line_of,
    line_text,
    rows_of,
    tapped,
    tapped_space,
)
from companion.cards.loader import builtin
from companion.cards.notation import (
    NO_SPACE,
    NotationError,
    parse_cost,
    parse_side,
    parse_space,
    print_cost,
    print_side,
    print_space,
)
from companion.refusal import Refusal

from .test_notation import PAYS, RESOURCE_COSTS, spaces

START = "free -> nothing"


@cache
def reached(row):
    """Every token of a row, with the taps that lead to it from the palette: breadth first."""
    found = {token: (token,) for token in PALETTES[row]}
    waiting = deque(found)
    while waiting:
        token = waiting.popleft()
        for change in changes(row, token):
            if change.token not in found:
                found[change.token] = (*found[token], change.token)
                waiting.append(change.token)
    return found


def written_by_taps(space):
    """The text that taps make of an empty space, on nothing but what is offered."""
    text, wanted = START, rows_of(print_space(space))
    for name in (COST, REWARD):
        for place, token in enumerate(wanted.row(name)):
            first, *rest = reached(name)[token]
            text = tapped_space(text, name, f"add {first}")
            for step in rest:
                offered = {change.token for change in changes(name, rows_of(text).row(name)[place])}
                assert step in offered
                text = tapped_space(text, name, f"put {place} {step}")
    if wanted.letter:
        text = tapped_space(text, "letter", wanted.letter)
    for mark, is_so in (("linked", wanted.linked), ("injured", wanted.injured_only)):
        if is_so:
            text = tapped_space(text, mark, "yes")
    return text


@given(st.none() | spaces())
def test_a_text_is_its_icons_and_back(side):
    text = print_side(side)
    rows = rows_of(text)
    assert (NO_SPACE if rows is None else rows.text()) == text


@settings(max_examples=60, deadline=None)
@given(spaces())
def test_every_space_is_made_by_taps(space):
    assert parse_space(written_by_taps(space)) == space


@given(st.lists(RESOURCE_COSTS, max_size=5).map(tuple))
def test_every_price_is_made_by_taps(cost):
    text = print_cost(cost)
    assert line_text(BUILD, line_of(BUILD, text)) == text
    tokens = ()
    for place, token in enumerate(line_of(BUILD, text)):
        first, *rest = reached(BUILD)[token]
        tokens = tapped(BUILD, tokens, "add", first)
        for step in rest:
            tokens = tapped(BUILD, tokens, "put", f"{place} {step}")
    assert parse_cost(line_text(BUILD, tokens)) == cost


@given(PAYS, PAYS)
def test_the_one_resource_of_an_item_takes_the_place_of_the_last(first, then):
    tokens = line_of(ONE, print_cost((first,)))
    assert tapped(ONE, tokens, "add", print_cost((then,))) == (print_cost((then,)),)
    assert print_cost((then,)) in reached(ONE)


@pytest.mark.parametrize("name", ["standard", "homemade"])
def test_every_card_of_our_packs_is_made_by_taps(name):
    pack = builtin(name)
    sides = [side for room in (*pack.top_level, *pack.rooms) for side in room.spaces]
    seen = [*sides, *(card.space for card in pack.threats), pack.elevator, pack.top_elevator]
    assert len(seen) > 40
    for side in seen:
        text = print_side(side)
        rows = rows_of(text)
        assert (NO_SPACE if rows is None else rows.text()) == text
        if side is not None:
            assert parse_space(written_by_taps(side)) == side
    for room in pack.rooms:
        price = print_cost(room.build_cost)
        assert line_text(BUILD, line_of(BUILD, price)) == price


@given(spaces(), st.data())
def test_an_icon_that_is_added_and_dropped_again_leaves_what_was(space, data):
    text = print_space(space)
    row = data.draw(st.sampled_from([COST, REWARD]))
    token = data.draw(st.sampled_from([one for one in PALETTES[row] if not one.startswith("fight")]))
    longer = tapped_space(text, row, f"add {token}")
    place = len(rows_of(text).row(row))
    assert rows_of(longer).row(row)[place] == token
    assert tapped_space(longer, row, f"drop {place}") == text


def test_icons_that_do_not_go_together_yet_stay_icons():
    text = tapped_space(START, COST, "add pay-room")
    assert rows_of(text).cost == ("pay-room",)
    with pytest.raises(NotationError) as wrong:
        parse_side(text)
    assert wrong.value.code == "pay_room"
    assert parse_side(tapped_space(text, REWARD, "add build"))


def test_a_side_without_a_space_and_a_space_again():
    assert tapped_space("1W -> 2F (letter S)", "space", "no") == NO_SPACE
    assert tapped_space(NO_SPACE, "space", "yes") == START
    assert tapped_space("free -> 2F (letter S)", "letter", "") == "free -> 2F"


@pytest.mark.parametrize(
    ("text", "act", "rest"),
    [
        (START, "cost", "add"),
        (START, "cost", "add gold"),
        (START, "cost", "add 1W 2F"),
        (START, "cost", "add fight:13"),
        ("fight:9 -> 1H", "cost", "add fight:7"),
        (START, "reward", "add fight:7"),
        (START, "cost", "add 1H"),
        (START, "cost", "put 0 1W"),
        ("1W -> 1H", "cost", "put 1 1W"),
        ("1W -> 1H", "cost", "put 0"),
        ("1W -> 1H", "cost", "drop -1"),
        ("1W -> 1H", "cost", "drop one"),
        ("1W -> 1H", "cost", "eat 0"),
        ("1W -> 1H", "reward", "put 0 19H"),
        (START, "letter", "X"),
        (START, "roof", "yes"),
        (NO_SPACE, "linked", "yes"),
    ],
)
def test_what_no_button_says_is_refused(text, act, rest):
    with pytest.raises(Refusal) as refused:
        tapped_space(text, act, rest)
    assert refused.value.code == "malformed"


@given(st.text(alphabet="0129WFEH?SX:(),<-> abcdefghilnoprtuyé\n", max_size=40))
def test_any_text_is_rows_or_a_placed_error(text):
    try:
        rows = rows_of(text)
    except NotationError as error:
        assert 1 <= error.column <= len(text) + 1
    else:
        assert rows is None or re.fullmatch(r".+ -> .+", rows.text())
