"""The table by worlds: what was said of figures in full view, world by world and family by family."""

import json
import sys
from collections import Counter

from benchmarks import seeing
from benchmarks.seeing import Score, judge, main
from companion.vision.reading import CardSeen, Dweller, VisionReading


def figure(column, colour, *, tipped=False, mini="robot-1"):
    place = {"level": 0, "col": column, "space": 0}
    return {**place, "colour": colour, "tipped": tipped, "visible": 1.0, "mini": mini}


READING = VisionReading(
    "x.jpg",
    "found",
    rooms={"1:L3": CardSeen("room-kitchen", 1.0)},
    dwellers=(Dweller("1:L3a", "red", "standing", 0.99), Dweller("1:L2a", "blue", "lying", 0.95)),
)
TRUTH = {
    "cards": [{"level": 0, "col": 0, "kind": "room", "name": "room-kitchen", "visible": 1.0}],
    "dwellers": [figure(0, "red"), figure(1, "blue", mini="beast-0")],
}


def test_worlds_are_told_one_by_one_and_together(tmp_path, monkeypatch, capsys):
    def measured(world):
        score = Score()
        judge(READING, TRUTH if world.name == "b" else {**TRUTH, "dwellers": [figure(0, "red")]}, score)
        return score

    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "profile.json").write_text(json.dumps({}))
    monkeypatch.setattr(seeing, "measure", measured)
    monkeypatch.setattr(sys, "argv", ["seeing", str(tmp_path)])
    main()
    told = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "phantoms 1" in told["a"]
    assert "right  50.0%  wrong  50.0%" in told["b"]
    assert "n     2  right 100.0%" in told["robot"]
    assert "n     1  right   0.0%" in told["beast"]
    assert "n     3  right  66.7%" in told["figures"]
    assert "right 20.8% to 93.9%" in told["figures"]


def test_cards_are_told_by_their_names_where_the_truth_has_them():
    score = Score()
    judge(READING, TRUTH, score)
    assert score.rows["room", ">=.97"] == Counter(right=1)
