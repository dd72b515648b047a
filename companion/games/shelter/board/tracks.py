"""The two tracks and the three decks: drawing, replacing, refreshing, renewing (I1, I6, B1, B7, K1, T5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.events import CardDrawn, DeckRenewed, TrackRefreshed
from companion.games.shelter.turn.asking import ask
from companion.games.shelter.words import NO_CARD, NOBODY, PILE_CLAUSES, PILES, THREATS, TRACK_SIZE, UNKNOWN
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import PendingShelterChoice
    from companion.games.shelter.position import ShelterPosition


def left_in_deck(game: ShelterPosition, pile: int) -> int:
    """Return how many cards a deck holds, without those that were drawn but not named yet."""
    return len(game.decks[pile]) - game.unknown[pile]


def draw(game: ShelterPosition, chance: Chance, pile: int, place: int) -> int:
    """Draw the top card of a deck; an empty deck is renewed from its discards first."""
    if not left_in_deck(game, pile):
        _renew(game, chance, pile)
        if not left_in_deck(game, pile):
            return NO_CARD
    deck = game.decks[pile]
    told = chance.told_card()
    if told is not None:
        card = _named_card(game, pile, told)
        deck.remove(card)
    elif game.real_decks and len(set(deck)) > 1:
        game.unknown[pile] += 1
        ask(game, NOBODY, "drawn", PILE_CLAUSES[pile], pile, place)
        return UNKNOWN
    else:
        card = deck.pop()
    return card


def _named_card(game: ShelterPosition, pile: int, name: str) -> int:
    number = game.box.numbers[pile].get(name)
    if number is None or number not in game.decks[pile]:
        raise Refusal("not_in_deck", "C2", f"There is no {name[:60]!r} left among the {PILES[pile]}.", card=name[:60])
    return number


def _renew(game: ShelterPosition, chance: Chance, pile: int) -> None:
    """Shuffle the discards into a new deck: items (I6), rooms (B7), threats that are still owed (T5)."""
    discards = game.discards[pile]
    if not discards:
        return
    game.discards[pile] = []
    if game.real_decks:
        game.decks[pile] += discards
    else:
        game.decks[pile] = chance.shuffle(game.shuffles, discards)
        game.shuffles += 1
    game.events.append(DeckRenewed(PILES[pile]))


def options(game: ShelterPosition, pile: int) -> list[str]:
    """Return the cards of a track that are known, each name once."""
    names = game.box.names[pile]
    return list(dict.fromkeys([names[card] for card in game.tracks[pile] if card != UNKNOWN]))


def is_known(game: ShelterPosition, pile: int) -> bool:
    """Return whether every card of a track is known; a choice among them waits for those that are not."""
    return UNKNOWN not in game.tracks[pile]


def take(game: ShelterPosition, chance: Chance, pile: int, name: str) -> int:
    """Take a card from its track and replace it in its place (I1, B1)."""
    track = game.tracks[pile]
    card = game.box.numbers[pile][name]
    refill(game, chance, pile, track.index(card))
    return card


def refill(game: ShelterPosition, chance: Chance, pile: int, place: int) -> None:
    """Deal a new card to a place of a track; without one the track stays short (I6)."""
    card = draw(game, chance, pile, place)
    track = game.tracks[pile]
    if card == NO_CARD:
        game.tracks[pile] = (*track[:place], *track[place + 1 :])
        _move_questions(game, pile, place)
    else:
        lay(game, pile, place, card)


def lay(game: ShelterPosition, pile: int, place: int, card: int) -> None:
    track = game.tracks[pile]
    game.tracks[pile] = (*track[:place], card, *track[place + 1 :])


def _move_questions(game: ShelterPosition, pile: int, gap: int) -> None:
    """Move the questions about unknown cards up with the cards of a track that stays short."""
    for number, choice in enumerate(game.pending):
        if choice.kind == "drawn" and choice.data == pile and choice.place > gap:
            game.pending[number] = choice.lying_at(choice.place - 1)


def deal(game: ShelterPosition, chance: Chance, pile: int) -> None:
    """Deal cards until the track has three, left to right."""
    track = game.tracks[pile]
    while len(track) < TRACK_SIZE:
        card = draw(game, chance, pile, len(track))
        if card == NO_CARD:
            break
        track = (*track, card)
    game.tracks[pile] = track


def fetch_chosen(game: ShelterPosition, chance: Chance, pile: int, card: int, *, aside: bool) -> bool:
    """Take a card that was chosen from a track before; return whether it lies anywhere (B1).

    It is on the track, whose gap refills, unless the track was dealt anew since or somebody has corrected it.
    """
    if not aside and card in game.tracks[pile]:
        refill(game, chance, pile, game.tracks[pile].index(card))
        return True
    for cards in (game.discards[pile], game.decks[pile]):
        if card in cards:
            cards.remove(card)
            return True
    if card in game.tracks[pile]:
        refill(game, chance, pile, game.tracks[pile].index(card))
        return True
    return False


def refresh(game: ShelterPosition, chance: Chance, pile: int, chosen: int = NO_CARD) -> None:
    """Discard the whole track and deal it anew (K1); a card that somebody has chosen is not dealt again."""
    unknown = [choice for choice in game.pending if choice.kind == "drawn" and choice.data == pile]
    for choice in unknown:
        game.pending.remove(choice)
    gone = [card for card in game.tracks[pile] if card != UNKNOWN]
    kept = chosen in gone
    if kept:
        gone.remove(chosen)
    game.discards[pile] += gone
    game.unknown[pile] -= len(unknown)
    game.tracks[pile] = ()
    deal(game, chance, pile)
    if kept:
        game.discards[pile].append(chosen)
    game.events.append(TrackRefreshed(PILES[pile]))


# --- cards that were drawn at the real table and are told later -------------------------------------------------------


def drawn_options(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    """Return what the unknown card may be: anything that the deck still holds."""
    return sorted({game.box.names[choice.data][card] for card in game.decks[choice.data]})


def answer_drawn(game: ShelterPosition, chance: Chance, choice: PendingShelterChoice, option: str) -> None:
    """Name the card that was drawn at the real table."""
    pile = choice.data
    card = game.box.numbers[pile][option]
    game.decks[pile].remove(card)
    game.unknown[pile] -= 1
    if pile == THREATS:
        game.vault = game.vault.with_threats({**game.vault.threats, choice.place: card})
        game.spawned = tuple(spawn.named(choice.place, card) for spawn in game.spawned)
    else:
        lay(game, pile, choice.place, card)
    game.events.append(CardDrawn(PILES[pile], option))
    _name_what_is_certain(game, chance, pile)


def _name_what_is_certain(game: ShelterPosition, chance: Chance, pile: int) -> None:
    """Name a drawn card without asking when only one kind of card is left."""
    asked = [choice for choice in game.pending if choice.kind == "drawn" and choice.data == pile]
    if asked and len(set(game.decks[pile])) == 1:
        game.pending.remove(asked[0])
        answer_drawn(game, chance, asked[0], game.box.names[pile][game.decks[pile][0]])
