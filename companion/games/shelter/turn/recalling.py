"""The recall: defeated threats leave, dwellers go home, training takes effect, items are readied (R5, G3, A)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter.cards.hand import make_all_ready
from companion.games.shelter.events import DWELLERS_RECALLED, DwellerTrained, RoundBegun, ThreatDefeated
from companion.games.shelter.turn import rewards, scoring
from companion.games.shelter.turn.asking import ask
from companion.games.shelter.words import (
    ANY_LETTER,
    COLOURS,
    DWELLER_NUMBER,
    INJURED,
    LETTERS,
    PHASES,
    PLAIN,
    RECALL,
    SPACE_NAMES,
    SPAWN,
    THREATS,
    UNKNOWN,
)
from companion.refusal import Refusal

ONE_PLAIN: Final = (PLAIN,)

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.figures import PendingShelterChoice
    from companion.games.shelter.position import ShelterPosition


def refuse_unless_recalling(game: ShelterPosition) -> None:
    """Refuse before everybody has passed or placed (R3), and while an item or a letter still asks something."""
    if game.phase != RECALL:
        waiting = [COLOURS[colour] for colour in game.seats if not game.passed >> colour & 1]
        raise Refusal("not_yet", "R3", "Dwellers are still being placed.", phase=PHASES[game.phase], waiting=waiting)
    for choice in game.pending:
        if holds_the_recall_up(game, choice):
            who = COLOURS[choice.by]
            raise Refusal(
                "choice_open",
                "M1" if choice.kind == "income" else "R5",
                f"{who} still has to choose: {choice.kind}.",
                by=who,
                id=choice.id,
            )
    if not game.real_decks:
        return
    for space, threat in game.vault.threats.items():
        if threat == UNKNOWN and space in game.placed:
            name = SPACE_NAMES[space]
            raise Refusal("card_unknown", "P5", f"Nobody has said which threat lies on {name}.", space=name)


def holds_the_recall_up(game: ShelterPosition, choice: PendingShelterChoice) -> bool:
    """Return whether a choice must be answered first: incomes may lapse, and cards are named when they are needed."""
    if choice.kind == "income":
        return game.rules.income_automatic
    return choice.kind != "drawn"


def recall(game: ShelterPosition) -> None:
    refuse_unless_recalling(game)
    rewards.lapse_income(game)
    _discard_defeated(game)
    _return_dwellers(game)
    game.events.append(DWELLERS_RECALLED)
    ask_letters(game)


def _discard_defeated(game: ShelterPosition) -> None:
    """Discard the threats whose recalled dwellers are uninjured (G3, G4)."""
    threats = game.vault.threats
    defeated = [space for space in threats if space in game.placed and INJURED not in game.placed[space].dwellers]
    if not defeated:
        return
    for space in defeated:
        game.discards[THREATS].append(threats[space])
        game.events.append(ThreatDefeated(game.placed[space].colour, space, game.box.names[THREATS][threats[space]]))
    game.vault = game.vault.with_threats({space: kind for space, kind in threats.items() if space not in defeated})


def _return_dwellers(game: ShelterPosition) -> None:
    """Return all dwellers; printed letters are given first, then those of choice, from the first player (A1, A2)."""
    choosing: list[tuple[int, bool]] = []
    for standing in game.placed.values():
        if standing.dwellers == ONE_PLAIN and not standing.training:
            game.plain[standing.colour] += 1
            continue
        for dweller in standing.dwellers:
            if dweller == PLAIN:
                game.plain[standing.colour] += 1
            else:
                game.hurt[standing.colour] += 1
        if standing.training == ANY_LETTER:
            choosing.append((standing.colour, standing.dwellers[0] == INJURED))
        elif standing.training:
            train(game, standing.colour, standing.training, injured=standing.dwellers[0] == INJURED)
    for colour in game.seats:
        if game.arriving[colour]:
            game.plain[colour] += len(game.arriving[colour])
            game.arriving[colour] = ()
    game.placed = {}
    game.taken = 0
    game.letters = ()
    if choosing:
        order = _from_first(game)
        game.letters = tuple(sorted(choosing, key=lambda one: order.index(one[0])))


def _from_first(game: ShelterPosition) -> list[int]:
    place = game.seats.index(game.first)
    return [*game.seats[place:], *game.seats[:place]]


def train(game: ShelterPosition, colour: int, letter: int, *, injured: bool) -> None:
    """Train an available dweller in a letter that no other of the player's has (A2, A8)."""
    if letter not in free_letters(game, colour):
        return
    if injured and game.hurt[colour]:  # it may have been healed while its letter was asked for
        game.hurt[colour] -= 1
        game.trained[colour] |= 1 << (letter + INJURED)
    else:
        game.plain[colour] -= 1
        game.trained[colour] |= 1 << letter
    game.events.append(DwellerTrained(colour, LETTERS[letter - 1]))


def free_letters(game: ShelterPosition, colour: int) -> list[int]:
    """Return the letters in which no dweller of the player is trained (A2)."""
    taken = game.trained[colour] | game.trained[colour] >> INJURED
    return [letter for letter in range(1, len(LETTERS) + 1) if not taken >> letter & 1]


def letter_options(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return [LETTERS[letter - 1] for letter in free_letters(game, choice.by)]


def ask_letters(game: ShelterPosition) -> None:
    """Ask for the next letter of choice; when there is none left, the round ends."""
    while game.letters:
        (colour, injured), *rest = game.letters
        free = free_letters(game, colour)
        if len(free) > 1:
            ask(game, colour, "letter", "A1")
            return
        game.letters = tuple(rest)
        for letter in free:
            train(game, colour, letter, injured=injured)
    end_round(game)


def answer_letter(game: ShelterPosition, chance: Chance, choice: PendingShelterChoice, option: str) -> None:
    (_, injured), *rest = game.letters
    game.letters = tuple(rest)
    train(game, choice.by, DWELLER_NUMBER[option], injured=injured)
    ask_letters(game)


def end_round(game: ShelterPosition) -> None:
    """Ready items, clear passes, and check for the end of the game (I3, R5, E1)."""
    for colour in game.seats:
        make_all_ready(game, colour)
    game.passed = 0
    game.spawned = ()
    if game.last_round:
        scoring.finish(game)
        return
    game.round += 1
    game.phase = SPAWN
    game.turn = game.first
    game.events.append(RoundBegun(game.round))
