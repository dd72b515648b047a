"""Past games, the history of this one, and the people who played, in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from companion.games.shelter.words import LETTERS
from companion.table.record.export import formats_of
from web.base.words import name_of
from web.games.charts import chart, decided
from web.games.port import HistoryEntry, PastGame
from web.games.shelter.cards import card_name, space_name, vault_state
from web.games.shelter.seat import dweller_name

if TYPE_CHECKING:
    from companion.table.record.history import Story, StoryStep
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState

ROLLED: Final = re.compile(r"\d\+\d")


def past(words: Words, story: Story, *, current: bool) -> PastGame | None:
    """Return a game as the history shows it; None where not even its first entry can be replayed."""
    state = story.state
    if state is None or not story.steps:
        return None
    winners = state["result"]["winners"] if state["result"] else []
    return PastGame(
        game=story.game,
        began=story.steps[0].at[:16].replace("T", " "),
        round=state["round"],
        players=[
            (colour, name_of(words, state, colour), story.standing[colour], colour in winners)
            for colour in state["players"]
        ],
        chart=chart(story.steps, story.colours),
        current=current,
        trouble=story.trouble is not None,
        decided=decided(story),
        kinds=formats_of(story),
        over=story.over,
        has_steps=True,
        curve=words.text("curve"),
    )


def entries(words: Words, story: Story, cards: PackCards) -> list[HistoryEntry]:
    if story.state is None:
        return []
    state = vault_state(story.state)
    return [
        HistoryEntry(
            step.nth, step.by if step.by in state["players"] else "", text_of(words, state, cards, step), step.round
        )
        for step in reversed(story.steps)
    ]


def text_of(words: Words, state: VaultState, cards: PackCards, step: StoryStep) -> str:
    who = name_of(words, state, step.by) if step.by in state["players"] else ""
    done = words.text(f"did_{step.do}") if words.has(f"did_{step.do}") else step.do
    told = (_what(words, state, cards, word) for word in step.values)
    what = " ".join(word for word in told if word)
    return " ".join(part for part in (f"{who}:" if who else "", done, what) if part)


def _what(words: Words, state: VaultState, cards: PackCards, word: str) -> str:
    """Return one word of the contract in the reader's own; empty where it says nothing to a reader."""
    room, _, side = word.partition("@")
    card = word.removeprefix("use:")
    if word[:1].isdigit() and word[1:2] == ":":
        return space_name(words, state, cards, word)
    if side and room in cards:
        return f"{card_name(words, cards, room)}, {words.text(f'side_{side}')}"
    if card in cards:
        return card_name(words, cards, card)
    if ROLLED.fullmatch(word) or "->" in word:
        return word
    if word in LETTERS or word.startswith("injured"):
        return dweller_name(words, word).lower()
    key = next((key for key in (f"resource_{word}", f"option_{word}") if words.has(key)), "")
    return words.text(key).lower() if key and word != "plain" else ""


def rounds(story: Story) -> list[tuple[int, int]]:
    """Return each round and the step with which it begins."""
    found: dict[int, int] = {}
    for at, step in enumerate(story.steps):
        found.setdefault(step.round, at)
    return [(number, at) for number, at in found.items() if number]
