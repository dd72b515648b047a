"""What lies in the middle: spaces, enemies and their phase, factions, quests, the shop, reminders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from companion.cards.wasteland import in_words
from companion.cards.wasteland.blanks import is_blank
from companion.games.wasteland import library
from web.games.port import HandLine
from web.games.wasteland import actions, board, contest, learning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards.wasteland.types import Encounter
    from companion.games.wasteland.state_types import ActivatingState, EnemyState, ReminderState, WastelandState
    from companion.table.session.state_view import HandTaskJson
    from web.base.words import Words
    from web.games.wasteland.contest import Foe
    from web.games.wasteland.names import Names


@dataclass(frozen=True, slots=True)
class TokenView:
    """An enemy on the map."""

    number: int
    name: str
    active: bool
    foe: Foe | None
    space: str
    learn: str = ""
    """Where it is entered, if nobody has."""


@dataclass(slots=True)
class SpaceView:
    name: str
    figures: list[str]
    tokens: list[TokenView]


@dataclass(frozen=True, slots=True)
class PowerView:
    """A faction's token on the power track."""

    faction: str
    name: str
    at: int
    over: int
    """Steps beyond the last space."""
    tokens: str = ""
    """What its tokens on the map mean, where they are no enemies."""


@dataclass(frozen=True, slots=True)
class QuestView:
    number: int
    name: str
    objectives: list[str]
    note: str
    learn: str
    """Where more of it is entered."""


@dataclass(frozen=True, slots=True)
class Stall:
    """A card of the shop."""

    name: str
    cost: str
    text: str
    learn: str = ""
    """Where it is entered, if nobody has."""


def token(words: Words, names: Names, state: WastelandState, number: str) -> TokenView:
    raw = state["enemies"][number]
    enemy = contest.enemy_by_id(names, raw["id"])
    shown = contest.foe(words, names, enemy, raw["level"]) if enemy is not None else None
    return TokenView(int(number), names.enemy(number), raw["active"], shown, names.space(raw["space"]),
                     learning.of_enemy(raw["id"], raw["type"]))  # fmt: skip


def spaces(words: Words, names: Names, state: WastelandState) -> list[SpaceView]:
    """Return the spaces where survivors and enemies are, those with survivors first."""
    found: dict[str, SpaceView] = {}
    for colour, player in state["players"].items():
        if player["space"] and not player["eliminated"]:
            found.setdefault(player["space"], SpaceView(names.space(player["space"]), [], [])).figures.append(colour)
    for number, raw in state["enemies"].items():
        at = raw["space"] or ""
        one = found.setdefault(at, SpaceView(names.space(raw["space"]), [], []))
        one.tokens.append(token(words, names, state, number))
    for faction, spaces in state.get("tokens", {}).items():
        for at in spaces:
            one = found.setdefault(at, SpaceView(names.space(at), [], []))
            one.tokens.append(TokenView(0, names.faction(faction), True, None, at))
    return list(found.values())


def power(names: Names, state: WastelandState) -> list[PowerView]:
    last = state["track"] - 1
    return [
        PowerView(faction, names.faction(faction), min(at, last), max(0, at - last), names.tokens_of(faction))
        for faction, at in state["power"].items()
    ]


class OpenHand(NamedTuple):
    colour: str
    agendas: list[str]


class TogetherView(NamedTuple):
    """What all have reached together, and the hands, which lie open."""

    influence: int
    needed: int
    hands: list[OpenHand]


def together(names: Names, state: WastelandState) -> TogetherView | None:
    if "together" not in state:
        return None
    one = state["together"]
    hands = [OpenHand(colour, [names.of(agenda) for agenda in hand]) for colour, hand in one["hands"].items()]
    return TogetherView(one["influence"], one["needed"], hands)


def quests(words: Words, names: Names, state: WastelandState) -> list[QuestView]:
    found = []
    for number in state["quests"]:
        quest = names.box.quests.get(number)
        places = range(1, len(quest.objectives) + 1) if quest else ()
        lines = [actions.objective(words, names, number, place) for place in places]
        note = names.told(quest.note) if quest else ""
        found.append(QuestView(number, names.quest(number), lines, note, learning.of_quest(names, number)))
    return found


def shop(words: Words, names: Names, state: WastelandState) -> list[Stall]:
    found = []
    for name in state["shop"]:
        if name not in names.box.card_number:
            found.append(Stall(names.of(name), "", ""))
            continue
        card = names.box.cards[names.box.card_number[name]]
        if card.kind.value == "companion":
            needs = in_words.condition(words, names, card.recruit_if) if card.recruit_if else words.text("wanybody")
            cost = words.text("wrecruit_if", what=needs)
        else:
            cost = words.count("wcaps", card.cost) if card.cost is not None else ""
        text = "" if is_blank(name) else board.text_of(words, names, name)
        found.append(Stall(names.of(name), cost, text, learning.of_item(name)))
    return found


class ReadOption(NamedTuple):
    """An option of an encounter: what is read out, what it takes, and what follows."""

    text: str
    takes: str
    follows: list[str]


@dataclass(frozen=True, slots=True)
class ReadingView:
    """An encounter for whoever reads it out."""

    to: str
    colour: str
    name: str
    text: str
    options: list[ReadOption]


def encounter_of(names: Names, state: WastelandState) -> Encounter | None:
    """Return the card of the encounter under way, where it was dealt by the companion."""
    card = state["encounter"]["card"] if state["encounter"] is not None else None
    return next((one for one in names.box.encounters if one.id == card), None)


def reading(words: Words, names: Names, state: WastelandState, colour: str) -> ReadingView | None:
    """Return the encounter that this survivor reads out to the one on turn (W-ENC-2)."""
    card, visit, to = encounter_of(names, state), state["encounter"], state["turn"]
    if card is None or visit is None or to is None or visit.get("reader") != colour:
        return None
    options = [
        ReadOption(
            names.told(one.text) or words.text("woption_nth", n=place),
            in_words.option(words, names, one),
            in_words.follows(words, names, one),
        )
        for place, one in enumerate(card.options, 1)
    ]
    return ReadingView(names.player(to), to, names.of(card.id), names.told(card.note), options)


@dataclass(frozen=True, slots=True)
class ReminderView:
    """One thing to do on the table, and who does it."""

    by: str
    who: str
    text: str
    clauses: str


def reminders(words: Words, names: Names, state: WastelandState) -> list[ReminderView]:
    """Return reminders in the order in which they were given."""
    return [
        ReminderView(
            by=raw["by"] or "",
            who=names.player(raw["by"]) if raw["by"] else "",
            text=_text(words, names, raw),
            clauses=" ".join(raw["clauses"]),
        )
        for raw in state["reminders"]
    ]


def _text(words: Words, names: Names, raw: ReminderState) -> str:
    number = raw.get("number")
    text = words.text(
        f"wrem_{raw['key'].replace('-', '_')}",
        enemy=names.enemy(number) if raw["key"] == "enemy-moves" else "",
        toward=names.players(raw["toward"]) if raw.get("toward") else "",
        type=names.kind(str(raw["type"])) if raw.get("type") else "",
        at=names.space(raw["at"]) if raw.get("at") else "",
        reader=names.player(raw["reader"]) if raw.get("reader") else "",
        space=words.text(f"wicon_{raw['space']}") if words.has(f"wicon_{raw.get('space')}") else raw.get("space", ""),
        number=number or "",
    )
    more = [*raw.get("notes", ()), *([str(raw["words"])] if raw.get("words") else [])]
    return " ".join([text, *map(str, more)])


@dataclass(frozen=True, slots=True)
class ActingType:
    """One symbol of the revealed agenda: done, now or next."""

    name: str
    when: str


@dataclass(frozen=True, slots=True)
class Plan:
    """One enemy of the type that acts: what it does, and whether it has."""

    token: TokenView
    text: str
    when: str


@dataclass(frozen=True, slots=True)
class PhaseView:
    agenda: str
    kinds: list[ActingType]
    rule: str
    plans: list[Plan]


def phase(words: Words, names: Names, state: WastelandState) -> PhaseView | None:
    """Return what the big screen shows while enemies act; None in other phases."""
    acting = state["activating"]
    if state["phase"] != "enemies" or acting is None:
        return None
    now = acting["now"]
    kinds = [
        ActingType(names.kind(kind), "done" if place < now else "now" if place == now else "next")
        for place, kind in enumerate(acting["types"])
    ]
    kind = acting["types"][now] if 0 <= now < len(acting["types"]) else ""
    rule = words.text("wrule_acting", type=names.kind(kind)) if kind else words.text("wrule_over")
    return PhaseView(names.of(state["revealed"] or ""), kinds, rule, _plans(words, names, state, kind, acting))


def _plans(words: Words, names: Names, state: WastelandState, kind: str, acting: ActivatingState) -> list[Plan]:
    waiting = set(acting["waiting"])
    found = []
    for number, raw in state["enemies"].items():
        if raw["type"] != kind:
            continue
        laid = token(words, names, state, number)
        if int(number) == acting["enemy"]:
            when = "now"
        elif not raw["active"] or int(number) in waiting:
            when = "next"
        else:
            when = "done"
        found.append(Plan(laid, _does(words, names, state, raw), when))
    return found


def _does(words: Words, names: Names, state: WastelandState, raw: EnemyState) -> str:
    """Return what an enemy will do, as far as the companion can see."""
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


def hand_lines(words: Words, names: Names, state: WastelandState, owed: Sequence[HandTaskJson]) -> list[HandLine]:
    """Return the library's errands: which numbered card is fetched, or put away, and where it goes."""
    return [_errand(words, names, state, task) for task in owed]


def _errand(words: Words, names: Names, state: WastelandState, task: HandTaskJson) -> HandLine:
    number, in_play = task["what"], task["do"] == "lay"
    if not in_play:
        return HandLine("off", words.text("wfetch_back", n=number), words.text("wfetch_box"), (task["place"],))
    if task["kind"] == library.QUEST:
        quest = names.box.quests.get(int(number))
        where = words.text("wfetch_marker" if quest is not None and quest.marker else "wfetch_quest")
    else:
        icon = state["library"][number]
        count = min(len(state["order"]), max(0, state["encounters"][icon] - 1))
        where = words.text("wfetch_deck", deck=words.text(f"wdeck_{icon}_encounters"), n=count)
    return HandLine("lay", words.text("wfetch", n=number), where, (task["place"],))
