"""Decks, enemy tokens and discard piles, and the chance of one move: what was told with it first (W-LIMIT)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import CardDeck
from companion.games.chance import ToldChance
from companion.games.wasteland.box import NO_CARD, NOBODY, card_of, is_faction
from companion.games.wasteland.events import CardEvent
from companion.games.wasteland.map import tokens
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.cards.wasteland.types import DieFace
    from companion.cards.wasteland.words import EnemyType
    from companion.games.chance import Chance
    from companion.games.wasteland.position import Pile, WastelandPosition


def draw(pile: Pile, chance: MoveChance, names: Sequence[str], label: str = "") -> int | None:
    """Draw the top card, or the one that was told; discards are shuffled in as soon as the deck is empty (A-3)."""
    if not pile.cards:
        shuffle_discards_in(pile, chance)
    if not pile.cards:
        return None
    card = take_top(pile.cards, chance, names, label)
    if not pile.cards:
        shuffle_discards_in(pile, chance)
    return card


def draw_unseen(pile: Pile, chance: MoveChance) -> int | None:
    """Draw the top card at which nobody looks: it cannot be told."""
    if not pile.cards:
        shuffle_discards_in(pile, chance)
    if not pile.cards:
        return None
    card = pile.cards.pop()
    if not pile.cards:
        shuffle_discards_in(pile, chance)
    return card


def take_top(cards: list[int], chance: MoveChance, names: Sequence[str], label: str = "") -> int:
    """Take the top card of a deck that has one, or the one that was told. A refusal does not say which was told."""
    told = chance.told_card(label, sorted(names[card] for card in cards))
    if told is None:
        return cards.pop()
    for place in reversed(range(len(cards))):
        if names[cards[place]] == told:
            return cards.pop(place)
    raise Refusal("not_in_deck", "W-LIMIT-2", "The card that was told is not in that deck.")


def shuffle_discards_in(pile: Pile, chance: MoveChance) -> None:
    if pile.discards:
        pile.cards = chance.shuffle(pile.discards)
        pile.discards = []


class Untold(Exception):  # noqa: N818 - nothing failed; somebody has to say what was drawn
    """A card was drawn from a real deck and nobody has told which yet."""

    def __init__(self, pile: str, options: tuple[str, ...]) -> None:
        super().__init__(pile)
        self.pile = pile
        self.options = options


class MoveChance:
    """The chance of one move. Every shuffle, die and told card passes through it, so that a replay can repeat it."""

    def __init__(
        self,
        game: WastelandPosition,
        chance: Chance,
        dice: Sequence[tuple[DieFace, ...]] = (),
        drawn: Sequence[str] = (),
    ) -> None:
        self._game = game
        self._chance = ToldChance(chance, 0, (), tuple(drawn))
        self._dice = list(dice)
        self._may_ask = False
        self.consumed: tuple[str, ...] = ()  # what this step was told so far

    def begin_step(self) -> None:
        """Allow the step that begins to wait for what the table tells."""
        self._may_ask, self.consumed = self._game.table_cards, ()

    def end_step(self) -> None:
        """Forget what was told for the step: it is used up."""
        self._may_ask, self._game.told = False, ()

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """Return the same cards in another order; fewer than two take no chance."""
        if len(cards) < 2:  # noqa: PLR2004 - one card has one order
            return list(cards)
        self._game.shuffles += 1
        return self._chance.shuffle(self._game.shuffles - 1, cards)

    def pick(self, count: int) -> int:
        """Return one of so many at random: the top of a shuffle."""
        return self.shuffle(range(count))[-1]

    def told_card(self, pile: str = "", options: Iterable[str] = ()) -> str | None:
        """Return the next card that somebody drew on the real table. Agendas are always dealt: they name no pile."""
        told = self._next_told()
        if told is not None:
            self.consumed = (*self.consumed, told)
        elif self._may_ask and pile:
            raise Untold(pile, tuple(dict.fromkeys(options)))
        return told

    def _next_told(self) -> str | None:
        if self._game.told:
            first, *rest = self._game.told
            self._game.told = tuple(rest)
            return first
        return self._chance.told_card()

    def told_dice(self, count: int) -> tuple[DieFace, ...] | None:
        """Return the next throw of real dice."""
        if not self._dice:
            return None
        if len(self._dice[0]) != count:
            raise Refusal(
                "wrong_number_of_dice",
                "W-DICE-3",
                f"{count} dice are thrown here.",
                wanted=count,
                told=len(self._dice[0]),
            )
        return self._dice.pop(0)


def discard_card(game: WastelandPosition, held: int) -> None:
    """Put a card on the discard pile of its deck (W-KILL-8, W-ITEM-13, A-31)."""
    number = card_of(held)
    card = game.box.cards[number]
    if card.deck is CardDeck.LOOT:
        game.loot.discards.append(number)
    elif card.deck is CardDeck.ASSET:
        game.assets.discards.append(number)
    elif card.deck is CardDeck.UNIQUE:
        game.uniques_out.append(number)
    game.events.append(CardEvent("discarded", NOBODY, card=card.id))


def draw_token(game: WastelandPosition, chance: MoveChance, kind: EnemyType, *, seen: bool = True) -> int | None:
    """Draw a random token of a type; a faction's tokens never run out (W-LIMIT-1, A-5)."""
    if is_faction(kind):
        return None if tokens.are_no_enemies(game, kind) else game.box.faction_token(kind)
    token = draw_unseen(game.stacks[kind], chance)
    if token is None or not seen:
        return token
    wanted = _told_token(game, chance, kind, token)
    return token if wanted == token else _exchange(game, kind, token, wanted)


def look_at(game: WastelandPosition, chance: MoveChance, number: int) -> None:
    """Turn an unseen enemy faceup; the table may tell which it is."""
    token = game.enemies[number]
    game.enemies[number] = token._replace(seen=True)
    if token.seen:
        return
    kind = game.box.enemies[token.kind].type
    wanted = _told_token(game, chance, kind, token.kind)
    if wanted != token.kind:
        game.enemies[number] = token._replace(seen=True, kind=_exchange(game, kind, token.kind, wanted))


def _told_token(game: WastelandPosition, chance: MoveChance, kind: EnemyType, token: int) -> int:
    """Return the token that was told: any that nobody has seen may be it."""
    unknown = [token, *game.stacks[kind].cards, *(game.enemies[one].kind for one in _unseen(game, kind))]
    told = chance.told_card(kind.value, sorted(game.box.enemies[one].id for one in unknown))
    return token if told is None else game.box.enemy_number.get(told, NO_CARD)


def _unseen(game: WastelandPosition, kind: EnemyType) -> list[int]:
    return [
        number for number, token in game.enemies.items() if not token.seen and game.box.enemies[token.kind].type is kind
    ]


def _exchange(game: WastelandPosition, kind: EnemyType, token: int, wanted: int) -> int:
    """Put the told token in the place of the one that was thought to lie there."""
    stack = game.stacks[kind].cards
    if wanted in stack:
        stack[stack.index(wanted)] = token
        return wanted
    for number in _unseen(game, kind):
        if game.enemies[number].kind == wanted:
            game.enemies[number] = game.enemies[number]._replace(kind=token)
            return wanted
    raise Refusal("not_in_deck", "W-LIMIT-2", "The token that was told is not there.", type=kind.value)


def discard_token(game: WastelandPosition, kind: int) -> None:
    """Discard a drawn enemy, dead or not (W-ENEMY-26)."""
    if kind == NO_CARD:
        return
    enemy = game.box.enemies[kind]
    if not is_faction(enemy.type):
        game.stacks[enemy.type].discards.append(kind)
