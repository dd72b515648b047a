"""Whose turn it is, what comes next, the scores, and what is shared in co-operative play: the head of every page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.cards.evenings.house_calls import effect_as_json
from companion.cards.together import CRISES
from companion.games.api import Sentences, Text, in_words
from companion.games.shelter import announcing
from companion.games.shelter.adapter import GAME
from web.base.words import name_of, spoken
from web.games.port import CampaignText, Head

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.cards.evenings.campaigns import Campaign, Names
    from companion.games.shelter.state import AimState, ShelterPlayer
    from web.base.words import Words
    from web.games.shelter.cards import VaultState


LOOKING: Final = ("watching", "unsure")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    colour: str
    name: str
    sub: str
    happiness: int
    if_ended_now: int
    on_turn: bool
    mine: bool
    passed: bool
    first: bool
    level: int


def rows(words: Words, state: VaultState, mine: frozenset[str]) -> list[ScoreRow]:
    return [
        ScoreRow(
            colour=colour,
            name=name_of(words, state, colour),
            sub=_sub(words, player),
            happiness=player["happiness"],
            if_ended_now=player["if_ended_now"],
            on_turn=state["turn"] == colour and state["phase"] == "place",
            mine=colour in mine,
            passed=player["passed"],
            first=state["first"] == colour,
            level=player["level"],
        )
        for colour, player in state["players"].items()
    ]


def _sub(words: Words, player: ShelterPlayer) -> str:
    cubes = sum(player["resources"].values())
    return " · ".join(
        (
            words.count("cubes", cubes),
            words.count("dwellers", player["total"]),
            words.count("items", len(player["items"])),
        )
    )


def head(words: Words, state: VaultState) -> Head:
    phase = state["phase"]
    title, sub = _title(words, state)
    camera, differing = state["table"]["camera"], len(state["table"].get("disagreements", ()))
    if camera in LOOKING:
        camera = "unsure" if differing else "watching"  # what it is not sure of yet is nobody's business
    return Head(
        round=_round(words, state),
        phase=words.text(f"phase_{phase}"),
        camera=camera,
        camera_text=words.count("to_settle", differing) if differing else words.text(f"camera_{camera}"),
        colour=(state["turn"] or "") if phase == "place" else "",
        title=title,
        sub=sub,
        last_round=bool(state["last_round"]) and phase != "over",
    )


def _round(words: Words, state: VaultState) -> str:
    """Return the round; together it is told how many there are (U3)."""
    if "together" in state:
        return words.text("together_round", n=state["round"], rounds=state["together"]["rounds"])
    return words.text("round", n=state["round"]) if state["round"] else ""


def _title(words: Words, state: VaultState) -> tuple[str, str]:
    phase = state["phase"]
    if phase == "place" and state["turn"]:
        return words.text("turn_of", name=name_of(words, state, state["turn"])), _after(words, state, state["turn"])
    if phase == "over":
        return won(words, state)
    sub = words.text(f"sub_{phase}") if words.has(f"sub_{phase}") else ""
    if phase == "recall" and state["pending"]:
        sub = words.text("sub_waiting", names=", ".join(_asked(words, state)))
    return words.text(f"title_{phase}"), sub


def _asked(words: Words, state: VaultState) -> list[str]:
    colours = dict.fromkeys(choice["by"] for choice in state["pending"] if choice["by"])
    return [name_of(words, state, colour) for colour in colours]


def tell(words: Words, state: VaultState, seats: frozenset[str], asked: Sequence[str]) -> str:
    """Return what a voice says of a state: whose turn it is, and what is asked of these seats."""
    title, sub = _title(words, state)
    if state["turn"] in seats and state["phase"] == "place":
        title = words.text("your_turn")
    return spoken(title, sub, *asked)


def call(state: VaultState, seats: frozenset[str]) -> str:
    """Return what these seats are waited for, as a key that changes with it; empty when nobody waits for them."""
    ids = [str(choice["id"]) for choice in state["pending"] if choice["by"] in seats]
    busy = any(choice["by"] == state["turn"] for choice in state["pending"])
    turn = state["phase"] == "place" and state["turn"] in seats and not busy
    return "-".join([*([f"turn{state['round']}.{len(state['placed'])}"] if turn else []), *ids])


def _after(words: Words, state: VaultState, turn: str) -> str:
    kinds = {choice["kind"] for choice in state["pending"] if choice["by"] == turn}
    if kinds:
        return words.text("sub_fighting" if kinds & {"fight", "reroll"} else "sub_choosing")
    order = state["order"]
    here = order.index(turn)
    able = [
        colour
        for colour in (*order[here + 1 :], *order[:here])
        if not state["players"][colour]["passed"] and state["players"][colour]["available"]
    ]
    left = words.count("dwellers_left", len(state["players"][turn]["available"]))
    if not able:
        return left
    return f"{left} · {words.text('then', name=name_of(words, state, able[0]))}"


def won(words: Words, state: VaultState) -> tuple[str, str]:
    """Return who has won and by what; together that is everybody or nobody."""
    result = state["result"]
    if result is None:
        return words.text("phase_over"), ""
    if "together" in state:
        key = "together_won" if result["winners"] else "together_lost"
        return words.text(key), words.text(f"decided_{result['decided_by']}")
    names = ", ".join(name_of(words, state, colour) for colour in result["winners"])
    key = "won" if len(result["winners"]) == 1 else "won_shared"
    return words.text(key, names=names), words.text(f"decided_{result['decided_by']}")


# --- co-operative play: the shared aims, the crisis of the round, and the break-ins -----------------------------------


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


def together_panel(words: Words, state: VaultState) -> TogetherPanel | None:
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


def house_call(words: Words, state: VaultState) -> str:
    """Return what the house call of the evening is called and says, in one line; empty where there is none."""
    text = announcing.house_call(state)
    return "" if text is None else in_words(text, {**GAME.words(words.language), "language": words.language})


def played_together(words: Words, state: VaultState) -> str:
    """Return what a past game is called: how it was played together and whether the vault holds, else nothing."""
    played = state.get("together")
    if played is None:
        return ""
    name, result = words.text(f"mode_{played['difficulty']}"), state["result"]
    if result is None:
        return name
    return f"{name}: {words.text('together_won' if result['winners'] else 'together_lost')}"


def campaign_text(words: Words, campaign: Campaign) -> CampaignText:
    """Return a campaign in the reader's words; an owner's has its own, and tells nothing before an evening."""
    own = {**GAME.words(words.language), "language": words.language}
    key = campaign.id.replace("-", "_")
    evenings = []
    for number, evening in enumerate(campaign.evenings, 1):
        title = _named(own, evening.names, f"call_{key}_{number}")
        effects = Sentences([announcing.call_effect(effect_as_json(effect)) for effect in evening.effects])
        does = in_words(
            Text("house_call_listed", {"name": words.text(f"mode_{evening.together}"), "says": effects}), own
        )
        evenings.append((title, own.get(f"told_{key}_{number}", ""), does.strip()))
    return CampaignText(campaign.id, _named(own, campaign.names, f"campaign_{key}"), evenings)


def _named(own: Mapping[str, str], names: Names, key: str) -> str:
    """Return an owner's name in the language, or the first that there is; where there are none, ours."""
    found = dict(names)
    return (found.get(own["language"]) or next(iter(found.values()))) if found else own[key]


def call_in_words(words: Words, call: Mapping[str, Any]) -> str:
    """Return a house call as a list of them has it."""
    text = announcing.call_text(call["id"], call.get("names", {}), call["effects"])
    return in_words(text._replace(key="house_call_listed"), {**GAME.words(words.language), "language": words.language})


def told_together(words: Words, state: VaultState, week: str, taken_back: int) -> tuple[str, ...]:
    """Return how an evening together went, to be shared; a week's challenge with its points and what was taken back."""
    together = state.get("together")
    if together is None or state["result"] is None or "levels" not in state:  # in a list of games it is shortened
        return ()
    met = sum(aim["met"] for aim in together["aims"])
    lines = [
        words.text("week_aims", n=met, all=len(together["aims"])),
        words.text("together_breaches", n=together["breaches"], limit=together["limit"]),
        words.text("together_round", n=state["round"], rounds=together["rounds"]),
    ]
    if week:
        points = GAME.points(state) or 0
        lines = [
            words.text("week_told", week=week, n=len(state["order"])),
            words.text("week_points", n=points),
            " · ".join(lines),
            words.text("week_taken_back", n=taken_back),
        ]
    else:
        lines = [" · ".join(lines)]
    call = house_call(words, state)
    return (*lines, call) if call else tuple(lines)


def crises(words: Words) -> list[tuple[str, str]]:
    """Return every crisis and what it does, weak ones first."""
    return [(words.text(f"crisis_{one.key}"), words.text(f"crisis_{one.key}_does")) for one in CRISES]


def _aim(words: Words, aim: AimState, players: int) -> SharedAim:
    goal = aim["goal"]
    text = words.text(f"aim_{aim['id']}", goal=goal, each=goal // players, third=goal // 3)
    return SharedAim(text, aim["have"], goal, aim["most"], aim["met"])
