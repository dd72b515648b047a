"""Whoever checks a game follows it through undo and restarts, and finds what does not follow from its promise."""

import json
import pickle

import in_the_wasteland
import pytest
from at_the_table import SETUP
from click.testing import CliRunner
from promised import NUMBERS, SECRETS, add, checked, entries_of, refused, start, wander

from companion.app.config import load
from companion.canonical import NO_HASH
from companion.cli import main
from companion.fair.check import BareEntry, check
from companion.fair.promise import AddedNumber, PromisedChance, promise_of
from companion.games import registry
from companion.table.record import open_game
from companion.table.record.entries import written
from companion.table.record.export import as_journal, find
from companion.table.record.open_game import replay
from companion.table.session.intents import Decide, Freeze, StartGame
from tests.examples.playing import PIG

# --- undo, restarts, entries that are passed over ---------------------------------------------------------------------


def round_of_threats(table):
    """Everybody passes, goes home, and the dice are rolled."""
    while table.state["phase"] == "place":
        table.tap("pass", by=table.state["turn"])
    if table.state["phase"] == "recall":
        table.tap("recall")
    table.tap("spawn")
    return [one["dice"] for one in table.state["spawned"]]


def test_a_roll_made_again_falls_the_same_though_a_number_has_joined(fair):
    start(fair)
    dice = round_of_threats(fair)
    fair.tap("undo")
    add(fair)
    fair.tap("spawn")
    assert [one["dice"] for one in fair.state["spawned"]] == dice
    fair.tap("undo")
    fair.again()
    fair.tap("spawn")
    assert [one["dice"] for one in fair.state["spawned"]] == dice
    found = checked(fair)
    assert found.is_fair
    assert found.count("roll") == 3 * len(dice)


def test_a_shuffle_made_again_takes_the_numbers_of_the_first_time():
    chance = PromisedChance(SECRETS[0])
    first = chance.shuffle(4, range(20))
    chance.note({"shuffled": [first], "shuffles": [4]})
    chance.add(AddedNumber("red", NUMBERS[0]))
    assert chance.shuffle(4, range(20)) == first
    assert chance.shuffle(5, range(20)) != PromisedChance(SECRETS[0]).shuffle(5, range(20))


@pytest.mark.parametrize("plays", ["shelter", "wasteland"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_games_that_wander_follow_from_their_promise(fair, plays, seed):
    """With undo, redo, numbers on the way, and restarts in between; what is written down replays to the same."""
    start(fair, plays, number=NUMBERS[0])
    for part in range(3):
        wander(fair, seed * 10 + part)
        fair.again()
    found = checked(fair)
    assert (found.kept, found.wrong) == (True, [])
    assert found.count("shuffle") > 0
    assert found.count("number") > 1
    replayed = replay(entries_of(fair))
    assert replayed.trouble is None


def test_a_third_game_is_promised_without_knowing_of_it(fair):
    (name,) = load(PIG / "companion.toml").games
    try:
        start(fair, "pig")
        add(fair)
        wander(fair, 5)
        found = checked(fair)
        assert (found.is_fair, found.count("roll") > 5) == (True, True)
    finally:
        registry.remove(name)


def test_dice_of_people_are_theirs_and_stay_so_after_an_undo(fair):
    start(fair)
    while fair.state["phase"] == "place":
        fair.tap("pass", by=fair.state["turn"])
    if fair.state["phase"] == "recall":
        fair.tap("recall")
    fair.tap("spawn", dice=[[3, 4]])
    fair.tap("undo")
    fair.tap("spawn")
    found = checked(fair)
    assert found.is_fair
    thrown = [draw for draw in found.draws if draw.kind == "thrown"]
    assert [(draw.nth, draw.fell, draw.follows) for draw in thrown] == [(0, [3, 4], None)]
    rolls = [draw for draw in found.draws if draw.kind == "roll"]
    assert [draw.nth for draw in rolls[:3]] == [1, 2, 0]
    assert (rolls[2].fell, rolls[2].by_people) == ([3, 4], True)
    assert [draw.by_people for draw in rolls[:2]] == [False, False]


def test_corrections_and_a_given_position_are_marked(fair):
    fair.ask(StartGame({**SETUP, "start": {"players": {"red": {"happiness": 4}}}}))
    fair.tap("correct", set={"players": {"red": {"happiness": 2}}})
    marked = [(draw.entry, draw.fell) for draw in checked(fair).draws if draw.kind == "corrected"]
    assert marked == [(0, ["start"]), (1, ["players"])]


def test_real_decks_and_dice_are_marked_for_the_whole_game(fair):
    fair.ask(StartGame({**SETUP, "cards": "table"}))
    assert [(draw.entry, draw.kind) for draw in checked(fair).draws][:1] == [(0, "dealt")]
    start(fair, "wasteland")
    assert fair.state["fair"]["promise"]
    fair.ask(StartGame({**in_the_wasteland.TWO, "options": {"dice": "table", "cards": "table"}}, "wasteland"))
    found = checked(fair)
    assert [(draw.entry, draw.kind) for draw in found.draws][:2] == [(0, "dealt"), (0, "thrown")]
    assert found.is_fair


def test_what_is_set_aside_has_fallen_all_the_same(fair, monkeypatch):
    start(fair)
    dice = round_of_threats(fair)
    nth = fair.state["version"]
    fair.close()
    applied = open_game.applied

    def crashing(entry, game):
        if entry.nth == nth:
            raise ValueError("rules that have changed")
        applied(entry, game)

    monkeypatch.setattr(open_game, "applied", crashing)
    fair.open()
    assert fair.state["record"]["state"] == "trouble"
    fair.ask(Decide("set-aside"))
    add(fair)
    fair.tap("spawn")
    assert [one["dice"] for one in fair.state["spawned"]] == dice
    assert checked(fair).is_fair
    fair.again()
    fair.tap("undo")
    fair.tap("spawn")
    assert [one["dice"] for one in fair.state["spawned"]] == dice
    assert checked(fair).is_fair


# --- what does not follow is found ------------------------------------------------------------------------------------


def forged(entries, change):
    """The same game with other bodies, chained anew: what a companion that cheats would write."""
    made, before = [], NO_HASH
    for entry in entries:
        body = entry.body
        change(body)
        one = written(entry.game, entry.nth, before, entry.kind, body)
        made.append(one)
        before = one.hash
    return made


def with_dice(body):
    if "dice" in body.get("chance", {}):
        body["chance"]["dice"][0] = [6 - body["chance"]["dice"][0][0] % 2, 6]


def with_a_card_moved(body):
    for order in body.get("chance", {}).get("shuffled", []):
        order[-1], order[-2] = order[-2], order[-1]


def with_another_secret(body):
    body.update(seed=SECRETS[15])


def with_an_odd_secret(body):
    body.update(seed="1")


def with_another_number(body):
    if "number" in body:
        body.update(number=NUMBERS[9])


def with_a_second_number(body):
    if "number" in body:
        body.update(by="start")


def with_a_place_chosen(body):
    if "rolls" in body.get("chance", {}):
        body["chance"]["rolls"][0] += 5


def without_places(body):
    body.get("chance", {}).pop("rolls", None)


def with_odd_chance(body):
    if "dice" in body.get("chance", {}):
        body["chance"] = {"dice": 3, "rolls": {}}


CHEATS = (
    with_dice, with_a_card_moved, with_another_secret, with_an_odd_secret, with_another_number, with_a_second_number,
    with_a_place_chosen, without_places, with_odd_chance,
)  # fmt: skip


@pytest.mark.parametrize("cheat", CHEATS)
def test_what_does_not_follow_is_found(fair, cheat):
    start(fair, number=NUMBERS[0])
    add(fair, NUMBERS[1])
    round_of_threats(fair)
    assert checked(fair).is_fair
    assert not check(forged(entries_of(fair), cheat)).is_fair


@pytest.mark.parametrize("by", ["purple", "yellow", "start", 3, None])
def test_a_number_of_nobody_who_plays_is_found_where_nothing_follows_from_it(fair, by):
    start(fair)
    entries = [BareEntry(one.nth, one.kind, one.body) for one in entries_of(fair)]
    assert check(entries).is_fair
    found = check([*entries, BareEntry(len(entries), "number", {"by": by, "number": NUMBERS[9]})])
    assert [(one.kind, one.wrong) for one in found.wrong] == [("number", "form")]


@pytest.mark.parametrize(("by", "fits"), [("yellow", True), ("start", True), ("purple", False)])
def test_before_the_first_card_every_seat_adds_a_number_and_nobody_else(fair, by, fits):
    start(fair)
    first = entries_of(fair)[0]
    body = {**first.body, "fair": {**first.body["fair"], "numbers": [{"by": by, "number": NUMBERS[9]}]}}
    added = next(one for one in check([BareEntry(0, "game", body)]).draws if one.kind == "number")
    assert (added.wrong is None) == fits


def test_a_roll_that_is_chosen_among_those_of_the_past_is_found(fair):
    """Every value follows, but not at this place: an old roll in the place of a new one."""
    start(fair)
    round_of_threats(fair)
    last = entries_of(fair)[-1]
    again = BareEntry(last.nth + 1, "move", last.body)
    found = check([*entries_of(fair), again])
    assert {draw.wrong for draw in found.wrong} == {"place"}


def test_odd_entries_end_no_check(fair):
    start(fair)
    first = entries_of(fair)[0]
    odd = [
        {"chance": 3}, {"chance": {"dice": [3], "rolls": ["x"]}}, {"chance": {"shuffled": [3], "shuffles": [0]}},
        {"move": 3, "chance": {"thrown": [1]}}, {"move": {"do": "correct", "set": 3}}, {"to": 99}, {"since": "x"},
        {"by": [], "number": {}}, {"chance": {"dice": [[1, 2]], "rolls": [[1]]}},
    ]  # fmt: skip
    for body in odd:
        for kind in ("move", "undo", "redo", "aside", "number"):
            check([first, BareEntry(1, kind, body)])
    for fairness in (3, None, {}, {"promise": [], "numbers": 3}, {"numbers": [3]}):
        check([BareEntry(0, "game", {**first.body, "fair": fairness})])


# --- who must not know ------------------------------------------------------------------------------------------------


def test_neither_a_position_nor_the_state_holds_the_secret(fair):
    start(fair)
    snapshot = fair.session.snapshots.latest
    kept = pickle.dumps(snapshot.position.game)
    for secret in SECRETS[:2]:
        assert secret not in snapshot.text
        assert secret.encode() not in kept
        assert bytes.fromhex(secret) not in kept


def test_a_game_that_was_put_away_takes_numbers_and_goes_on(fair):
    start(fair)
    fair.ask(Freeze())
    add(fair)
    fair.again()
    assert fair.state["fair"]["numbers"] == ["red"]


def test_an_exported_journal_is_checked_as_the_record_is(fair, tmp_path):
    start(fair, number=NUMBERS[3])
    round_of_threats(fair)
    out = tmp_path / "game.journal"
    out.write_text(as_journal(entries_of(fair)), encoding="utf-8")
    assert check(find(str(out), tmp_path).entries).as_json() == checked(fair).as_json()


# --- the end taken back -----------------------------------------------------------------------------------------------


def to_the_end(table):
    table.tap("correct", set={"last_round": True})
    while table.state["phase"] == "place":
        table.tap("pass", by=table.state["turn"])
    table.tap("recall")
    assert table.state["phase"] == "over"


def test_who_has_read_the_secret_adds_no_number_to_it_any_more(fair):
    """The end is taken back, and a number could be tried until the next rolls suit."""
    start(fair)
    to_the_end(fair)
    fair.tap("undo")
    for _ in range(2):
        state = fair.state["fair"]
        assert (state["told"], state["numbers"]) == (True, [])
        assert refused(fair, promise=state["promise"]) == "promise_changed"
        fair.again()
    add(fair)
    assert (fair.state["fair"]["numbers"], fair.state["fair"]["next"]["numbers"]) == ([], ["red"])


def test_an_end_that_was_taken_back_is_listed_and_no_number_behind_it_counts(fair):
    start(fair)
    to_the_end(fair)
    assert "taken back" not in replayed(fair, "game-1")[1]
    fair.tap("undo")
    nth = fair.state["version"]
    fair.tap("recall")
    fair.tap("correct", set={"phase": "place"})
    code, said = replayed(fair, "game-1")
    assert (code, said.count("the end was taken back")) == (0, 2)
    assert f"the end was taken back (entry {nth}): the secret was told before" in said
    assert "by people: 0 thrown, 0 dealt, 2 corrected, 2 reopened" in said
    entries = [BareEntry(one.nth, one.kind, one.body) for one in entries_of(fair)]
    late = BareEntry(len(entries), "number", {"by": "red", "number": NUMBERS[9]})
    found = check([*entries, late], [nth])
    assert [(one.kind, one.wrong) for one in found.wrong] == [("number", "form")]
    assert check([*entries, late]).is_fair


# --- the command ------------------------------------------------------------------------------------------------------


def replayed(table, *words):
    done = CliRunner().invoke(main, ["replay", "--data", str(table.folder), "--fair", *map(str, words)])
    return done.exit_code, done.output


def test_the_command_checks_and_ends_with_1_where_something_does_not_follow(fair, tmp_path):
    start(fair, number=NUMBERS[0])
    add(fair, NUMBERS[1])
    round_of_threats(fair)
    code, said = replayed(fair, "game-1")
    assert code == 0
    assert f"promised as {promise_of(SECRETS[0])}" in said
    assert f"a number of red (entry 1): {NUMBERS[1]}" in said
    assert "3 rolls, 3 shuffles, 0 wrong" in said
    told = json.loads(replayed(fair, "game-1", "--json")[1])
    assert (told["fairness"]["fair"], told["id"]) == (True, "game-1")
    assert json.loads(replayed(fair, "game-1", "--json", "--to", 0)[1])["fairness"]["draws"][0]["kind"] == "number"
    file = tmp_path / "cheat.journal"
    file.write_text(as_journal(forged(entries_of(fair), with_dice)), encoding="utf-8")
    code, said = replayed(fair, file)
    assert code == 1
    assert "WRONG (value): roll 0" in said
    assert said.endswith("Error: Chance does not follow from what was promised.\n")


def test_the_command_says_of_an_older_game_that_it_cannot_be_checked(fair):
    fair.start()
    code, said = replayed(fair, "game-1")
    assert (code, "played before chance could be checked" in said) == (0, True)
