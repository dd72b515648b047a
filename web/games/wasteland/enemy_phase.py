"""The enemy phase step by step: which types act, and what each enemy of the type does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from web.games.wasteland import contest, scene

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.wasteland.names import Names
    from web.games.wasteland.scene import Token


@dataclass(frozen=True, slots=True)
class Kind:
    """One symbol of the revealed agenda: done, now or next."""

    name: str
    when: str


@dataclass(frozen=True, slots=True)
class Plan:
    """One enemy of the type that acts: what it does, and whether it has."""

    token: Token
    text: str
    when: str


@dataclass(frozen=True, slots=True)
class Phase:
    """The phase as it stands."""

    agenda: str
    kinds: list[Kind]
    rule: str
    plans: list[Plan]


def phase(words: Words, names: Names, state: dict[str, Any]) -> Phase | None:
    """What the big screen shows while enemies act; nothing in other phases."""
    acting = state["activating"]
    if state["phase"] != "enemies" or acting is None:
        return None
    now = acting["now"]
    kinds = [
        Kind(names.kind(kind), "done" if place < now else "now" if place == now else "next")
        for place, kind in enumerate(acting["types"])
    ]
    kind = acting["types"][now] if 0 <= now < len(acting["types"]) else ""
    rule = words.text("wrule_acting", type=names.kind(kind)) if kind else words.text("wrule_over")
    return Phase(names.of(state["revealed"] or ""), kinds, rule, _plans(words, names, state, kind, acting))


def _plans(words: Words, names: Names, state: dict[str, Any], kind: str, acting: dict[str, Any]) -> list[Plan]:
    waiting = set(acting["waiting"])
    found = []
    for number, raw in state["enemies"].items():
        if raw["type"] != kind:
            continue
        token = scene.token(words, names, state, number)
        if int(number) == acting["enemy"]:
            when = "now"
        elif not raw["active"] or int(number) in waiting:
            when = "next"
        else:
            when = "done"
        found.append(Plan(token, _does(words, names, state, raw), when))
    return found


def _does(words: Words, names: Names, state: dict[str, Any], raw: dict[str, Any]) -> str:
    """What an enemy will do, as far as the companion can see."""
    if not raw["active"]:
        return words.text("wplan_wakes")
    here = [
        colour
        for colour, player in state["players"].items()
        if raw["space"] and player["space"] == raw["space"] and player["loyal"] != raw["type"]
    ]
    enemy = contest.enemy_by_id(names, raw["id"])
    if here:
        weakest = min(here, key=lambda colour: state["players"][colour]["remaining"])
        return words.text("wplan_fights", who=names.player(weakest))
    ranged = enemy is not None and "ranged" in enemy.abilities
    return words.text("wplan_shoots" if ranged else "wplan_moves")
