"""Bots and odds: who plays which seat and why, fights before they are fought, chances to win."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.bots.policy import reason_texts
from companion.bots.worth import odds
from companion.games.shelter.cards.hand import USE
from companion.games.shelter.words import COLOUR_NUMBER, SPACE_NAMES, SPACE_NUMBER
from companion.table.bots.turns import game_of
from web.base.words import name_of
from web.games.chairs import chairs, character
from web.games.shelter.cards import card_name, cards_in_play, room_name, side_name, vault_state

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from companion.bots.policy.reason_texts import Reason
    from companion.games.shelter.cards.box import ItemKind
    from companion.games.shelter.game import ShelterGame
    from companion.table.session.snapshots import Snapshot
    from companion.table.session.state_view import ForecastJson
    from web.base.words import Words
    from web.games.chairs import Chair
    from web.games.port import Reader
    from web.games.shelter.cards import PackCards, VaultState


BAR: Final = 100
"""A whole bar, in the units of its picture."""


@dataclass(frozen=True, slots=True)
class FightWay:
    """One way to fight, and its chance in percent."""

    label: str
    percent: int


@dataclass(frozen=True, slots=True)
class FightOdds:
    """A fight that may be fought: bare, with each item, with all of them."""

    colour: str
    who: str
    name: str
    number: int
    ways: list[FightWay]


@dataclass(frozen=True, slots=True)
class Column:
    """One sum of two dice: how likely it is."""

    number: int
    percent: float
    height: float


@dataclass(frozen=True, slots=True)
class Danger:
    """One level tonight: how likely a threat is, and where it would lie."""

    level: int
    owner: str
    percent: int
    places: list[tuple[int, str, float]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class WinChance:
    """A player's chance to win, with its interval, in percent; where its part of the bar begins and how long it is."""

    colour: str
    name: str
    percent: int
    low: int
    high: int
    begins: float
    length: float


@dataclass(frozen=True, slots=True)
class Bar:
    """Everybody's chance to win, and how many games played on it is from."""

    chances: list[WinChance]
    playouts: int


def fights_now(words: Words, snapshot: Snapshot, cards: PackCards) -> list[FightOdds]:
    state, game = snapshot.state, _shown(snapshot, "fight")
    if game is None:
        return []
    found = []
    for choice in state["pending"]:
        placement = game.placement
        if choice["kind"] in ("fight", "reroll") and placement is not None and choice["by"]:
            again = choice["kind"] == "reroll"
            at = choice["by"], SPACE_NAMES[placement.space]
            found += _fight(words, snapshot, cards, at, again=again)
    return found


def fights_open(words: Words, snapshot: Snapshot, cards: PackCards, colour: str, places: list[str]) -> list[FightOdds]:
    """Return the fights that a player could begin on these spaces."""
    if _shown(snapshot, "fight") is None:
        return []
    return [fight for place in places for fight in _fight(words, snapshot, cards, (colour, place), again=False)]


def _fight(words: Words, snapshot: Snapshot, cards: PackCards, at: tuple[str, str], *, again: bool) -> list[FightOdds]:
    game, (colour, place), state = game_of(snapshot), at, vault_state(snapshot.state)
    told = None if game is None else odds.fight_now(game, COLOUR_NUMBER[colour], SPACE_NUMBER[place])
    if told is None:
        return []
    ways = [FightWay(words.text("odds_again" if again else "odds_bare"), _percent(told["bare"]))]
    if not again:
        ways += [
            FightWay(words.text("odds_with", item=card_name(words, cards, item.removeprefix("use:"))), _percent(chance))
            for item, chance in told["with"].items()
        ]
    if len(told["with"]) > 1 and not again:
        ways.append(FightWay(words.text("odds_with_all"), _percent(told["with_everything"])))
    threat = state["threats"].get(place)
    name = card_name(words, cards, threat) if threat else room_name(words, state, cards, place)
    return [FightOdds(colour, name_of(words, state, colour), name, told["number"], ways)]


@dataclass(frozen=True, slots=True)
class FightHelper:
    """An item that helps in a fight: what it adds before the roll, or that it rolls again."""

    item: str
    name: str
    bonus: int
    percent: int
    """The chance with this item alone."""


@dataclass(frozen=True, slots=True)
class FightBefore:
    """A fight before the dweller is placed: the number, the chances by what is added, and the items that help."""

    number: int
    chances: list[int]
    """In percent, by what is added before the roll; the first is the fight as it is."""
    weapons: list[FightHelper]
    rerolls: list[FightHelper]


def percent_to_win(snapshot: Snapshot, colour: str, place: str) -> int | None:
    """Return the chance to win the fight on a space as it is; None where the host does not show odds."""
    game = _shown(snapshot, "fight")
    told = None if game is None else odds.fight_now(game, COLOUR_NUMBER[colour], SPACE_NUMBER[place])
    return None if told is None else _percent(told["bare"])


def fight_before(words: Words, snapshot: Snapshot, cards: PackCards, colour: str, place: str) -> FightBefore | None:
    """Return the fight that waits on a space, for the sheet of its placement."""
    game = _shown(snapshot, "fight")
    told = None if game is None else odds.fight_now(game, COLOUR_NUMBER[colour], SPACE_NUMBER[place])
    if game is None or told is None:
        return None
    aid = odds.FightItems(game, COLOUR_NUMBER[colour])
    number, always = told["number"], told["bonus"]

    def helper(item: ItemKind) -> FightHelper:
        chance = told["with"][USE + item.name]
        return FightHelper(item.name, card_name(words, cards, item.name), item.roll_bonus, _percent(chance))

    most = sum(item.roll_bonus for item in aid.weapons)
    return FightBefore(
        number=number,
        chances=[_percent(odds.of_fight(number, always + bonus)) for bonus in range(most + 1)],
        weapons=[helper(item) for item in aid.weapons],
        rerolls=[helper(item) for item in aid.rerolls],
    )


def columns(snapshot: Snapshot) -> list[Column]:
    if not _threats_come(snapshot):
        return []
    most = max(odds.THROWS)
    return [
        Column(number, round(100 * odds.THROWS[number] / 36, 1), round(40 * odds.THROWS[number] / most, 1))
        for number in range(2, 13)
    ]


def dangers(words: Words, snapshot: Snapshot, cards: PackCards) -> list[Danger]:
    game = _shown(snapshot, "columns")
    if game is None or not _threats_come(snapshot):
        return []
    state = vault_state(snapshot.state)
    found = {}
    for level in range(1, len(state["levels"]) + 1):
        missed = (1 - odds.threatened(game, level - 1)) ** odds.rolls_to_come(game, level - 1)
        found[level] = Danger(level, state["levels"][str(level)]["owner"] or "", _percent(1 - missed))
    for one in odds.columns_tonight(game):
        if one["space"] is not None and found[one["level"]].percent:
            place = ", ".join((room_name(words, state, cards, one["space"]), side_name(words, one["space"])))
            found[one["level"]].places.append((one["column"], place, round(100 * one["chance"], 1)))
    return list(found.values())


def bar(words: Words, state: VaultState) -> Bar | None:
    """The newest chances to win, side by side."""
    told = state["odds"]["win"]
    return None if told is None or "win" not in state["odds"]["shown"] else bar_of(words, state, told)


def bar_of(words: Words, state: VaultState, told: ForecastJson) -> Bar:
    chances, begins = [], 0.0
    shared = "together" in state  # everybody's chance is the same
    for colour, one in list(told["chances"].items())[: 1 if shared else None]:
        length = BAR * one["chance"]
        low, high = (_percent(bound) for bound in one["interval"])
        name = words.text("together") if shared else name_of(words, state, colour)
        chances.append(WinChance(colour, name, _percent(one["chance"]), low, high, round(begins, 1), round(length, 1)))
        begins += length
    return Bar(chances, told["playouts"])


def _shown(snapshot: Snapshot, name: str) -> ShelterGame | None:
    """Return the game, where the host wants these odds to be seen."""
    return game_of(snapshot) if name in snapshot.state["odds"]["shown"] else None


def _threats_come(snapshot: Snapshot) -> bool:
    state = vault_state(snapshot.state)
    return (
        _shown(snapshot, "columns") is not None
        and state["phase"] in ("spawn", "place", "recall")
        and not (state["last_round"] and state["phase"] != "spawn")
    )


def _percent(share: float | Fraction) -> int:
    return round(100 * float(share))


@dataclass(frozen=True, slots=True)
class Said:
    """What a bot asks people to do for it."""

    colour: str
    who: str
    figure: str
    place: str
    level: int
    why: str
    wears: str


def said(words: Words, state: VaultState, cards: PackCards) -> Said | None:
    """Return the figure that a bot waits for."""
    one = state["suggestion"]
    if one is None:
        return None
    move = one["move"]
    space, side = move["space"], side_name(words, move["space"])
    threat = state["threats"].get(space)
    place = [card_name(words, cards, threat)] if threat else []
    place += [room_name(words, state, cards, space), side]
    return Said(
        colour=one["by"],
        who=name_of(words, state, one["by"]),
        figure=_figure(words, move.get("dwellers", ["plain"])),
        place=", ".join(part for part in place if part),
        level=int(space.split(":")[0]),
        why=because(words, cards, one["reason"]),
        wears=", ".join(card_name(words, cards, item) for item in move.get("use", ())),
    )


def _figure(words: Words, dwellers: Sequence[str]) -> str:
    """Return which figure it is; one does not say plain."""
    if len(dwellers) > 1:
        return words.text("bot_two_figures")
    dweller = dwellers[0]
    if dweller.startswith("injured"):
        return words.text("bot_injured_figure")
    return words.text("bot_figure") if dweller == "plain" else words.text("bot_trained_figure", letter=dweller)


def because(words: Words, cards: PackCards, reason: Reason) -> str:
    return reason_texts.because(words.language, reason, lambda card: card_name(words, cards, card))


@dataclass(frozen=True, slots=True)
class BotsAndOdds:
    """What bots and odds add to a page; worked out where a template asks for it."""

    reader: Reader

    @property
    def state(self) -> VaultState:
        return vault_state(self.reader.state)

    @property
    def cards(self) -> PackCards:
        return cards_in_play(self.reader.context)

    def said(self) -> Said | None:
        return said(self.reader.words, self.state, self.cards)

    def chair(self, colour: str) -> Chair | None:
        return next((one for one in chairs(self.reader.words, self.state) if one.colour == colour), None)

    def character(self, name: str) -> str:
        return character(self.reader.words, name)

    def fights(self) -> list[FightOdds]:
        """The fights that wait for a roll."""
        return fights_now(self.reader.words, self.reader.snapshot, self.cards)

    def fights_of(self, colour: str) -> list[FightOdds]:
        """The fights that a seat could begin now."""
        state = self.state
        if state["turn"] != colour or state["phase"] != "place":
            return []
        legal = self.reader.context.legal(colour)
        places = dict.fromkeys(offer.move["space"] for offer in legal if offer.move["do"] == "place")
        return fights_open(self.reader.words, self.reader.snapshot, self.cards, colour, list(places))

    def columns(self) -> list[Column]:
        return columns(self.reader.snapshot)

    def dangers(self) -> list[Danger]:
        return dangers(self.reader.words, self.reader.snapshot, self.cards)

    def bar(self) -> Bar | None:
        """Everybody's chance to win."""
        return bar(self.reader.words, self.state)
