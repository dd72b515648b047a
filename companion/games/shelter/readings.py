"""Where the books differ or are silent: the clause of each option, which contradict each other, and each book's set."""

from __future__ import annotations

from typing import Final

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "beginning": ("even_seats",),
    "income": ("income_late", "income_automatic", "income_per_dweller"),
    "building": ("build_always_paid", "second_room_free", "new_room_next_round"),
    "fights": ("linked_loss_injures_one", "healed_leaves_threat", "one_unhurt_defeats", "fight_for_each_reward"),
    "dwellers": ("passes_are_said", "linked_never_doubled", "training_replaces", "injured_not_trained"),
    "rewards": (
        "exchange_all_turn", "ready_item_pays", "reward_must_fit", "happiness_limited", "items_after_threats",
    ),
}  # fmt: skip
"""In the order in which pages show them; the words are `readings_<group>` and `rule_<option>`."""

CLAUSE_OF: Final = {
    "even_seats": "S3",
    "income_late": "M3",
    "income_automatic": "M1",
    "income_per_dweller": "M3",
    "build_always_paid": "B2",
    "second_room_free": "A4",
    "new_room_next_round": "B6",
    "linked_loss_injures_one": "G6",
    "healed_leaves_threat": "G3",
    "one_unhurt_defeats": "G4",
    "fight_for_each_reward": "A7",
    "passes_are_said": "R4",
    "linked_never_doubled": "A5",
    "training_replaces": "A2",
    "injured_not_trained": "A8",
    "exchange_all_turn": "Q4",
    "ready_item_pays": "I4",
    "reward_must_fit": "P8",
    "happiness_limited": "H1",
    "items_after_threats": "E2",
}

CONTRADICTIONS: Final = (
    ("income_automatic", "income_late"),  # always taken, and may lapse
    ("build_always_paid", "second_room_free"),
)

BOOKS: Final[dict[str, frozenset[str]]] = {
    "english": frozenset({"exchange_all_turn"}),
    "polish": frozenset({"exchange_all_turn", "build_always_paid", "healed_leaves_threat"}),
    "russian": frozenset({"exchange_all_turn", "build_always_paid", "income_automatic"}),
}
"""The options that are on at a table which follows the letter of one book."""


def contradiction(on: frozenset[str]) -> tuple[str, str] | None:
    """Return two options that contradict each other, if both are on."""
    return next((pair for pair in CONTRADICTIONS if on.issuperset(pair)), None)


def book_of(on: frozenset[str]) -> str:
    """Return the book whose set this is; empty where it is none's."""
    return next((book for book, options in BOOKS.items() if options == on), "")
