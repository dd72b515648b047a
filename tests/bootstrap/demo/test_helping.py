"""What the helping hands do next, told by a state and a table."""

import pytest

from companion.app.demo.next_help import HelpStep, next_step, perform


def state(phase="place", todo=(), suggestion=None, placed=None, tracks=None, **players):
    usual = {"total": 0, "available": [], "bot": None}
    return {
        "phase": phase,
        "players": {colour: {**usual, **player} for colour, player in players.items()},
        "suggestion": suggestion,
        "pending": [],
        "placed": placed or {},
        "tracks": tracks or {},
        "table": {"todo": list(todo)},
    }


def asked(kind, place, *, seen=None, expected=None, by=None):
    return {"kind": kind, "place": place, "seen": seen, "expected": expected, "by": by}


def after(now, drawn, *, helping=True):
    """Do all there is to do; what was done."""
    done = []
    while (found := next_step(now, drawn.table, helping=helping)) is not None:
        perform(found, drawn.table)
        done.append(found)
        assert len(done) < 20
    return done


def test_dwellers_come_from_the_box_as_the_record_has_them(drawn):
    assert [one.verb for one in after(state(red={"total": 2}, blue={"total": 3}), drawn)] == ["bring"] * 5
    assert after(state(red={"total": 2}, blue={"total": 3}), drawn) == []


def test_a_bots_dweller_goes_where_it_said(drawn):
    said = {"by": "blue", "move": {"do": "place", "by": "blue", "space": "1:R2b"}, "reason": None}
    now = state(blue={"total": 2, "bot": "fair", "available": ["plain", "plain"]}, suggestion=said)
    after(now, drawn, helping=False)
    there = [one for one in drawn.table.scene.figures if drawn.table.space_of(one) == "1:R2b"]
    assert [(one.player, one.lying) for one in there] == [("blue", False)]


@pytest.mark.parametrize("left_over", ["red", "blue"])
def test_a_space_is_seen_empty_before_a_bots_dweller_goes_there(drawn, left_over):
    drawn.table.bring(left_over, 1)
    [figure] = drawn.table.scene.figures
    drawn.table.put(figure.key, "1:R2b")
    said = {"by": "blue", "move": {"do": "place", "by": "blue", "space": "1:R2b"}, "reason": None}
    players = {"red": {"total": 1}, "blue": {"total": 1, "bot": "fair", "available": ["plain"]}}
    todo = [asked("extra", "1:R2b", seen=left_over, by=left_over)]
    done = after(state(todo=todo, suggestion=said, **players), drawn)
    assert [one.verb for one in done if one.verb != "bring"] == ["lift"]
    done = after(state(suggestion=said, **players), drawn)  # the camera has seen that it is empty
    assert [(one.verb, one.where) for one in done] == [("put", "1:R2b")]


def test_the_second_dweller_of_a_linked_space_follows_the_record(drawn):
    drawn.table.lay("bunk-room", "2:L1")
    linked = {"by": "blue", "move": {"space": "2:L1a", "dwellers": ["plain", "plain"]}}
    after(state(blue={"total": 3, "bot": "fair"}, suggestion=linked), drawn)
    assert standing(drawn, "2:L1a") == 1
    todo = [asked("missing", "2:L1a", seen="blue", expected="blue", by="blue")]
    placed = {"2:L1a": {"by": "blue", "dwellers": ["plain", "plain"]}}
    done = after(state(blue={"total": 3, "bot": "fair"}, todo=todo, placed=placed), drawn, helping=False)
    assert [one.verb for one in done] == ["put"]
    assert standing(drawn, "2:L1a") == 2


def standing(drawn, space):
    return sum(drawn.table.space_of(one) == space for one in drawn.table.scene.figures)


def test_an_injured_dweller_lies_where_its_bot_said(drawn):
    said = {"by": "blue", "move": {"space": "1:E", "dwellers": ["injured"]}}
    after(state(blue={"total": 2, "bot": "fair", "available": ["plain"]}, suggestion=said), drawn)
    [there] = [one for one in drawn.table.scene.figures if drawn.table.space_of(one) == "1:E"]
    assert there.lying


def test_cards_are_laid_replaced_and_taken_as_the_record_asks(drawn):
    todo = [
        asked("card", "1:R1b", expected="wild-goose"),
        asked("card", "2:L1", expected="tea-room", by="red"),
        asked("card", "items:0", seen=None, expected="trombone"),
    ]
    after(state(todo=todo, red={}), drawn)
    assert drawn.table.card_at("1:R1b", threat=True) == "wild-goose"
    assert drawn.table.card_at("2:L1") == "tea-room"
    after(state(todo=[asked("card", "1:R1b", seen="wild-goose")], red={}), drawn)
    assert drawn.table.card_at("1:R1b", threat=True) is None


def test_without_help_only_the_bots_affairs_are_looked_after(drawn):
    todo = [asked("card", "1:R1b", expected="wild-goose"), asked("card", "3:L1", expected="tea-room", by="blue")]
    after(state(todo=todo, red={}, blue={"bot": "easy"}), drawn, helping=False)
    assert drawn.table.card_at("1:R1b", threat=True) is None
    assert drawn.table.card_at("3:L1") == "tea-room"


def test_figures_follow_the_record(drawn):
    one, two = drawn.table.bring("red", 2)
    drawn.table.put(one, "1:L2a")
    now = state(red={"total": 2, "available": ["plain"]}, todo=[asked("pose", "1:L2a", expected="lying", by="red")])
    assert next_step(now, drawn.table, helping=True) == HelpStep("tip", one, lying=True)
    now["table"]["todo"] = [asked("extra", "1:L2a", seen="red", by="red")]
    assert next_step(now, drawn.table, helping=True) == HelpStep("lift", one)
    now["table"]["todo"] = [asked("missing", "1:R2a", expected="red", by="red")]
    now["placed"] = {"1:R2a": {"by": "red", "dwellers": ["plain"]}}
    assert next_step(now, drawn.table, helping=True).what == two


def test_bots_pick_up_their_dwellers_at_the_recall(drawn):
    mine, its = drawn.table.bring("red", 1) + drawn.table.bring("blue", 1)
    drawn.table.put(mine, "1:L2a")
    drawn.table.put(its, "1:L2b")
    after(state("recall", red={"total": 1}, blue={"total": 1, "bot": "hard"}), drawn)
    assert drawn.table.space_of(drawn.table.figure(mine)) == "1:L2a"
    assert drawn.table.space_of(drawn.table.figure(its)) is None


def test_nobody_is_sent_out_again_while_all_go_home(drawn):
    drawn.table.bring("blue", 1)
    gone = [asked("missing", "1:L2b", seen="blue", expected="blue", by="blue")]
    placed = {"1:L2b": {"by": "blue", "dwellers": ["plain"]}}
    now = state("recall", blue={"total": 1, "bot": "hard"}, todo=gone, placed=placed)
    assert next_step(now, drawn.table, helping=True) is None


def test_the_injured_lie_at_home_and_the_healed_get_up(drawn):
    [key] = drawn.table.bring("red", 1)
    after(state(red={"total": 1, "available": ["injured"]}), drawn)
    assert drawn.table.figure(key).lying
    after(state(red={"total": 1, "available": ["plain"]}), drawn)
    assert not drawn.table.figure(key).lying


def test_the_tracks_are_dealt_as_the_record_has_them(drawn):
    tracks = {"items": ["trombone", "unknown", "slingshot"], "rooms": ["tea-room"]}
    assert [(one.verb, one.where) for one in after(state(tracks=tracks), drawn)] == [
        ("lay", "items:0"),
        ("lay", "items:2"),
        ("lay", "rooms:0"),
    ]
    assert after(state(tracks=tracks), drawn, helping=False) == []


def test_a_room_that_is_built_goes_from_its_track_into_the_vault(drawn):
    """It is the only card of its name: it is lifted before it is laid."""
    after(state(tracks={"rooms": ["tea-room"]}), drawn)
    todo = [asked("card", "2:L1", expected="tea-room", by="red")]
    done = after(state(todo=todo, tracks={"rooms": ["rain-barrel"]}, red={}), drawn)
    assert [(one.verb, one.where) for one in done] == [("take", "rooms:0"), ("lay", "2:L1"), ("lay", "rooms:0")]
