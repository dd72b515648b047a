"""Chance is promised before the first card, phones add numbers, and after the end anybody can check it."""

import hashlib
import hmac
import itertools
import re
import stat

import pytest
from at_the_table import BLUE
from promised import GREEN, NUMBERS, SECRETS, add, checked, entries_of, refused, start

from benchmarks.promising import bound, chi_square
from companion.fair.promise import AddedNumber, PromisedChance, is_number, new_secret, promise_of
from companion.refusal import Refusal
from companion.table.session.intents import Speaker, StartGame

# --- how it is worked out ---------------------------------------------------------------------------------------------


def test_a_roll_is_what_the_documentation_says():
    """Worked out once more, from the words of docs/fair.md."""
    key, number = bytes.fromhex(SECRETS[6]), NUMBERS[2]
    block = hmac.new(key, f"roll/7/start={number}/red={NUMBERS[3]}/0".encode(), hashlib.sha256).digest()
    words = [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
    dice = [word % 6 + 1 for word in words if word < 2**32 - 2**32 % 6][:2]
    chance = PromisedChance(SECRETS[6], [AddedNumber("start", number), AddedNumber("red", NUMBERS[3])])
    assert list(chance.roll(7)) == dice


def test_fixed_vectors():
    """They are in docs/fair.md, for whoever writes it again."""
    chance = PromisedChance("00" * 31 + "01", [AddedNumber("red", "0" * 31 + "2")])
    assert [chance.roll(nth) for nth in range(6)] == ROLLS
    assert chance.shuffle(0, range(10)) == SHUFFLE
    assert promise_of("00" * 31 + "01") == "ec4916dd28fc4c10d78e287ca5d9cc51ee1ae73cbfde08c6b37324cbfaac8bc5"


ROLLS = [(1, 4), (5, 6), (1, 3), (1, 5), (1, 6), (4, 3)]
SHUFFLE = [0, 6, 7, 3, 2, 9, 5, 1, 8, 4]


def test_the_order_in_which_cards_are_given_makes_no_difference():
    chance, cards = PromisedChance(SECRETS[0]), [5, 5, 1, 9, 30, 2, 2, 8]
    orders = {tuple(chance.shuffle(3, order)) for order in itertools.islice(itertools.permutations(cards), 200)}
    assert len(orders) == 1
    assert sorted(orders.pop()) == sorted(cards)
    assert chance.shuffle(3, []) == []


def test_secrets_are_random_and_numbers_have_one_form():
    assert len({new_secret() for _ in range(50)}) == 50
    assert all(re.fullmatch("[0-9a-f]{64}", new_secret()) for _ in range(5))
    odd = [
        "",
        "0" * 31,
        "0" * 33,
        "A" * 32,
        "g" * 32,
        7,
        None,
        ["0" * 32],
        "0" * 32 + "\n",
        "\N{ARABIC-INDIC DIGIT ONE}" * 32,
    ]
    assert not any(map(is_number, odd))
    assert is_number("0123456789abcdef" * 2)


def test_dice_and_orders_are_even():
    """Chi-square of 36,000 rolls and 4,000 shuffles; secret and bounds are fixed, so that it holds always or never."""
    chance = PromisedChance(SECRETS[0])
    rolls = [chance.rolled(nth) for nth in range(36_000)]
    assert chi_square(rolls.count((one, two)) for one in range(1, 7) for two in range(1, 7)) < bound(35)
    orders = [chance.shuffle(nth, range(8)) for nth in range(4_000)]
    places = [[order.index(card) for order in orders].count(place) for card in range(8) for place in range(8)]
    assert chi_square(places) < bound(49)
    assert not chi_square([100] * 35 + [190]) < bound(35)
    assert 66 < bound(35) < 67


# --- at a table -------------------------------------------------------------------------------------------------------


def test_the_promise_is_shown_before_the_game_and_kept(fair):
    shown = fair.state["fair"]
    next_one = {"promise": promise_of(SECRETS[0]), "numbers": []}
    assert shown == {"promise": None, "numbers": [], "next": next_one, "told": False, "week": None}
    start(fair, number=NUMBERS[5], promise=shown["next"]["promise"])
    state = fair.state["fair"]
    assert (state["promise"], state["numbers"]) == (shown["next"]["promise"], ["start"])
    assert state["next"]["promise"] == promise_of(SECRETS[1])
    first = entries_of(fair)[0].body
    assert (first["seed"], promise_of(first["seed"])) == (SECRETS[0], state["promise"])
    assert first["fair"] == {"promise": state["promise"], "numbers": [{"by": "start", "number": NUMBERS[5]}]}


def test_the_number_of_whoever_begins_changes_the_decks(fair):
    orders = []
    for number in (None, NUMBERS[0], NUMBERS[1]):
        fair.session._state.next_promise.secret = SECRETS[20]
        start(fair, number=number)
        orders.append(entries_of(fair)[0].body["chance"]["shuffled"])
        assert checked(fair).is_fair
    assert orders[0] != orders[1] != orders[2]


@pytest.mark.parametrize(
    ("number", "promise"), [("short", None), (7, None), ("Z" * 32, None), (NUMBERS[0], "f" * 64), (NUMBERS[0], 3)]
)
def test_an_odd_number_of_whoever_begins_is_passed_over(fair, number, promise):
    start(fair, number=number, promise=promise)
    assert fair.state["fair"]["numbers"] == []
    assert checked(fair).is_fair


def test_a_setup_that_is_refused_uses_no_promise(fair):
    shown = fair.state["fair"]["next"]
    with pytest.raises(Refusal):
        fair.ask(StartGame({"players": ["red"]}))
    assert fair.state["fair"]["next"] == shown


def test_a_seed_that_is_given_plays_the_same_game_and_promises_nothing(fair):
    before = fair.state["fair"]["next"]
    fair.start()
    assert fair.state["fair"] == {"promise": None, "numbers": [], "next": before, "told": False, "week": None}
    assert "fair" not in entries_of(fair)[0].body
    assert not checked(fair).is_promised
    add(fair)
    assert fair.state["fair"]["next"]["numbers"] == ["red"]


def test_phones_of_seats_add_to_the_game_that_is_played(fair):
    start(fair)
    add(fair)
    add(fair, NUMBERS[1], BLUE, "blue")
    assert fair.state["fair"]["numbers"] == ["red", "blue"]
    assert [entry.kind for entry in entries_of(fair)] == ["game", "number", "number"]
    fair.tap("place", by="red", space="1:R1a")
    assert checked(fair).is_fair


def test_a_number_changes_what_is_not_made_yet_and_nothing_else(fair):
    start(fair)
    chance = fair.session._state.chance
    before, decks = chance.roll(0), entries_of(fair)[0].body["chance"]
    add(fair)
    assert chance.roll(0) != before
    assert entries_of(fair)[0].body["chance"] == decks


def test_each_seat_adds_one_number_from_its_own_phone(fair):
    start(fair)
    add(fair)
    assert refused(fair) == "number_added"
    assert refused(fair, number=NUMBERS[1]) == "number_added"
    assert refused(fair, number=NUMBERS[0], speaker=BLUE, seat="blue") == "number_added"
    assert refused(fair, speaker=BLUE) == "not_yours"
    assert refused(fair, speaker=Speaker(host=True, name="host"), seat="blue") == "not_yours"
    assert refused(fair, seat="purple") == "not_yours"
    assert refused(fair, number=NUMBERS[2], speaker=GREEN, seat="green") == "no_such_seat"
    assert refused(fair, number="0" * 33, speaker=BLUE, seat="blue") == "malformed"
    assert refused(fair, number=None, speaker=BLUE, seat="blue") == "malformed"
    assert refused(fair, speaker=BLUE, seat="blue", number=NUMBERS[3], promise="0" * 64) == "promise_changed"
    assert [entry.kind for entry in entries_of(fair)] == ["game", "number"]


def test_numbers_for_the_next_game_wait_for_it(fair):
    shown = fair.state["fair"]["next"]["promise"]
    add(fair, promise=shown)
    assert refused(fair, number=NUMBERS[7]) == "number_added"
    fair.again()
    assert fair.state["fair"]["next"] == {"promise": shown, "numbers": ["red"]}
    start(fair, number=NUMBERS[4])
    assert fair.state["fair"]["numbers"] == ["red", "start"]
    assert refused(fair, number=NUMBERS[8]) == "number_added"
    add(fair, NUMBERS[8], BLUE, "blue", fair.state["fair"]["next"]["promise"])
    assert fair.state["fair"]["next"]["numbers"] == ["blue"]
    assert checked(fair).is_fair


def test_the_next_secret_is_its_owners_alone_and_used_once(fair):
    file = fair.folder / "promise.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = file.read_text()
    start(fair)
    fair.close()
    file.write_text(kept)  # as if the plug had been pulled between the game's first entry and the next promise
    fair.open()
    assert fair.state["fair"]["promise"] == promise_of(SECRETS[0])
    assert fair.state["fair"]["next"]["promise"] not in (promise_of(SECRETS[0]), promise_of(SECRETS[1]))
    for odd in ("", "[]", '{"secret": "x", "numbers": []}', '{"secret": 3}', "[" * 90_000):
        fair.close()
        file.write_text(odd)
        fair.open()
        assert len(fair.state["fair"]["next"]["promise"]) == 64
