"""W-SHOP: the row of assets, buying, selling and recruiting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import CardKind
from companion.games.wasteland.flow import conditions
from companion.games.wasteland.flow.decks import draw
from companion.games.wasteland.flow.homes import discard_card
from companion.games.wasteland.flow.steps import ask_next, push
from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.survivor import items, pegs
from companion.games.wasteland.words import NOBODY, turned

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.position import Choice, Position, Step

DONE: Final = "done"


def shop(game: Position, fate: Fate, step: Step) -> None:
    """First one asset more at the left, then so many interactions (W-SHOP-2, W-SHOP-3)."""
    _draw_in(game, fate)
    tell(game, "shop", step.seat, interactions=step.data[0])
    push(game, "reset-shop", step.seat)
    if step.data[0]:
        ask_next(game, step.seat, "shop", "W-SHOP-3", step.data[0])


def _draw_in(game: Position, fate: Fate) -> bool:
    """New cards enter at the left end (W-SHOP-1, W-SHOP-8)."""
    card = draw(game.assets, fate, [one.id for one in game.box.cards], "asset")
    if card is None:
        return False
    game.shop.insert(0, card)
    tell(game, "shop_card", NOBODY, card=game.box.cards[card].id)
    return True


def options(game: Position, choice: Choice) -> list[str]:
    """Buy what can be paid, sell what has a value, recruit who would come (W-SHOP-4 to 6)."""
    survivor = game.survivors[choice.by]
    found = []
    for number in dict.fromkeys(game.shop):
        card = game.box.cards[number]
        if card.kind is CardKind.COMPANION:
            if card.recruit_if is None or conditions.holds(game, choice.by, card.recruit_if):
                found.append(f"recruit:{card.id}")
        elif card.cost is not None and survivor.caps >= card.cost:
            found.append(f"buy:{card.id}")
    own = items.names(game, survivor.held())
    found += [f"sell:{name}" for name in own if game.box.cards[game.box.card_number[name]].value is not None]
    return [*found, DONE]


def answer(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """One interaction; the row is set right after all of them (A-29)."""
    if option == DONE:
        return
    left: int = choice.data[0] - 1
    if left:
        ask_next(game, choice.by, "shop", "W-SHOP-3", left)
    what, _, name = option.partition(":")
    number = game.box.card_number[name]
    card = game.box.cards[number]
    tell(game, what, choice.by, card=name)
    if what == "sell":
        held = items.find(game, game.survivors[choice.by].held(), name)
        items.take_away(game, choice.by, held)
        discard_card(game, held)
        pegs.change_caps(game, choice.by, max(0, (card.value or 0) - 1))
        return
    game.shop.remove(number)
    if what == "buy":
        pegs.change_caps(game, choice.by, -(card.cost or 0))
    items.gain_and_limit(game, choice.by, turned(number))


def reset(game: Position, fate: Fate, _step: Step) -> None:
    """Four cards: too many leave from the right, too few come in at the left (W-SETUP-7, W-SHOP-1, W-SHOP-7)."""
    while len(game.shop) > game.box.settings.shop_size:
        discard_card(game, turned(game.shop.pop()))
    while len(game.shop) < game.box.settings.shop_size and _draw_in(game, fate):
        pass
