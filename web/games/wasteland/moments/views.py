"""The enemy phase, fights and tests, what comes before the end, and the end, in a reader's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

from companion.cards.wasteland.words import Ability
from companion.games.wasteland import events as wasteland
from companion.games.wasteland.box import COLOURS
from web.base.words import spoken
from web.games import endings
from web.games.endings import Ending, SumPart
from web.games.port import Page
from web.games.wasteland import choices, contest, scene
from web.games.wasteland.map import map_view
from web.games.wasteland.moments import facts
from web.games.wasteland.names import Names

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Enemy
    from companion.games.wasteland.position import WastelandPosition
    from companion.games.wasteland.state_types import WastelandEnd, WastelandPrivate, WastelandState
    from web.base.words import Words
    from web.games.endings import PodiumPlace
    from web.games.port import Reader
    from web.games.scenes import Scene
    from web.games.wasteland.choices import ChoiceView
    from web.games.wasteland.contest import DieView
    from web.games.wasteland.map.map_view import MapView
    from web.games.wasteland.scene import Plan


@dataclass(frozen=True, slots=True)
class SceneTexts:
    """What a view is made with: words, names, and the state in which it happened."""

    words: Words
    names: Names
    state: WastelandState
    game: WastelandPosition


def page_of(reader: Reader, shown: Scene, me: str, private: dict[str, WastelandPrivate]) -> Page:
    """Return a scene as a page's part."""
    position, state = reader.snapshot.position, facts.wasteland_state(shown.snapshot)
    then = shown.snapshot.position
    if position is None or then is None:
        raise AssertionError("a game that is being played has a position")
    texts = SceneTexts(reader.words, Names(reader.words, position.game.box, state), state, then.game)
    match shown.facts:
        case facts.ContestFact():
            return _contest(texts, reader, shown.facts, asked(reader, texts.names, private), mine=shown.facts.by == me)
        case facts.EnemiesFact():
            return _enemies(texts, shown.facts)
        case facts.PowerFact():
            return _power(texts, shown.facts)
        case facts.ClaimFact():
            return _claim(texts, shown.facts)
        case _:
            raise TypeError(shown.facts)


# --- a fight or a test ------------------------------------------------------------------------------------------------


def asked(reader: Reader, names: Names, private: dict[str, WastelandPrivate]) -> ChoiceView | None:
    """Return the question about the fight that is shown, where it is this reader's: it is asked in the scene itself."""
    shown, state = reader.scene, facts.wasteland_state(reader.snapshot)
    if shown is None or not shown.asks or shown.asks not in reader.who.seats:
        return None
    ids = {one["id"] for one in state["pending"] if one["kind"] in facts.ANSWERS and one["by"] == shown.asks}
    every = choices.choices(reader.words, names, state, frozenset({shown.asks}), private)
    contest.add_odds(reader.words, reader.snapshot, every)
    return next((one for one in every if one.id in ids), None)


class BoardChange(NamedTuple):
    """What a fight changes on the survivor's board."""

    name: str
    amount: str
    good: bool


class ShownDie(NamedTuple):
    """A die, and what it does: to the enemy, and to the survivor."""

    view: DieView
    does: str
    on: str


def _contest(
    texts: SceneTexts, reader: Reader, fact: facts.ContestFact, choice: ChoiceView | None, *, mine: bool
) -> Page:
    words, names = texts.words, texts.names
    enemy = contest.enemy_by_id(names, fact.enemy) if fact.enemy else None
    who, level = names.player(fact.by), _level(texts, fact)
    foe = contest.foe(words, names, enemy, level) if enemy is not None else None
    needed = fact.needed or (_needed(enemy, level) if enemy is not None else 0)
    raw = facts.wasteland_state(reader.snapshot)["contest"]
    lying = fact.dice if fact.dice or raw is None else tuple(raw["dice"])  # real dice are keyed in one by one
    dice = [_die(texts, name, enemy, who) for name in lying] if any(lying) else []
    stamp, won = _stamp(words, fact, who, fight=enemy is not None)
    effects = [_effect(words, name, amount) for name, amount in fact.effects if amount]
    judged = words.text("wsum", n=fact.hits, of=needed) if fact.needed else ""
    begun = words.text("fight_against", who=who, what=foe.name) if foe else words.text("wtests", name=who)
    if fact.phase == facts.OPEN:
        says = spoken(begun, words.text("wneeds", n=needed) if needed else "")
    elif fact.phase == facts.ROLLED:
        says = spoken(f"{who}: {words.text('wev_dice')}")
    else:
        says = spoken(begun, judged, stamp, ", ".join(f"{one.name} {one.amount}" for one in effects))
    fields: dict[str, object] = {
        "fact": fact,
        "foe": foe,
        "headline": _headline(words, who, mine=mine, fight=foe is not None),
        "sub": foe.name if foe is not None else words.text("wtest_title"),
        "letters": list(dict.fromkeys(fact.letters)),
        "needed": needed,
        "dice": dice,
        "stamp": stamp,
        "won": won,
        "sum": judged,
        "effects": effects,
        "drawn": [names.of(card) for card in fact.drawn],
        "choice": choice,
        "says": [says],
        "mark": f"{len(fact.effects)}{len(fact.drawn)}{'' if choice is None else choice.id}{''.join(map(str, lying))}",
    }
    return Page("wasteland/contest.html", fields)


def _level(texts: SceneTexts, fact: facts.ContestFact) -> int | None:
    raw = texts.state["contest"]
    token = texts.state["enemies"].get(str(raw["number"])) if raw is not None else None
    return token["level"] if token is not None and token["id"] == fact.enemy else None


def _needed(enemy: Enemy, level: int | None) -> int:
    """Return the hits that kill it, as its token shows them (W-FIGHT-10); 0 where its level is told by a letter."""
    found = level if level is not None else 0 if enemy.level_letter else enemy.level
    return found + (Ability.ARMOR in enemy.abilities) if found else 0


def _die(texts: SceneTexts, name: str | None, enemy: Enemy | None, who: str) -> ShownDie:
    words = texts.words
    view = contest.face(words, name, enemy)
    if view.none:
        return ShownDie(view, "", "")
    if enemy is None:
        return ShownDie(view, words.count("whits", view.hits), "")
    on = words.text("wdie_on", n=view.hits, name=who) if view.hits else ""
    return ShownDie(view, words.text("wdie_hits" if view.match else "wdie_misses"), on)


def _headline(words: Words, who: str, *, mine: bool, fight: bool) -> str:
    if fight:
        return words.text("you_fight") if mine else words.text("fights", name=who)
    return words.text("wyou_test") if mine else words.text("wtests", name=who)


def _stamp(words: Words, fact: facts.ContestFact, who: str, *, fight: bool) -> tuple[str, bool]:
    """Return what is stamped on it once it is judged, and whether that is good."""
    if fact.phase not in (facts.WON, facts.LOST):
        return "", False
    if fact.killed:
        return words.text("wstamp_died", name=who), False
    won = fact.phase == facts.WON
    good, bad = ("wstamp_killed", "wstamp_short") if fight else ("wstamp_passed", "wstamp_failed")
    return words.text(good if won else bad), won


def _effect(words: Words, name: str, amount: int) -> BoardChange:
    good = amount < 0 if name == "rads" else amount > 0
    return BoardChange(words.text(f"weffect_{name}"), f"{amount:+d}".replace("-", "\N{MINUS SIGN}"), good)


# --- the enemy phase --------------------------------------------------------------------------------------------------


class TypeTab(NamedTuple):
    """One type of the agenda; `at` is the step in which it acts, counted from those that are shown."""

    name: str
    at: int


class TypeStep(NamedTuple):
    """What a type does: as far as it is known at once, and what each of its enemies is about to do."""

    name: str
    number: int
    lines: list[str]
    plans: list[Plan]
    map: MapView | None


def _enemies(texts: SceneTexts, fact: facts.EnemiesFact) -> Page:
    words, names, state = texts.words, texts.names, texts.state
    before = int(fact.revealed)
    phase = scene.phase(words, names, state)
    acting, steps = state["activating"], []
    now = acting["types"][acting["now"]] if acting is not None and acting["now"] >= 0 else ""
    for nth, one in enumerate(fact.acted):
        last = nth == len(fact.acted) - 1 and one.kind == now
        plans = phase.plans if phase is not None and last else []
        lines = [_line(texts, event) for event in one.events]
        steps.append(
            TypeStep(
                words.text("wev_type_activated", type=names.kind(one.kind)),
                fact.first + nth + 1,
                lines if lines or plans else [words.text("wnone_there")],
                plans,
                _moved(texts, one),
            )
        )
    who = words.text("wreveals", name=names.player(fact.by))
    says = [spoken(who, names.of(fact.agenda), ", ".join(map(names.kind, fact.types)))] if fact.revealed else []
    says += [spoken(step.name, *step.lines) for step in steps]
    fields: dict[str, object] = {
        "revealed": fact.revealed,
        "by": fact.by,
        "who": who,
        "agenda": names.of(fact.agenda),
        "tabs": [TypeTab(names.kind(kind), before + nth - fact.first) for nth, kind in enumerate(fact.types)],
        "types": [names.kind(kind) for kind in fact.types],
        "steps": steps,
        "offset": before,
        "says": says,
    }
    return Page("wasteland/enemies.html", fields)


def _moved(texts: SceneTexts, acted: facts.ActedType) -> MapView | None:
    """Return the map with the ways of a type's enemies."""
    return map_view.map_view(texts.names, texts.game, moved=acted.ways) if acted.ways else None


def _line(texts: SceneTexts, event: wasteland.WastelandEvent) -> str:
    words, names = texts.words, texts.names
    match event:
        case wasteland.EnemyWoken(_, _, enemy):
            return words.text("wev_enemy_active", what=names.of(enemy))
        case wasteland.EnemyEvent(name, _, number):
            return words.text(f"wev_{name}", what=names.enemy(number))
        case wasteland.EnemyMoved(_, number, at):
            return words.text("wev_enemy_moved", what=names.enemy(number), at=names.space(at))
        case wasteland.FightBegun(by, enemy):
            return f"{names.of(enemy)}: {words.text('wplan_fights', who=names.player(COLOURS[by]))}"
        case _:
            return ""


# --- before the end ---------------------------------------------------------------------------------------------------


def _power(texts: SceneTexts, fact: facts.PowerFact) -> Page:
    words, names = texts.words, texts.names
    lines = [words.text("wev_agenda_deck_ran_out")] if fact.passed else []
    lines += [words.text("wpower_near", name=names.faction(one)) for one in fact.near]
    rows = scene.power(names, texts.state)
    told = [words.text("wpower_at", name=one.name, n=one.at + one.over, of=fact.track - 1) for one in rows]
    fields: dict[str, object] = {
        "lines": lines,
        "rows": rows,
        "track": fact.track,
        "near": bool(fact.near),
        "says": [spoken(words.text("wpower_grows"), *lines, *told)],
    }
    return Page("wasteland/power.html", fields)


def _claim(texts: SceneTexts, fact: facts.ClaimFact) -> Page:
    words = texts.words
    title = words.text("wclaims", name=texts.names.player(fact.by)) if fact.by else words.text("wpower_ends")
    why = words.text("wcounting")
    return Page("wasteland/claim.html", {"by": fact.by, "title": title, "why": why, "says": [spoken(title, why)]})


def end_of(reader: Reader, me: str) -> Page | None:
    """Return the end of the game that is over; None without a result."""
    words, state, position = reader.words, cast("WastelandState", reader.state), reader.snapshot.position
    result = state["result"]
    if result is None or position is None:
        return None
    names = Names(words, position.game.box, state)
    hands = {
        colour: cast("WastelandPrivate", position.rules.private(position.game, colour)) for colour in state["order"]
    }
    lines = {
        colour: tuple(SumPart(card["influence"], name=names.of(card["id"])) for card in hand["hand"])
        for colour, hand in hands.items()
    }
    points = {colour: result["influence"].get(colour, 0) for colour in state["order"]}
    places = endings.podium(words, reader.state, points, me, lines=lines)
    title, sub = _title(words, result, places)
    needed = next((hand["needed"] for hand in hands.values()), 0)
    story = reader.context.stories.story(reader.state["id"] or "")
    small, large = endings.curves(story, None, lambda step: step.tally) if story else (None, None)
    return Ending(
        title=title,
        sub=f"{sub} · {words.text('wneeded', n=needed)}" if needed else sub,
        me=me,
        places=places,
        unit=words.text("winfluence"),
        columns=(),
        begins=names.player(state["first"]),
        id=reader.state["id"] or "",
        phone_chart=small,
        screen_chart=large,
        curve=words.text("wcurve_influence"),
    ).page()


def _title(words: Words, result: WastelandEnd, places: list[PodiumPlace]) -> tuple[str, str]:
    """Return who won and how; where nobody did, a faction has, or no survivor is left."""
    how = words.text(f"wdecided_{result['decided_by'].replace('-', '_')}")
    if result["winners"]:
        return endings.title(words, places, how)
    return lost_by_all(words, result), how


def lost_by_all(words: Words, result: WastelandEnd) -> str:
    return words.text("wfactions_won" if result["decided_by"] == "common-loss" else "wlost_all")
