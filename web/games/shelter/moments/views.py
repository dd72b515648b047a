"""Threats, fights, the recall, the last round and the end of a game in a reader's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from companion.games.shelter.words import COLUMNS
from web.base.words import name_of, spoken
from web.games import endings
from web.games.endings import Ending, SumPart
from web.games.port import Page
from web.games.shelter import choices, status
from web.games.shelter.cards import card_name, room_name, rooms_of, side_name, space_name, vault_state
from web.games.shelter.moments import facts

if TYPE_CHECKING:
    from companion.games.shelter.state import SpawnedState
    from web.base.words import Words
    from web.games.port import Reader
    from web.games.scenes import Scene
    from web.games.shelter.cards import PackCards, Printed, VaultState
    from web.games.shelter.choices import OpenChoice


@dataclass(frozen=True, slots=True)
class Texts:
    """What a view is made with: words, cards, and the state in which it happened."""

    words: Words
    cards: PackCards
    state: VaultState

    def name(self, colour: str) -> str:
        return name_of(self.words, self.state, colour)

    def place(self, space: str) -> str:
        """Return the room of a space and its side."""
        room = room_name(self.words, self.state, self.cards, space)
        return ", ".join(part for part in (room, side_name(self.words, space)) if part)


def page_of(reader: Reader, cards: PackCards, scene: Scene, me: str) -> Page:
    """Return a scene as a page's part."""
    texts = Texts(reader.words, cards, vault_state(scene.snapshot.state))
    match scene.facts:
        case facts.ThreatsFact():
            return _threats(texts, vault_state(reader.state), scene.facts)
        case facts.FightFact():
            return _fight(texts, reader, scene.facts, me)
        case facts.RecallFact():
            return _recall(texts, scene.facts)
        case facts.LastRoundFact():
            return Page("shelter/last_round.html", _last_round(texts, scene.facts.by))
        case _:
            raise TypeError(scene.facts)


class LastRoundView(TypedDict):
    by: str
    why: str
    says: list[str]


def _last_round(texts: Texts, by: str) -> LastRoundView:
    words = texts.words
    why = words.text("last_by_room", name=texts.name(by)) if by else words.text("last_by_deck")
    return {"by": by, "why": why, "says": [spoken(words.text("last_round"), why)]}


# --- threats, level by level ------------------------------------------------------------------------------------------

ROOM, ELEVATOR, GAP, HALF = 48, 54, 4, 24
WING_ROOMS = 3


@dataclass(frozen=True, slots=True)
class LevelPlan:
    """A level as a plan, 366 wide: where rooms, circles, threats and numbers stand, and what was hit."""

    rooms: list[tuple[int, bool]]
    circles: list[tuple[int, str]]
    numbers: list[tuple[int, int]]
    hit: int | None


@dataclass(frozen=True, slots=True)
class LevelRoll:
    level: int
    owner: str
    owner_name: str
    dice: list[int]
    column: int
    short: str
    """What comes of it in a word."""
    why_not: str
    card: str
    printed: Printed | None
    place: str
    plan: LevelPlan
    say: str


def _threats(texts: Texts, now: VaultState, fact: facts.ThreatsFact) -> Page:
    newest = now["spawned"] if now["round"] == texts.state["round"] else []
    told = newest if len(newest) == len(fact.levels) else fact.levels  # a card may have been named since
    last = _last_round(texts, "") if fact.last_round else None
    levels = [level_of(texts, one) for one in told]
    fields: dict[str, object] = {
        "levels": levels,
        "last_round": last,
        "begins": texts.name(texts.state["turn"]) if texts.state["turn"] else "",
        "says": [*(one.say for one in levels), *(last["says"] if last else [])],
        "mark": "-".join(one.card for one in levels),
    }
    return Page("shelter/threats.html", fields)


def level_of(texts: Texts, one: SpawnedState) -> LevelRoll:
    """Return what was rolled for a level, and where the card goes or why none comes."""
    words, state, space = texts.words, texts.state, one["space"]
    owner = state["levels"][str(one["level"])]["owner"] or ""
    owner_name = texts.name(owner) if owner else ""
    lands = space is not None and not one["why_not"]
    known = one["threat"] is not None and one["threat"] in texts.cards
    why_not = "" if lands else words.text(f"nothing_{one['why_not'] or 'no_number'}")
    card = card_name(words, texts.cards, one["threat"] or "unknown") if lands else ""
    place = texts.place(space) if lands and space else ""
    where = words.text("level_of", n=one["level"], name=owner_name) if owner else words.text("level", n=one["level"])
    what = words.text("lay_card", card=card, room=place) if lands else why_not
    return LevelRoll(
        level=one["level"],
        owner=owner,
        owner_name=owner_name,
        dice=one["dice"],
        column=one["column"],
        short=words.text("tab_lay") if lands else words.text(f"tab_{one['why_not'] or 'no_number'}"),
        why_not=why_not,
        card=card,
        printed=texts.cards.threat(one["threat"]) if known and one["threat"] else None,
        place=place,
        plan=_plan(texts, one, space if lands else None),
        say=spoken(where, str(one["column"]), f"{what[:1].upper()}{what[1:]}"),
    )


def _plan(texts: Texts, one: SpawnedState, hit: str | None) -> LevelPlan:
    level, rooms = str(one["level"]), rooms_of(texts.state, str(one["level"]))
    columns = [column for column in COLUMNS if column != "E"]
    lefts = {
        column: nth * (ROOM + GAP) + (ELEVATOR + GAP if nth >= WING_ROOMS else 0) for nth, column in enumerate(columns)
    }
    middles = {
        f"{column}{side}": left + HALF // 2 + HALF * nth
        for column, left in lefts.items()
        for nth, side in enumerate("ab")
    }
    circles = [
        (middles[f"{column}{side}"], _look(texts.state, f"{level}:{column}{side}", hit))
        for column in columns
        if column in rooms
        for side in texts.cards.sides_of(texts.state, f"{level}:{column}")
    ]
    numbers = [(x, n) for x, n in zip(middles.values(), texts.cards.columns, strict=True) if n is not None]
    return LevelPlan(
        rooms=[(left, column in rooms) for column, left in lefts.items()],
        circles=circles,
        numbers=numbers,
        hit=middles[hit.partition(":")[2]] if hit is not None else None,
    )


def _look(state: VaultState, space: str, hit: str | None) -> str:
    return "hit" if space == hit else "threat" if space in state["threats"] else "free"


# --- a fight ----------------------------------------------------------------------------------------------------------


def _fight(texts: Texts, reader: Reader, fact: facts.FightFact, me: str) -> Page:
    words, state = texts.words, texts.state
    printed = texts.cards.at(state, fact.space)
    who, mine = texts.name(fact.by), fact.by == me
    what, place = space_name(words, state, texts.cards, fact.space), texts.place(fact.space)
    need = printed.fight if printed else 0
    is_threat = printed is not None and printed.is_threat
    choice = asked(reader, texts.cards)
    fields: dict[str, object] = {
        "fight": fact,
        "who": who,
        "mine": mine,
        "what": what,
        "place": place,
        "need": need,
        "letter": next((one[-1] for one in fact.dwellers if one[-1].isupper()), ""),
        "items": [card_name(words, texts.cards, item) for item in fact.items],
        "headline": _headline(words, fact, who, what, mine=mine),
        "sub": f"{what if fact.phase == facts.OPEN else who} · {place}",
        "happiness": _happiness(texts, fact),
        "comes_off": is_threat and fact.phase == facts.WON,
        "choice": choice,
        "says": [_say(words, fact, who, what, need)],
        "mark": f"{len(fact.gains)}{'' if choice is None else choice.id}",
    }
    return Page("shelter/fight.html", fields)


def asked(reader: Reader, cards: PackCards) -> OpenChoice | None:
    """Return the question about the fight that is shown, where it is this reader's: it is asked in the scene itself."""
    scene, state = reader.scene, vault_state(reader.state)
    if scene is None or not scene.asks or scene.asks not in reader.who.seats:
        return None
    ids = {one["id"] for one in state["pending"] if one["kind"] in ("fight", "reroll") and one["by"] == scene.asks}
    open_now = choices.choices(reader.words, state, cards, frozenset({scene.asks}))
    return next((one for one in open_now if one.id in ids), None)


def _headline(words: Words, fact: facts.FightFact, who: str, what: str, *, mine: bool) -> str:
    if fact.phase != facts.OPEN:
        return what
    return words.text("you_fight") if mine else words.text("fights", name=who)


def _happiness(texts: Texts, fact: facts.FightFact) -> tuple[int, int] | None:
    """Return the happiness before and after, where a fight has brought some."""
    more = dict(fact.gains).get("happiness", 0)
    after = texts.state["players"][fact.by]["happiness"]
    return (after - more, after) if more else None


def _say(words: Words, fact: facts.FightFact, who: str, what: str, need: int) -> str:
    begun = spoken(words.text("fight_against", who=who, what=what), words.text("fight_needs", n=need))
    if fact.phase == facts.OPEN:
        return begun
    sums = words.text("fight_sum", n=fact.total, need=need)
    if fact.phase == facts.ROLLED:
        return spoken(f"{who}: {sums}")
    gains = ", ".join(f"{amount} {words.text(f'icon_{name}')}" for name, amount in fact.gains)
    return spoken(f"{who}, {what}: {sums}", words.text(f"fight_{fact.phase}"), gains)


# --- the recall -------------------------------------------------------------------------------------------------------


def _recall(texts: Texts, fact: facts.RecallFact) -> Page:
    words, cards = texts.words, texts.cards
    home = [(colour, texts.name(colour), number) for colour, number in fact.home.items()]
    off = [(card_name(words, cards, threat), texts.place(space)) for space, threat in fact.off]
    trained = [(colour, texts.name(colour), letter) for colour, letter in fact.trained]
    says = [words.text("title_recalled")]
    says += [words.text("take_off", card=card, place=place) for card, place in off]
    says += [words.text("trained_in", name=name, letter=letter) for _, name, letter in trained]
    broke_in = [
        words.text("happened_broke_in", card=card_name(words, cards, threat), place=texts.place(space))
        for space, threat in fact.broke_in
    ]
    marched = [(card_name(words, cards, threat), texts.place(to)) for _, to, threat in fact.marched]
    crisis = (words.text(f"crisis_{fact.crisis}"), words.text(f"crisis_{fact.crisis}_does")) if fact.crisis else None
    says += broke_in + [words.text("happened_marched", card=card, place=place) for card, place in marched]
    says += [words.text("together_crisis", crisis=f"{crisis[0]}, {crisis[1]}")] if crisis else []
    fields: dict[str, object] = {
        "home": home,
        "off": off,
        "trained": trained,
        "broke_in": broke_in,
        "marched": marched,
        "crisis": crisis,
        "says": [spoken(*says)],
        "mark": str(len(trained)),
    }
    return Page("shelter/recall.html", fields)


def end_of(reader: Reader, me: str, *, has_steps: bool) -> Page | None:
    """Return the end of the game that is over; None without a result."""
    words, state = reader.words, vault_state(reader.state)
    result = state["result"]
    if result is None:
        return None
    scores = result["scores"]
    together = "together" in state
    columns = {
        colour: (
            SumPart(score["happiness"] - score["items"] - score["threats"]),
            SumPart(score["items"], "more"),
            SumPart(score["threats"], "less"),
        )
        for colour, score in scores.items()
        if not together
    }
    points = {colour: score["happiness"] for colour, score in scores.items()}
    places = endings.podium(words, reader.state, points, me, columns)
    if together:
        title, sub = status.won(words, state)
    else:
        title, sub = endings.title(words, places, words.text(f"decided_{result['decided_by']}"))
    story = reader.context.stories.story(state["id"] or "")
    decision = endings.decision(words, reader.state, story) if story and not together else None
    small, large = endings.curves(story, decision.round if decision else None) if story else (None, None)
    return Ending(
        title=title,
        sub=sub,
        me=me,
        places=places,
        unit=words.text("happiness"),
        columns=(words.text("in_hand"), words.text("of_items"), words.text("own_threats")),
        begins=name_of(words, state, state["first"]),
        id=state["id"] or "",
        has_steps=has_steps,
        has_review=True,
        decision=decision,
        phone_chart=small,
        screen_chart=large,
        curve=words.text("curve"),
        shared=Page("shelter/shared_end.html", {"panel": status.together_panel(words, state)}) if together else None,
    ).page()
