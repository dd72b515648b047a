"""Reviews of finished games beside the record: worked out once, behind play, for the line that was played."""

import subprocess
import sys
import threading

import pytest

from companion.app.background import TRIES, GameReviews
from companion.bots.review.review import Effort
from companion.canonical import seal, unseal
from companion.refusal import Refusal
from companion.table.bots import reviews
from companion.table.session.intents import AskLegal

QUICK = Effort(rough=2, fine=4, wide=1, again=3)
PATIENCE = 60


def placed(table):
    """The seat on turn places a dweller, and answers what it is asked."""
    moves = [offer.move for offer in table.session.question(AskLegal()).result(PATIENCE)]
    table.tap(**next(move for move in moves if move["do"] == "place"))
    table.all_answered()


def finish(table):
    """To the end of this round, by the first legal move."""
    table.tap("correct", set={"last_round": True})
    while table.state["phase"] != "over":
        moves = [offer.move for offer in table.session.question(AskLegal()).result(PATIENCE)]
        do = ("choose", "place", "pass", "recall", "spawn")
        table.tap(**min((move for move in moves if move["do"] in do), key=lambda move: do.index(move["do"])))


@pytest.fixture
def over(table):
    """A game that is over; its first placement was taken back and made elsewhere."""
    table.start()
    placed(table)
    table.tap("undo", to=0)
    finish(table)
    return table


def kept(table):
    return reviews.read(table.folder, "game-1", "shelter", table.state["version"])


def test_a_review_is_kept_and_worked_out_once(over, monkeypatch):
    found = reviews.work_out(over.folder, "game-1", QUICK)
    assert found == kept(over)
    assert found["moments"]
    monkeypatch.setattr(reviews, "review_of", None)
    assert reviews.work_out(over.folder, "game-1", QUICK) == found


def test_what_was_taken_back_is_no_moment(over):
    entries = over.record.entries("game-1")
    undone = next(entry.nth for entry in entries if entry.kind == "undo")
    found = reviews.work_out(over.folder, "game-1", Effort(rough=2, fine=2, wide=1, again=99))
    assert all(one["nth"] > undone for one in found["moments"])
    for one in found["moments"]:
        body = entries[one["nth"]].body["move"]
        assert {key: body[key] for key in ("do", "by")} == {key: one["move"][key] for key in ("do", "by")}


def test_a_game_that_was_corrected_after_its_end_is_looked_at_again(over):
    reviews.work_out(over.folder, "game-1", QUICK)
    over.tap("correct", set={"players": {"blue": {"happiness": 40}}})
    assert over.state["phase"] == "over"
    assert kept(over) is None
    assert reviews.work_out(over.folder, "game-1", QUICK) == kept(over)


def test_a_review_of_other_rules_or_a_damaged_one_is_not_shown(over):
    reviews.work_out(over.folder, "game-1", QUICK)
    path = over.folder / reviews.FOLDER / "game-1.json"
    whole = path.read_text(encoding="utf-8")
    raw = unseal(whole.strip())
    altered = whole.replace('"before":0.', '"before":1.', 1)
    assert altered != whole
    for odd in ("", "[", "null", "[]", whole[:-40], altered, seal({**raw, "rules": 0}), seal({**raw, "format": 0})):
        path.write_text(odd, encoding="utf-8")
        assert kept(over) is None, odd
    path.write_text(whole, encoding="utf-8")
    assert kept(over) is not None


def test_what_is_not_over_or_not_there_is_refused(table):
    table.start()
    for game, code in (("game-1", "not_over"), ("nothing", "no_such_game"), ("../game-1", "no_such_game")):
        with pytest.raises(Refusal) as refused:
            reviews.work_out(table.folder, game, QUICK)
        assert refused.value.code == code
    assert not (table.folder / reviews.FOLDER).exists()


def test_a_disk_that_takes_no_file_costs_the_keeping_alone(over):
    (over.folder / reviews.FOLDER).write_text("in the way")
    assert reviews.work_out(over.folder, "game-1", QUICK)["moments"]


# --- behind the game --------------------------------------------------------------------------------------------------


class Processes:
    """Starts the processes of a test in place of the companion's own, one after the other."""

    def __init__(self, *scripts):
        self.scripts = list(scripts)
        self.asked = []
        self.ended = threading.Event()

    def __call__(self, *arguments):
        self.asked.append(arguments)
        if len(self.asked) >= len(self.scripts):
            self.ended.set()
        script = self.scripts[min(len(self.asked), len(self.scripts)) - 1]
        return subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)


DIES = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
WORKS = "pass"
HANGS = "import time; time.sleep(600)"


def until(reviewing, game, state):
    never = threading.Event()
    while reviewing.state(game) != state:
        never.wait(0.02)


@pytest.fixture
def reviewing(table):
    made = []

    def begin(*scripts, **more):
        processes = Processes(*scripts)
        made.append(GameReviews(table.session, table.folder, processes, **more))
        made[-1].start()
        return made[-1], processes

    yield begin
    for one in made:
        one.close()


def test_the_game_at_the_table_is_reviewed_when_it_is_over(over, reviewing):
    _, processes = reviewing(WORKS)
    assert processes.ended.wait(PATIENCE)
    assert processes.asked == [("review", "game-1", "--aside", "--data", str(over.folder))]


@pytest.mark.parametrize("breaks", [DIES, "raise SystemExit(1)"])
@pytest.mark.usefixtures("over")
def test_a_process_that_dies_is_tried_once_more(reviewing, breaks):
    mine, processes = reviewing(breaks, WORKS)
    assert processes.ended.wait(PATIENCE)
    until(mine, "game-1", "")
    assert len(processes.asked) == 2


def test_one_that_dies_again_and_again_is_given_up_and_play_goes_on(over, reviewing):
    mine, processes = reviewing(*[DIES] * TRIES)
    until(mine, "game-1", "failed")
    assert len(processes.asked) == TRIES
    over.start()
    placed(over)


@pytest.mark.usefixtures("over")
def test_one_that_stands_still_is_ended(reviewing):
    mine, processes = reviewing(HANGS, WORKS, patience=0.2)
    assert processes.ended.wait(PATIENCE)
    until(mine, "game-1", "")
    assert len(processes.asked) == 2


@pytest.mark.usefixtures("over")
def test_a_game_that_waits_is_not_asked_for_twice(reviewing):
    mine, processes = reviewing(HANGS)
    assert processes.ended.wait(PATIENCE)
    for game in ("game-1", "older", "older"):
        mine.ask(game)
    assert [mine.state(game) for game in ("game-1", "older", "other")] == ["waiting", "waiting", ""]
    assert len(processes.asked) == 1


def test_a_review_that_is_kept_is_not_worked_out_again_by_the_next_start(over, reviewing):
    reviews.work_out(over.folder, "game-1", QUICK)
    mine, processes = reviewing(WORKS)
    over.start()
    mine.ask("game-2")
    assert processes.ended.wait(PATIENCE)
    assert [one[1] for one in processes.asked] == ["game-2"]


def test_a_game_that_is_corrected_while_it_is_looked_at_is_looked_at_again(over, reviewing):
    line = over.folder / "go"
    waits = f"import pathlib, time\nwhile not pathlib.Path({str(line)!r}).exists(): time.sleep(0.02)"
    mine, processes = reviewing(waits, WORKS)
    until(mine, "game-1", "waiting")
    while not processes.asked:
        threading.Event().wait(0.02)
    over.tap("correct", set={"players": {"blue": {"happiness": 40}}})
    line.touch()
    assert processes.ended.wait(PATIENCE)
    until(mine, "game-1", "")
    assert [one[1] for one in processes.asked] == ["game-1", "game-1"]
