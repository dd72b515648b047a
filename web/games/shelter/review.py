"""What decided a finished game, in a reader's words: three moments with the vault, the average loss, and the dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from web.base.words import name_of
from web.games.port import Page
from web.games.shelter import feed, odds, vault
from web.games.shelter.cards import cards_of, vault_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.bots.review.luck import LuckJson, RollsJson
    from companion.bots.review.review import MomentJson, PlayerJson, ReviewJson
    from companion.table.record.history import Story
    from companion.table.record.open_game import OpenGame
    from web.base.words import Words
    from web.games.port import Reader
    from web.games.shelter.cards import VaultState
    from web.games.shelter.vault import VaultPicture

BY_DICE: Final = 3
"""Points that the dice of a turn have to move the chances before they are mentioned."""
KIND: Final = 1.0
"""Standard deviations from where dice are no longer called fair."""


@dataclass(frozen=True, slots=True)
class ChanceBar:
    """A chance to win, in percent, and what it is the chance of."""

    label: str
    percent: int


@dataclass(frozen=True, slots=True)
class MomentView:
    step: int
    round: int
    colour: str
    name: str
    done: str
    bars: tuple[ChanceBar, ...]
    better: str
    """What would have been better; empty where nothing was clearly so."""
    why: str
    points: int
    """By how many points of a hundred it would have been better."""
    dice: str
    picture: VaultPicture


@dataclass(frozen=True, slots=True)
class PlayerView:
    colour: str
    name: str
    loss: str
    """Empty together, where nobody's is told."""
    decisions: int
    fights: str
    threats: str
    luck: str


def page_of(reader: Reader, story: Story, review: ReviewJson) -> Page | None:
    """Return the page of a review; None where the game cannot be replayed any more."""
    moments: list[MomentView] = []
    for one in review["moments"]:
        before = reader.context.stories.game_at(story.game, one["nth"] - 1)
        if before is None:
            return None
        moments.append(_moment(reader.words, before, one))
    if story.state is None:
        return None
    state = vault_state(story.state)
    fields: dict[str, object] = {
        "past": feed.past(reader.words, story, current=False),
        "moments": moments,
        "players": players(reader.words, state, review["players"]),
        "together": "together" in state,
    }
    return Page("shelter/review.html", fields)


def _moment(words: Words, before: OpenGame, one: MomentJson) -> MomentView:
    state = vault_state(before.state())
    cards = cards_of(before.pack)
    best, percent = one["best"], {key: _percent(one[key]) for key in ("before", "after", "came", "of_best")}
    bars = [("review_before", "before"), ("review_after", "after")]
    bars += [("review_best", "of_best")] if best is not None else []
    return MomentView(
        step=one["nth"],
        round=one["round"],
        colour=one["by"],
        name=name_of(words, state, one["by"]),
        done=feed.move_text(words, state, cards, one["move"]),
        bars=tuple(ChanceBar(words.text(label), percent[key]) for label, key in bars),
        better=feed.move_text(words, state, cards, best) if best is not None else "",
        why=odds.because(words, cards, one["reason"]) if one["reason"] and one["reason"]["why"] != "answer" else "",
        points=percent["of_best"] - percent["after"],
        dice=_dice(words, percent["after"], percent["came"]) if one["rolled"] else "",
        picture=vault.picture_of(state, cards, words.language, vault.PHONE),
    )


def _dice(words: Words, expected: int, came: int) -> str:
    if abs(came - expected) < BY_DICE:
        return ""
    return words.text("review_dice_up" if came > expected else "review_dice_down", n=came)


def players(words: Words, state: VaultState, found: Mapping[str, PlayerJson]) -> list[PlayerView]:
    return [
        PlayerView(
            colour=colour,
            name=name_of(words, state, colour),
            loss="" if one["loss"] is None else words.text("review_points", n=_number(words, 100 * one["loss"])),
            decisions=one["decisions"],
            fights=_rolls(words, one["luck"]["fights"]),
            threats=_rolls(words, one["luck"]["threats"]),
            luck=words.text(_luck(one["luck"])),
        )
        for colour in state["players"]
        if (one := found.get(colour)) is not None
    ]


def _rolls(words: Words, rolls: RollsJson) -> str:
    if not rolls["rolls"]:
        return words.text("review_no_rolls")
    expected = _number(words, rolls["expected"])
    return words.text("review_rolls", came=rolls["came"], rolls=rolls["rolls"], expected=expected)


def _luck(luck: LuckJson) -> str:
    if not luck["fights"]["rolls"] + luck["threats"]["rolls"]:
        return "review_luck_none"
    if luck["deviations"] >= KIND:
        return "review_luck_good"
    return "review_luck_bad" if luck["deviations"] <= -KIND else "review_luck_fair"


def _number(words: Words, value: float) -> str:
    return f"{value:.1f}".replace(".", words.text("review_decimal"))


def _percent(chance: float) -> int:
    return round(100 * chance)
