"""W-XP and W-LEVEL: the XP peg under the letters, and what a level-up brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import LETTERS
from companion.games.wasteland.box import LETTER_NUMBER, NO_CARD, OTHER_SIDE, START_HOLE, letters_of
from companion.games.wasteland.events import CapsChanged, LetterKept, LettersDrawn, PerkEvent, TraitEvent, XpGained
from companion.games.wasteland.flow.sequence import ask, push
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.words import Trait
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


def gain_xp(game: WastelandPosition, seat: int, amount: int) -> None:
    """Move the XP peg for all of it; level-ups come afterwards, one by one (W-XP-4, W-LEVEL-5)."""
    survivor = game.survivors[seat]
    levels = 0
    for _ in range(amount):
        hole = next_hole(survivor.letters, survivor.hole)
        levels += hole == START_HOLE
        survivor.hole = hole
    if amount > 0:
        game.events.append(XpGained(seat, amount=amount, levels=levels))
    for _ in range(levels):
        push(game, "level-up", seat)


def next_hole(letters: int, hole: int) -> int:
    """Return the next owned letter to the right; after the rightmost one the start (W-XP-2, W-XP-3)."""
    for letter in range(hole + 1, len(LETTERS)):
        if letters >> letter & 1:
            return letter
    return START_HOLE


def level_up(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Draw two tokens from the supply, keep one (W-LEVEL-1); with one left, that one (A-22).

    Of real ones only the kept one has to be told: the other goes back unseen.
    """
    told = chance.told_card() if game.at_once and game.table_cards else None
    if game.at_once and game.table_cards and told is None:
        ask(game, step.seat, "letter", "W-LEVEL-1")
        return
    drawn = draw_letters(game, chance, 2, told)
    if drawn:
        game.events.append(LettersDrawn(step.seat, letters=tuple(LETTERS[letter] for letter in drawn)))
        ask(game, step.seat, "letter", "W-LEVEL-1", *drawn)


def draw_letters(game: WastelandPosition, chance: MoveChance, count: int, first: str | None = None) -> list[int]:
    """Draw random tokens out of the supply, or those that were told."""
    drawn: list[int] = []
    while len(drawn) < count and any(game.supply):
        letter = _told_letter(game, first or chance.told_card("letters", _left(game)))
        first = None
        if letter is None:
            tokens = [one for one, left in enumerate(game.supply) for _ in range(left)]
            letter = tokens[chance.pick(len(tokens))]
        game.supply[letter] -= 1
        drawn.append(letter)
    return drawn


def _left(game: WastelandPosition) -> list[str]:
    return [LETTERS[letter] for letter, left in enumerate(game.supply) if left]


def _told_letter(game: WastelandPosition, told: str | None) -> int | None:
    if told is None:
        return None
    if told not in LETTER_NUMBER or not game.supply[LETTER_NUMBER[told]]:
        raise Refusal("not_in_supply", "W-LEVEL-1", "The token that was told is not in the supply.")
    return LETTER_NUMBER[told]


def own_letter(game: WastelandPosition, seat: int) -> int:
    """Return the letter whose token came with the survivor, and never lies in the supply (W-SETUP-9); NO_CARD: none."""
    character = game.survivors[seat].character
    if not game.by_the_book or character == NO_CARD:
        return NO_CARD
    return LETTER_NUMBER.get(game.box.characters[character].letter, NO_CARD)


def letter_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the two that were drawn; where real ones were, all that may be among them."""
    return [LETTERS[letter] for letter in dict.fromkeys(choice.data)] or _left(game)


def answer_letter(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Put a new letter into its slot; return an owned one and gain a perk (W-LEVEL-2 to 4)."""
    kept = LETTER_NUMBER[option]
    if not choice.data:
        game.supply[kept] -= 1
    others = list(choice.data) or [kept]
    others.remove(kept)
    for letter in others:
        game.supply[letter] += 1
    survivor = game.survivors[choice.by]
    game.events.append(LetterKept(choice.by, letter=option, new=not survivor.letters >> kept & 1))
    owned = survivor.letters >> kept & 1
    if owned or kept == own_letter(game, choice.by):
        game.supply[kept] += 1
    if owned:
        push(game, "gain-perk", choice.by, option)
    else:
        survivor.letters |= 1 << kept


def gain_perk(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Ask for a perk with the letter, else with any owned letter, else none (W-PERK-1, W-PERK-2)."""
    ask(game, step.seat, "perk", "W-PERK-1", *step.data)


def perk_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the perks in the deck that may be picked now (A-20)."""
    for letters in (choice.data[0], letters_of(game.survivors[choice.by].letters)):
        found = [game.box.perks[perk] for perk in game.perks]
        fitting = [perk.id for perk in found if set(perk.letters) & set(letters)]
        if fitting:
            return list(dict.fromkeys(fitting))
    return []


def answer_perk(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    perk = game.box.perk_number[option]
    game.perks.remove(perk)
    game.survivors[choice.by].perks.append(perk)
    game.events.append(PerkEvent("perk_gained", choice.by, perk=option))


def change_caps(game: WastelandPosition, seat: int, amount: int) -> None:
    """Gain or pay Caps, never below none (W-CAPS-1)."""
    survivor = game.survivors[seat]
    changed = max(amount, -survivor.caps)
    survivor.caps += changed
    if changed:
        game.events.append(CapsChanged(seat, amount=changed, caps=survivor.caps))


def gain_trait(game: WastelandPosition, seat: int, trait: Trait) -> None:
    """Take the token or flip it, unless its locked side lies up (W-TRAIT-2 to 4)."""
    survivor = game.survivors[seat]
    other = OTHER_SIDE[trait]
    if trait in survivor.traits:
        return
    locked = survivor.locked | set(game.box.settings.locked_traits)
    if other in survivor.traits and other in locked:
        game.events.append(TraitEvent("trait_locked", seat, trait=other.value))
        return
    survivor.traits = survivor.traits - {other} | {trait}
    survivor.locked -= {other}
    game.events.append(TraitEvent("trait_gained", seat, trait=trait.value))


def lose_trait(game: WastelandPosition, seat: int, trait: Trait) -> None:
    """Discard the token, locked or not (W-TRAIT-5)."""
    survivor = game.survivors[seat]
    if trait in survivor.traits:
        survivor.traits -= {trait}
        survivor.locked -= {trait}
        game.events.append(TraitEvent("trait_lost", seat, trait=trait.value))


def lock_trait(game: WastelandPosition, seat: int, trait: Trait) -> None:
    """Note that the token which the survivor took shows a lock: others of its kind need not (W-TRAIT-4)."""
    survivor = game.survivors[seat]
    if trait in survivor.traits - survivor.locked:
        survivor.locked |= {trait}
        game.events.append(TraitEvent("trait_fixed", seat, trait=trait.value))
