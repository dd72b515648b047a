"""A pack with faults: every one is told at its line, and what can be played is played."""

import pytest

from companion.cards.pack import PackFaults
from companion.cards.wasteland import loader

SKELETON = loader.skeleton()
HALF_A_QUEST = """
[[quest]]
number = 14
name = "Half"

[[quest.objective]]
steps = ["test ZZ 2"]

[[quest]]
number = 15
name = "Whole"

[[quest.objective]]
results = ["xp 1"]
"""
WRONG_CARDS = """
[[card]]
id = "pipe"
name = "Pipe"
deck = "loot"
kind = "cow"

[[card]]
id = "lens"
name = "Lens"
deck = "loot"
kind = "aid"
abilities = ["own-turn: unique no-such-thing"]

[[card]]
id = "soap"
name = "Soap"
deck = "loot"
kind = "aid"
"""


def lines_of(text, *parts):
    return [number for part in parts for number, line in enumerate(text.splitlines(), 1) if part in line]


def test_half_a_quest_is_left_out_and_the_other_half_of_the_pack_is_played():
    text = SKELETON + HALF_A_QUEST
    found = loader.playable("mine.toml", text.encode())
    assert [quest.number for quest in found.pack.quests] == [15]
    steps, results = lines_of(text, '"test ZZ 2"')[0], lines_of(text, "[[quest.objective]]")[0]
    assert sorted(fault.line for fault in found.faults) == sorted([steps, results])


def test_faults_that_show_only_when_others_are_gone_are_told_at_their_own_lines():
    text = SKELETON + WRONG_CARDS
    found = loader.playable("mine.toml", text.encode())
    assert [card.id for card in found.pack.cards] == ["soap"]
    kind, lens = lines_of(text, '"cow"')[0], lines_of(text, '"lens"')[0] - 1
    assert [fault.line for fault in found.faults] == [kind, lens]
    assert loader.load("mine.toml", loader.written(found.data).encode()).cards == found.pack.cards


def test_a_faulty_setting_and_an_unknown_word_of_the_head_are_left_out():
    text = SKELETON.replace("verified = false", 'verified = false\ndiec = "x"').replace("loot = 34", 'loot = "many"')
    found = loader.playable("mine.toml", text.encode())
    assert len(found.faults) == 2
    assert found.pack.box.loot == 0
    assert found.pack.box.asset == 25


@pytest.mark.parametrize("text", ["id = ", 'id = "mine"\nverified = false', "[[survivor]]\nid = 7"])
def test_too_little_is_not_played(text):
    with pytest.raises(PackFaults):
        loader.playable("mine.toml", text.encode())
