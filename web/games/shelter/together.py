"""Co-operative play on the pages: the shared aims, the crisis of the round, and the break-ins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.cards.together import CRISES

if TYPE_CHECKING:
    from companion.games.shelter.state import AimState
    from web.base.words import Words
    from web.games.shelter.cards import VaultState


@dataclass(frozen=True, slots=True)
class SharedAim:
    text: str
    have: int
    goal: int
    most: bool
    met: bool


@dataclass(frozen=True, slots=True)
class TogetherPanel:
    """What everybody keeps an eye on; `does` is what the crisis brings."""

    aims: list[SharedAim]
    crisis: str
    does: str
    breaches: str
    borne: list[bool]
    """A place for each break-in that the vault bears, and whether it has happened."""
    round: str

    @property
    def met(self) -> int:
        return sum(aim.met for aim in self.aims)


def panel(words: Words, state: VaultState) -> TogetherPanel | None:
    """Return what is shared in co-operative play; None where everybody plays for themselves."""
    together = state.get("together")
    if together is None:
        return None
    crisis, over = together["crisis"], state["phase"] == "over"
    return TogetherPanel(
        aims=[_aim(words, aim, len(state["order"])) for aim in together["aims"]],
        crisis="" if over else words.text(f"crisis_{crisis}") if crisis else words.text("together_no_crisis"),
        does=words.text(f"crisis_{crisis}_does") if crisis and not over else "",
        breaches=words.text("together_breaches", n=together["breaches"], limit=together["limit"]),
        borne=[number < together["breaches"] for number in range(together["limit"])],
        round=words.text("together_round", n=state["round"], rounds=together["rounds"]),
    )


def name_of(words: Words, state: VaultState) -> str:
    """Return what a past game is called: how it was played together and whether the vault holds, else nothing."""
    played = state.get("together")
    if played is None:
        return ""
    name, result = words.text(f"mode_{played['difficulty']}"), state["result"]
    if result is None:
        return name
    return f"{name}: {words.text('together_won' if result['winners'] else 'together_lost')}"


def crises(words: Words) -> list[tuple[str, str]]:
    """Return every crisis and what it does, weak ones first."""
    return [(words.text(f"crisis_{one.key}"), words.text(f"crisis_{one.key}_does")) for one in CRISES]


def _aim(words: Words, aim: AimState, players: int) -> SharedAim:
    goal = aim["goal"]
    text = words.text(f"aim_{aim['id']}", goal=goal, each=goal // players, third=goal // 3)
    return SharedAim(text, aim["have"], goal, aim["most"], aim["met"])
