"""V.A.T.S. dice: what a face shows, and what it is worth against an enemy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from companion.bots.worth import vats
from companion.cards.wasteland import notation
from companion.cards.wasteland.blanks import is_blank
from companion.games.wasteland.fight import fights, throws

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.bots.worth.vats import ContestChance
    from companion.cards.wasteland.types import Enemy
    from companion.games.wasteland.fight.throws import ThrowWorth
    from companion.games.wasteland.moves import WastelandMoveJson
    from companion.games.wasteland.position import DiceContest, WastelandPosition
    from companion.games.wasteland.state_types import ContestState, WastelandState
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.wasteland.choices import ChoiceView
    from web.games.wasteland.names import Names


AREAS: Final = ("head", "body", "arms", "legs")


@dataclass(frozen=True, slots=True)
class DieView:
    """A face, or an enemy's chart: its filled areas, its bullets, and the same in words."""

    areas: tuple[str, ...]
    hits: int
    words: str
    match: bool = False
    """Whether it hits the enemy that is fought."""
    none: bool = False


def face(words: Words, name: str | None, enemy: Enemy | None = None) -> DieView:
    if name is None:
        return DieView((), 0, words.text("wdie_none"), none=True)
    read = notation.face(name)
    filled = tuple(area for area in AREAS if area in read.areas)
    match = enemy is not None and bool(read.areas & enemy.areas)
    return DieView(filled, read.hits, _told(words, filled, read.hits), match)


def chart(words: Words, enemy: Enemy) -> DieView:
    """Return where an enemy is vulnerable."""
    filled = tuple(area for area in AREAS if area in enemy.areas)
    return DieView(filled, 0, _told(words, filled, 0))


def _told(words: Words, areas: tuple[str, ...], hits: int) -> str:
    parts = [words.text(f"warea_{area}") for area in areas]
    return ", ".join([*parts, *([words.count("whits", hits)] if hits else [])]) or words.text("wdie_blank")


@dataclass(frozen=True, slots=True)
class Foe:
    """An enemy as its token shows it."""

    name: str
    kind: str
    level: str
    chart: DieView
    abilities: list[tuple[str, str, str]]
    """Each by its word in the rules, with its name and what it does."""
    note: str


@dataclass(frozen=True, slots=True)
class ContestView:
    """The fight or test under way."""

    by: str
    who: str
    title: str
    foe: Foe | None
    dice: list[DieView]
    rerolls: int
    letters: list[tuple[str, bool]]
    sub: str


def foe(words: Words, names: Names, enemy: Enemy, level: int | None) -> Foe:
    shown = str(level) if level is not None else enemy.level_letter or str(enemy.level)
    abilities = [
        (one.value, words.text(f"wability_{one.value}"), words.text(f"wdoes_{one.value}"))
        for one in sorted(enemy.abilities)
    ]
    return Foe(
        names.of(enemy.id), names.kind(enemy.type.value), shown, chart(words, enemy), abilities, names.told(enemy.note)
    )


def enemy_by_id(names: Names, name: str | None) -> Enemy | None:
    box = names.box
    return box.enemies[box.enemy_number[name]] if name in box.enemy_number else None


def contest(words: Words, names: Names, state: WastelandState) -> ContestView | None:
    """Return the fight or test under way, if any."""
    raw = state["contest"]
    if raw is None:
        return None
    enemy = enemy_by_id(names, raw["enemy"])
    owned = state["players"][raw["by"]]["letters"]
    token = state["enemies"].get(str(raw["number"]))
    fight = raw["kind"] == "fight" and enemy is not None
    return ContestView(
        by=raw["by"],
        who=names.player(raw["by"]),
        title=words.text("wfight_title", enemy=names.of(raw["enemy"])) if fight else words.text("wtest_title"),
        foe=foe(words, names, enemy, token["level"] if token is not None else None) if enemy is not None else None,
        dice=[face(words, name, enemy) for name in raw["dice"]],
        rerolls=raw["rerolls"],
        letters=[(letter, letter in owned) for letter in dict.fromkeys(raw["letters"])],
        sub=_sub(words, raw),
    )


def _sub(words: Words, raw: ContestState) -> str:
    parts = []
    if raw["difficulty"] is not None:
        parts.append(words.text("wdifficulty", n=raw["difficulty"]))
    if raw["adjacent"]:
        parts.append(words.text("wnext_door"))
    if raw["hits"]:
        parts.append(words.text("wmore_hits", n=f"{raw['hits']:+d}"))
    return " · ".join(parts)


ABOUT_DICE: Final = frozenset({"fight", "reroll", "test", "during-fight"})


def add_odds(words: Words, snapshot: Snapshot, asked: Iterable[ChoiceView]) -> None:
    """Add to every answer about the dice how likely it succeeds, where the host wants odds to be seen."""
    about = [one for one in asked if one.kind in ABOUT_DICE]
    if not about or snapshot.position is None:
        return
    _add_worth(words, cast("WastelandPosition", snapshot.position.game), about)
    if not _shows_odds(snapshot):
        return
    odds = vats.contest_odds(cast("WastelandPosition", snapshot.position.game))
    if odds is None:
        return
    for choice in about:
        for option in choice.options:
            found = odds.of(choice.kind, option.move["option"])
            if found is not None and option.move["option"] != "keep":
                option.sub = " · ".join(part for part in (option.sub, _odds(words, found)) if part)


def _shows_odds(snapshot: Snapshot) -> bool:
    return "fight" in snapshot.state["odds"]["shown"]


def _add_worth(words: Words, game: WastelandPosition, about: Iterable[ChoiceView]) -> None:
    """Say what keeping the dice brings: that is no odds, everybody can count it."""
    under_way = game.contest
    if under_way is None or None in under_way.dice or not _is_known(game, under_way.kind):
        return
    for option in [option for choice in about for option in choice.options if option.move["option"] == "keep"]:
        option.sub = _worth(words, under_way, throws.worth(game, under_way))


def _is_known(game: WastelandPosition, kind: int) -> bool:
    """Return whether somebody entered the enemy; a test has none."""
    return kind < 0 or not is_blank(game.box.enemies[kind].id)


def _worth(words: Words, under_way: DiceContest, one: ThrowWorth) -> str:
    fields = {"hits": one.hits, "needed": one.needed, "lost": one.lost}
    if not under_way.is_fight:
        return words.text("wworth_passed" if one.enough else "wworth_failed", **fields)
    return words.text("wworth_dies" if one.enough else "wworth_lives", **fields)


def odds_of(words: Words, snapshot: Snapshot, legal: Sequence[WastelandMoveJson]) -> dict[int, str]:
    """Return the odds of each fight that may be begun, by the enemy's number."""
    if snapshot.position is None or not _shows_odds(snapshot):
        return {}
    game = cast("WastelandPosition", snapshot.position.game)
    found = {}
    for number in (move["enemy"] for move in legal if move["do"] == "fight"):
        token = game.enemies[number]
        adjacent = token.at != game.survivors[game.turn].at
        if game.box.dice and _is_known(game, token.kind):
            fight = fights.prepared(game, game.turn, token.kind, number, adjacent=adjacent)
            chance = vats.ContestOdds(game, fight).of("fight", "roll")
            found[number] = "" if chance is None else _odds(words, chance)
    return found


def _odds(words: Words, chance: ContestChance) -> str:
    percent = words.text("percent", n=round(100 * chance.win))
    if chance.damage is None:
        return words.text("wodds_test", percent=percent)
    lost = f"{chance.damage:.1f}".replace(".", words.text("review_decimal"))
    return words.text("wodds_fight", percent=percent, hp=lost)
