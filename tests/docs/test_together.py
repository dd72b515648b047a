"""The rulebook of playing together tells the numbers of the rules."""

from pathlib import Path

from companion.cards.together import AIMS, CRISES, DIFFICULTIES, TABLE

TEXT = (Path(__file__).parents[2] / "docs/together.md").read_text(encoding="utf-8")
NUMBERS = {8: "eight", 9: "nine", 10: "ten", 11: "eleven", 12: "twelve"}


def test_the_break_ins_of_each_difficulty():
    for name, level in zip(DIFFICULTIES, TABLE, strict=True):
        assert f"| {name} | {' | '.join(map(str, level.breaches))} |" in TEXT


def test_the_rounds_and_what_there_is_to_draw():
    alone, two, three, four = (NUMBERS[rounds] for rounds in TABLE[0].rounds)
    assert len({level.rounds for level in TABLE}) == 1
    assert three == four
    assert f"{alone} rounds alone, {two} for two,\n  {three} for three and four" in TEXT
    assert TEXT.count(" · ") >= len(AIMS) - 3
    assert max(crisis.rolls for crisis in CRISES) == 3, "one to three more for the top level"
