"""Cards that nobody has entered: named while they are played, and from then on played by what was told (W-LIB)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from companion.cards.pack import PackFaults
from companion.cards.wasteland.blanks import AGENDA, blank, is_blank
from companion.cards.wasteland.learned import READERS, record_of
from companion.cards.wasteland.types import Agenda, Character, Encounter, Enemy, Perk, QuestCard, WastelandCard
from companion.cards.wasteland.words import LETTERS, CardDeck, Faction
from companion.games.fields import malformed
from companion.games.wasteland import moves
from companion.games.wasteland.box import NO_CARD, NOBODY, OVER, card_of, is_exhausted, turned
from companion.games.wasteland.events import CardLearned
from companion.games.wasteland.flow.sequence import UNKNOWN_LEVEL, ask, push
from companion.games.wasteland.map import activation
from companion.games.wasteland.story import agendas, quests
from companion.games.wasteland.story.quests import Task
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.cards.wasteland.learned import Record
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition

    Counted = TypeVar("Counted", WastelandCard, Enemy, Perk)

LONGEST = 4000
"""Characters of a record: more than any card has."""


def learn(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Enter a card, or enter it anew; where it was asked which card was drawn, it is this one (W-LIMIT-2)."""
    if game.phase == OVER:
        raise Refusal("game_over", "W-END-1", "The game is over.")
    kind = move[moves.KIND]
    made = _read(kind, move[moves.RECORD])
    before = game.box
    game.box = before.learned(made)
    card, name = (str(made.number), made.name) if isinstance(made, QuestCard) else (made.id, made.name)
    game.events.append(CardLearned(move.by, kind=kind, card=card, name=name))
    match made:
        case WastelandCard():
            known = before.cards[before.card_number[made.id]].count if made.id in before.card_number else 0
            _count(game, made, blank(made.deck.value), known, _item(game, move.by, made))
        case Enemy():
            known = before.enemies[before.enemy_number[made.id]].count if made.id in before.enemy_number else 0
            _count(game, made, blank(made.type.value), known, _token(game, made))
        case Perk():
            known = before.perks[before.perk_number[made.id]].count if made.id in before.perk_number else 0
            instead = _perk(game, made)
            _count(game, made, instead, known, int(bool(instead)))
        case Encounter():
            _encounter(game, made)
        case Agenda():
            _agenda(game, made)
        case Character():
            _survivor(game)
        case QuestCard():
            _quest(game, made)


def _count(game: WastelandPosition, made: Counted, unknown: str, known: int, swapped: int) -> None:
    """Count so many copies more of a card, and so many blanks fewer."""
    box = game.box
    game.box = box = box.learned(replace(made, count=known + swapped))
    for kinds in (box.cards, box.enemies, box.perks):
        for one in kinds:
            if one.id == unknown and swapped:
                game.box = box.learned(replace(one, count=max(0, one.count - swapped)))


def _read(kind: str, raw: dict[str, object]) -> Record:
    if kind not in READERS:
        raise malformed("kind", kind, "one of " + ", ".join(READERS))
    if len(str(raw)) > LONGEST:
        raise malformed("record", "a long record", f"at most {LONGEST} characters")
    try:
        return record_of(kind, raw)
    except PackFaults as faults:
        told = [f"{fault.found} → {fault.expected}" for fault in faults.faults]
        raise Refusal("malformed", None, "; ".join(told), field="record", faults=told) from faults


def _asked(game: WastelandPosition, kind: str, pile: str = "") -> AskedChoice | None:
    """Return the open choice of this kind, about this pile."""
    choice = game.pending[0] if game.pending else None
    fits = choice is not None and choice.kind == kind and (not pile or choice.data[0] == pile)
    return choice if fits else None


def _tell(game: WastelandPosition, choice: AskedChoice, card: str) -> None:
    """Answer which card was drawn; the step that waits for it is done again."""
    game.pending.remove(choice)
    game.told = (*choice.data[2], card)


def _swap(cards: list[int], wanted: list[int], by: int) -> bool:
    """Put a card in the place of a blank, the topmost first."""
    for place in reversed(range(len(cards))):
        if cards[place] in wanted:
            cards[place] = by
            return True
    return False


# --- items and companions ---------------------------------------------------------------------------------------------


def _item(game: WastelandPosition, seat: int, card: WastelandCard) -> int:
    """Put the card where a blank of its deck was, in somebody's hands, in the shop or on the deck; return how often."""
    pile, number = card.deck.value, game.box.card_number[card.id]
    unknown = game.box.card_number.get(blank(pile), NO_CARD)
    deck = _deck_of(game, card.deck)
    choice = _asked(game, "drawn", pile)
    if choice is not None:
        swapped = 0
        if number not in deck:
            swapped = 1
            if not _swap(deck, [unknown], number):
                deck.append(number)  # the box holds more of it than was counted
        _tell(game, choice, card.id)
        return swapped
    if number in _everywhere(game, card.deck):
        return 0
    owners = [seat, *(one for one in game.alive() if one != seat)] if seat != NOBODY else game.alive()
    held = any(_swap_held(game, one, unknown, number) for one in owners)
    return int(held or _swap(game.shop, [unknown], number) or _swap(deck, [unknown], number))


def _deck_of(game: WastelandPosition, deck: CardDeck) -> list[int]:
    if deck is CardDeck.LOOT:
        return game.loot.cards
    return game.assets.cards if deck is CardDeck.ASSET else game.uniques


def _everywhere(game: WastelandPosition, deck: CardDeck) -> Iterator[int]:
    """Yield the cards of a deck wherever they lie."""
    yield from _deck_of(game, deck)
    yield from game.loot.discards
    yield from game.assets.discards
    yield from game.uniques_out
    yield from game.shop
    for seat in game.alive():
        yield from (card_of(held) for held in game.survivors[seat].turnable())


def _swap_held(game: WastelandPosition, seat: int, unknown: int, by: int) -> bool:
    survivor = game.survivors[seat]
    for cards in (survivor.inventory, survivor.slots):
        for place, held in enumerate(cards):
            if held != NO_CARD and card_of(held) == unknown:
                cards[place] = turned(by, exhausted=is_exhausted(held))
                return True
    return False


def _perk(game: WastelandPosition, perk: Perk) -> str:
    """Put the perk where a blank of one of its letters was; return which that was."""
    numbers = game.box.perk_number
    blanks = (blank(f"perk-{letter.lower()}") for letter in perk.letters)
    unknown = [numbers[one] for one in blanks if one in numbers]
    for number in unknown if numbers[perk.id] not in game.perks else ():
        if _swap(game.perks, [number], numbers[perk.id]):
            found: str = game.box.perks[number].id
            return found
    return ""


# --- enemies ----------------------------------------------------------------------------------------------------------


def _token(game: WastelandPosition, enemy: Enemy) -> int:
    """Put the token where a blank of its type was: in the stack if it turned up, else on the map; return how often."""
    number = game.box.enemy_number[enemy.id]
    unknown = game.box.enemy_number.get(blank(enemy.type.value), NO_CARD)
    if game.contest is not None and game.contest.is_fight and game.contest.kind == unknown:
        game.contest.kind = number
    if enemy.type.value in list(Faction):
        for one, token in game.enemies.items():
            if token.kind == unknown:
                game.enemies[one] = token._replace(kind=number)
        return 0
    stack = game.stacks[enemy.type]
    choice = _asked(game, "drawn", enemy.type.value)
    if choice is not None:
        if number in stack.cards:
            _tell(game, choice, enemy.id)
            return 0
        if not (_swap(stack.cards, [unknown], number) or _swap_token(game, unknown, number, seen=False)):
            stack.cards.append(number)
        _tell(game, choice, enemy.id)
        return 1
    return int(_swap_token(game, unknown, number, seen=True) or _swap(stack.cards, [unknown], number))


def _swap_token(game: WastelandPosition, unknown: int, by: int, *, seen: bool) -> bool:
    for number, token in game.enemies.items():
        if token.kind == unknown and token.seen is seen:
            game.enemies[number] = token._replace(kind=by)
            return True
    return False


# --- encounters -------------------------------------------------------------------------------------------------------


def _encounter(game: WastelandPosition, card: Encounter) -> None:
    """Put the card where a blank of its deck was; one that lies open is asked about as it is known now."""
    number = game.box.encounter_number[card.id]
    unknown = game.box.encounter_number.get(blank(card.back.value), NO_CARD)
    deck = game.decks_of.setdefault(card.back, [])
    choice = _asked(game, "drawn", f"{card.back.value}-encounters")
    if choice is not None:
        if number not in deck and not _swap(deck, [unknown], number):
            deck.append(number)
        _tell(game, choice, card.id)
        return
    visit = game.visit
    opened = _asked(game, "encounter") or _asked(game, "option")
    if visit is None or opened is None or visit.card not in (number, unknown, NO_CARD):
        if number not in deck and card.number == 0:
            _swap(deck, [unknown], number)
        return
    game.visit = visit._replace(card=number)
    game.pending.remove(opened)
    ask(game, opened.by, "option" if card.options else "encounter", "W-ENC-2", number)


def _quest(game: WastelandPosition, card: QuestCard) -> None:
    """Carry out the last objective of a quest that lies open: it is the one that was just entered."""
    choice = _asked(game, "quest-card", "")
    if choice is None or choice.data[0] != card.number or not card.objectives:
        return
    game.pending.remove(choice)
    one = card.objectives[-1]
    quests.begin_task(game, choice.by, Task(one.steps, one.results, (), UNKNOWN_LEVEL, card.number))


# --- agendas and survivors --------------------------------------------------------------------------------------------


def agenda_options(game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    """Return the agendas that somebody entered, and a blank: it activates nobody."""
    known = [card.id for card in game.box.agendas if not is_blank(card.id)]
    return [*known, AGENDA]


def answer_agenda(game: WastelandPosition, _chance: MoveChance, _choice: AskedChoice, option: str) -> None:
    _reveal(game, game.box.agenda_number[option])


def _agenda(game: WastelandPosition, agenda: Agenda) -> None:
    choice = _asked(game, "agenda-shown")
    if choice is not None:
        game.pending.remove(choice)
        _reveal(game, game.box.agenda_number[agenda.id])


def _reveal(game: WastelandPosition, card: int) -> None:
    """Let the types of a real agenda act that was turned up on the table."""
    activation.turn_up(game, card)
    push(game, "agenda-away", NOBODY)
    activation.push_types(game, card)


def agenda_away(game: WastelandPosition, _chance: MoveChance, _step: PendingStep) -> None:
    """Put the real agenda away after its types have acted: a blank goes to the discards for it."""
    game.agendas.discards.append(game.box.agenda_number[AGENDA])
    game.revealed_agenda = NO_CARD


def own_letter_options(_game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    """Return the letters: one of them came with a survivor that nobody entered."""
    return list(LETTERS)


def answer_own_letter(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Note the letter; the board is prepared with it."""
    one = game.box.characters[game.survivors[choice.by].character]
    game.box = game.box.learned(
        Character(one.id, one.name, option, one.hp_max, one.start_card, one.start_traits, one.note)
    )


def _survivor(game: WastelandPosition) -> None:
    choice = _asked(game, "own-letter")
    if choice is not None and game.box.characters[game.survivors[choice.by].character].letter:
        game.pending.remove(choice)


def side_options(_game: WastelandPosition, _choice: AskedChoice) -> list[str]:
    """Return the factions: one of them is on the agenda that was revealed for loyalty."""
    return [faction.value for faction in Faction]


def answer_side(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Put a blank of that faction into the hand, and be loyal to it."""
    survivor = game.survivors[choice.by]
    survivor.hand[choice.data[0]] = game.box.agenda_number[f"{AGENDA}-{option}"]
    agendas.be_loyal(game, choice.by, choice.data[0])
