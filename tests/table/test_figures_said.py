"""What people say of figures in doubt: the eye is told once, and told when the move is taken back."""

import pytest
from at_the_table import BLUE, RED, Eye, placed

from companion.table.ports import NOBODY_THERE, FigureSaid, Nobody


class Pupil(Nobody):
    """An eye that notes what it is told."""

    def __init__(self):
        self.learned, self.forgotten = [], []

    def learn(self, said):
        self.learned.append(said)

    def forget(self, number):
        self.forgotten.append(number)


@pytest.fixture
def pupil():
    return Pupil()


@pytest.fixture
def table(make_table, pupil):
    made = make_table(eyes=pupil)
    made.start(start={"players": {who: {"available": ["plain"] * 3} for who in ("red", "blue")}})
    return made


@pytest.fixture
def eye(table):
    eye = Eye(table)
    eye.look()
    return eye


def test_a_move_says_what_stands_where_the_camera_was_in_doubt(eye, table, pupil):
    eye.look(unsure=["1:R1a"])
    table.tap("place", RED, by="red", space="1:R1a")
    eye.look(unsure=["1:R1a"])
    assert pupil.learned == [FigureSaid(1, "1:R1a", "red", "standing")]
    assert not pupil.forgotten
    table.tap("undo", RED)
    assert pupil.forgotten == [1]
    table.tap("redo", RED)
    assert (len(pupil.learned), pupil.forgotten) == (1, [1])


def test_only_the_answer_that_is_taken_back_is_forgotten(eye, table, pupil):
    eye.look(unsure=["1:R1a", "1:R2a"])
    table.tap("place", RED, by="red", space="1:R1a")
    table.tap("place", BLUE, by="blue", space="1:R2a")
    table.tap("undo", BLUE)
    assert [one.space for one in pupil.learned] == ["1:R1a", "1:R2a"]
    assert pupil.forgotten == [2]
    table.tap("undo", RED)
    assert pupil.forgotten == [2, 1]


def test_where_the_camera_was_sure_nothing_is_to_be_learned(eye, table, pupil):
    eye.put(("1:R1a", "red"))
    eye.look(unsure=["1:R2a"])
    assert placed(table) == {"1:R1a": "red"}
    table.tap("undo", RED)
    table.tap("place", RED, by="red", space="1:R1a")
    assert not pupil.learned


def test_a_move_says_whose_figure_it_is_where_the_camera_sees_anothers(eye, table, pupil):
    eye.put(("1:R1a", "green"))
    eye.look()
    table.tap("place", RED, by="red", space="1:R1a")
    assert pupil.learned == [FigureSaid(1, "1:R1a", "red", "standing")]


def test_who_says_that_the_table_is_right_confirms_what_was_seen(eye, table, pupil):
    eye.put(("1:R1a", "blue"))
    eye.look()
    (one,) = eye.disagreements
    table.tap("resolve", BLUE, id=one["id"], option="right")
    eye.look()
    assert pupil.learned == [FigureSaid(1, "1:R1a", "blue", "standing")]
    table.tap("undo")
    assert pupil.forgotten == [1]


@pytest.mark.parametrize(("way", "pose"), [("moved", "standing"), ("ignore", NOBODY_THERE)])
def test_who_moves_a_figure_back_or_ignores_it_says_whether_it_is_there(eye, table, pupil, way, pose):
    table.tap("place", RED, by="red", space="1:R2a")
    eye.look()
    eye.put(("1:R1a", "red"))
    eye.look()
    table.tap("resolve", RED, id=eye.disagreements[0]["id"], option=way)
    assert pupil.learned == [FigureSaid(1, "1:R1a", "red", pose)]
    assert not pupil.forgotten
    table.tap("undo", RED)
    assert pupil.forgotten == [1]


def test_before_the_first_move_there_is_nothing_to_take_back(eye, table, pupil):
    eye.put(("1:R1a", "blue"))
    eye.look()
    table.tap("resolve", BLUE, id=eye.disagreements[0]["id"], option="ignore")
    assert pupil.learned == [FigureSaid(1, "1:R1a", "blue", NOBODY_THERE)]
    table.tap("place", RED, by="red", space="1:R2a")
    table.tap("undo", RED)
    assert not pupil.forgotten


def test_that_the_table_is_right_where_nobody_is_seen_says_that_nobody_is_there(eye, table, pupil):
    table.tap("place", RED, by="red", space="1:R1a")
    eye.follow()
    eye.take("1:R1a")
    eye.look()
    (one,) = eye.disagreements
    table.tap("resolve", RED, id=one["id"], option="right")
    assert pupil.learned == [FigureSaid(1, "1:R1a", "red", NOBODY_THERE)]


def test_who_says_the_recall_says_that_nobody_is_left_where_the_camera_is_in_doubt(eye, table, pupil):
    table.tap("place", RED, by="red", space="1:R1a")
    table.tap("pass", BLUE, by="blue")
    table.tap("pass", RED, by="red")
    eye.lay()
    eye.look(unsure=["1:R2a"])
    table.tap("recall")
    assert not pupil.learned, "red's figure is still seen: they are about to pick up"
    table.tap("undo")
    eye.take("1:R1a")
    eye.look(unsure=["1:R1a", "1:R2a"])
    table.tap("recall")
    assert pupil.learned == [FigureSaid(n, space, "", NOBODY_THERE) for n, space in enumerate(("1:R1a", "1:R2a"), 1)]
    table.tap("undo")
    assert pupil.forgotten == [1, 2]


def test_another_game_takes_nothing_back(eye, table, pupil):
    eye.look(unsure=["1:R1a"])
    table.tap("place", RED, by="red", space="1:R1a")
    table.start()
    table.tap("place", RED, by="red", space="1:R2a")
    table.tap("undo", RED)
    assert (len(pupil.learned), pupil.forgotten) == (1, [])
