"""The head of the wasteland's pages: whose turn it is, what comes next, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from web.base.words import name_of, spoken
from web.games.port import Head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.wasteland.state_types import WastelandEnd, WastelandState
    from web.base.words import Words


def head(words: Words, state: WastelandState) -> Head:
    """The head of a state."""
    title, sub = _title(words, state)
    return Head(
        round=words.text("round", n=state["round"]),
        phase=words.text(f"wphase_{state['phase']}"),
        camera="off",
        camera_text=words.text("app_title"),
        colour=_who(state) or "",
        title=title,
        sub=sub,
        last_round=False,
    )


def tell(words: Words, state: WastelandState, seats: frozenset[str], asked: Sequence[str]) -> str:
    """What a voice says of a state."""
    title, sub = _title(words, state)
    if _who(state) in seats and state["phase"] == "turn" and not state["pending"]:
        title = words.text("your_turn")
    return spoken(title, sub, *asked)


def call(state: WastelandState, seats: frozenset[str]) -> str:
    """What these seats are waited for, as a key that changes with it."""
    ids = [str(choice["id"]) for choice in state["pending"] if choice["by"] in seats]
    turn = state["phase"] == "turn" and state["turn"] in seats and not state["pending"]
    return "-".join([*([f"turn{state['round']}"] if turn else []), *ids])


def _who(state: WastelandState) -> str | None:
    """Whom the table waits for."""
    asked = next((choice["by"] for choice in state["pending"] if choice["by"]), None)
    found: str | None = asked or state["turn"]
    return found if state["phase"] not in ("over", "frozen") else None


def _title(words: Words, state: WastelandState) -> tuple[str, str]:
    phase = state["phase"]
    if phase == "over" and state["result"] is not None:
        return _won(words, state, state["result"])
    waiting = _waiting(words, state)
    if phase == "turn" and state["turn"]:
        return words.text("turn_of", name=name_of(words, state, state["turn"])), waiting or _left(words, state)
    key = f"wtitle_{phase}"
    title = words.text(key) if words.has(key) else words.text(f"title_{phase}")
    return title, waiting or (words.text(f"wsub_{phase}") if words.has(f"wsub_{phase}") else "")


def _left(words: Words, state: WastelandState) -> str:
    left = words.count("wactions", state["actions"]["left"])
    points = state["actions"]["points"]
    return f"{left} · {words.count('wpoints', points)}" if points else left


def _waiting(words: Words, state: WastelandState) -> str:
    asked = dict.fromkeys(choice["by"] for choice in state["pending"] if choice["by"])
    if not asked:
        return ""
    return words.text("sub_waiting", names=", ".join(name_of(words, state, colour) for colour in asked))


def _won(words: Words, state: WastelandState, result: WastelandEnd) -> tuple[str, str]:
    decided = words.text(f"wdecided_{result['decided_by'].replace('-', '_')}")
    if not result["winners"]:
        return words.text("wlost_all"), decided
    names = ", ".join(name_of(words, state, colour) for colour in result["winners"])
    return words.text("won" if len(result["winners"]) == 1 else "won_shared", names=names), decided
