"""W-SETUP: survivors are chosen, boards prepared, starting effects carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import LETTERS
from companion.games.wasteland.box import LETTER_NUMBER, SLOT_OF, START_HOLE, turned
from companion.games.wasteland.events import LetterKept, SurvivorChosen
from companion.games.wasteland.flow import sequence
from companion.games.wasteland.flow.sequence import ask, push
from companion.games.wasteland.map import enemies, exploring
from companion.games.wasteland.position import remind
from companion.games.wasteland.story import quests
from companion.games.wasteland.story.agendas import draw_agenda
from companion.games.wasteland.survivor import items, pegs
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


def choose_survivor(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Ask for a survivor that nobody has yet (W-SETUP-9)."""
    named = step.data[0]
    if not named:
        ask(game, step.seat, "survivor", "W-SETUP-9")
        return
    if named not in free_survivors(game, None):
        raise Refusal("no_such_survivor", "W-SETUP-9", f"{named[:60]!r} cannot be chosen.", field="survivors")
    game.survivors[step.seat].character = game.box.character_number[named]
    free = free_spaces(game, None)
    game.survivors[step.seat].at = free[0] if free else ""


def free_survivors(game: WastelandPosition, _choice: AskedChoice | None) -> list[str]:
    taken = {game.survivors[seat].character for seat in game.seats}
    return [one.id for number, one in enumerate(game.box.characters) if number not in taken]


def answer_survivor(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    game.survivors[choice.by].character = game.box.character_number[option]
    game.events.append(SurvivorChosen(choice.by, survivor=option))
    remind(game, "start-space", choice.by)
    push(game, "ask", choice.by, "setup-space", "W-SETUP-10")


def free_spaces(game: WastelandPosition, _choice: AskedChoice | None) -> list[str]:
    """Return the spaces of the starting tile without a figure (W-SETUP-10)."""
    taken = {game.survivors[seat].at for seat in game.seats}
    return [space for space in game.scenario.start_spaces if space not in taken]


def answer_space(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    game.survivors[choice.by].at = option


def prepare_board(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Set pegs, two letters, one agenda, Caps and the character card (W-SETUP-11 to 13, W-SETUP-17)."""
    survivor, settings = game.survivors[step.seat], game.box.settings
    character = game.box.characters[survivor.character]
    if not character.letter:
        game.steps.append(step)
        ask(game, step.seat, "own-letter", "W-SETUP-12")
        return
    survivor.hp = survivor.hp_max = character.hp_max or settings.hp_max
    survivor.rads, survivor.hole, survivor.caps = 0, START_HOLE, settings.start_caps
    survivor.traits, survivor.locked = frozenset(character.start_traits), frozenset(character.locked_traits)
    own = LETTER_NUMBER[character.letter]
    survivor.letters = 1 << own  # a token of its own, beside the supply
    if not game.by_the_book:
        game.supply[own] = max(0, game.supply[own] - 1)
    _second_letter(game, chance, step.seat)
    card = draw_agenda(game, chance)
    if card is not None:
        survivor.hand, survivor.answers = [card], [0]
    if character.start_card:
        _start_card(game, step.seat, game.box.card_number[character.start_card])


def _start_card(game: WastelandPosition, seat: int, card: int) -> None:
    """Equip the starting card where it has a slot, for every slot is empty; the first turn may take it off."""
    kind = game.box.cards[card].kind
    if kind in SLOT_OF:
        game.survivors[seat].slots[SLOT_OF[kind]] = turned(card)
    else:
        items.gain_and_limit(game, seat, turned(card))


def _second_letter(game: WastelandPosition, chance: MoveChance, seat: int) -> None:
    """Draw the second letter again until it differs from the first (W-SETUP-12)."""
    survivor = game.survivors[seat]
    set_aside: list[int] = []
    drawn = pegs.draw_letters(game, chance, 1)
    while drawn and survivor.letters >> drawn[0] & 1:
        set_aside += drawn
        drawn = pegs.draw_letters(game, chance, 1)
    for letter in set_aside:
        game.supply[letter] += 1
    if drawn:
        survivor.letters |= 1 << drawn[0]
        game.events.append(LetterKept(seat, letter=LETTERS[drawn[0]], new=True))


def starting_effects(game: WastelandPosition, chance: MoveChance, _step: PendingStep) -> None:
    """Stage the opening quests and place the enemies on the map, faceup (W-SETUP-14, W-SETUP-15)."""
    remind(game, "starting-effects", game.first, notes=list(game.scenario.setup_notes))
    found = game.map
    if found is None:
        remind(game, "enemies-on-the-map", game.first)
    remind(game, "faction-tokens", game.first)
    for placed in game.scenario.enemies:
        enemies.place(game, chance, placed.type, placed.at, active=True)
    for number in reversed(game.scenario.opening_quests):
        quests.stage(game, game.first, number)
    game.quests.reverse()
    if found is not None:
        for tile in reversed(list(found.tiles.values())):
            exploring.populate(game, tile)


def first_turn(game: WastelandPosition, _chance: MoveChance, _step: PendingStep) -> None:
    sequence.begin_turn(game, game.first)
