"""What a round has beside its turns: the threat step (T), the recall (R5, G3, A), and the end with its scores (E)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.item_effects import Counted
from companion.games.shelter.board import tracks
from companion.games.shelter.board.vault import GameResult, Score
from companion.games.shelter.call import levels_to_roll, tolls, turns
from companion.games.shelter.cards.hand import make_all_ready
from companion.games.shelter.events import (
    DWELLER_TRAINED,
    DWELLERS_RECALLED,
    GameOver,
    HouseCallTurned,
    LastRound,
    RoundBegun,
    TrainingLost,
    threat_defeated,
    threat_rolled,
)
from companion.games.shelter.together import wasteland
from companion.games.shelter.turn import rewards
from companion.games.shelter.turn.asking import ask, first_turn, refuse_while_income_is_due
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import (
    ANY_LETTER,
    COLOURS,
    DWELLER_NUMBER,
    INJURED,
    LETTERS,
    NO_CARD,
    NOBODY,
    OVER,
    PHASES,
    PLAIN,
    RECALL,
    RESOURCE_NUMBER,
    SPACE_NAMES,
    SPACES_A_LEVEL,
    SPAWN,
    THREATS,
    UNKNOWN,
)
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance, Dice
    from companion.games.shelter.board.vault import PendingShelterChoice, Spawned, Standing
    from companion.games.shelter.events import ThreatRolled
    from companion.games.shelter.position import ShelterPosition


SEVEN = 7


def spawn(game: ShelterPosition, chance: Chance) -> None:
    """Roll for every level (T1), as a house call has it (W6), and for the top one again as a crisis says (U3)."""
    if game.phase != SPAWN:
        clause = "R1" if game.round == 1 else "T1"
        raise Refusal("wrong_phase", clause, "Threats do not spawn now.", phase=PHASES[game.phase], round=game.round)
    spawned: list[Spawned] = []
    threats = dict(game.vault.threats)
    levels = levels_to_roll(game)
    if game.together is not None:
        levels += [0] * wasteland.more_rolls(game, game.together)
    for level in levels:
        dice = chance.roll(game.rolls)
        game.rolls += 1
        told = _spawn_on(game, chance, threats, level, dice)
        spawned.append(told.roll)
        game.events.append(told)
    game.spawned = tuple(spawned)
    if len(threats) > len(game.vault.threats):
        game.vault = game.vault.with_threats(threats)
    first_turn(game)


def _spawn_on(game: ShelterPosition, chance: Chance, threats: dict[int, int], level: int, dice: Dice) -> ThreatRolled:
    """Lay the top card where the sum's column has a room without a threat (T2, T3, T4)."""
    number = dice[0] + dice[1]
    space, why_not = space_for(game, threats, level, number)
    if why_not:
        return threat_rolled(level, dice, -1, NO_CARD, why_not)
    threat = tracks.draw(game, chance, THREATS, space)
    if threat == NO_CARD:
        return threat_rolled(level, dice, -1, NO_CARD, "no_card")
    threats[space] = threat
    if game.together is None and not game.last_round and not tracks.left_in_deck(game, THREATS):
        game.last_round = True
        game.events.append(LastRound(NOBODY, "T5"))
    return threat_rolled(level, dice, space, threat, "")


def space_for(game: ShelterPosition, threats: dict[int, int], level: int, number: int) -> tuple[int, str]:
    """The space of a number on a level, or why there is none; of two that share it the left one that is free (V2).

    A room without a space there is no room in that column (T3).
    """
    if number == SEVEN:
        return -1, "seven"
    why_not = "no_number"
    for slot in game.box.slots_of_number[number]:
        space = level * SPACES_A_LEVEL + slot
        if game.vault.room_face(space) is None:
            why_not = "no_room" if why_not == "no_number" else why_not
        elif space in threats:
            why_not = "occupied"
        else:
            return space, ""
    return -1, why_not


TIE_BREAKS = ("happiness", "cubes", "dwellers", "items")


def score_of_items(game: ShelterPosition, colour: int) -> int:
    total = 0
    for card in game.hands[colour].cards:
        scores = game.box.items[card >> 1].scores
        if scores is not None:
            total += _counted_for(game, colour, scores.counted) // scores.per * scores.happiness
    return total


def _counted_for(game: ShelterPosition, colour: int, counted: Counted) -> int:
    if counted in (Counted.WATER, Counted.FOOD, Counted.ENERGY):
        return game.cubes[3 * colour + RESOURCE_NUMBER[counted.value]]
    if counted == Counted.ROOMS:
        return game.vault.rooms_on(game.levels[colour])
    if counted == Counted.DWELLERS:
        return dwellers_of(game, colour)
    family = counted.value.removesuffix("s")
    return sum(game.box.items[card >> 1].family == family for card in game.hands[colour].cards)


def score_if_ended_now(game: ShelterPosition, colour: int) -> Score:
    """Score items first, by option last; one happiness less per threat on the own level, not below 0 (E2, E4).

    Together nothing is added or lost (U1).
    """
    if game.together is not None:
        return Score(game.happiness[colour], 0, 0)
    items = score_of_items(game, colour)
    before = game.happiness[colour] + (0 if game.rules.items_after_threats else items)
    threats = min(before, game.vault.threats_on(game.levels[colour]))
    return Score(game.happiness[colour] + items - threats, items, -threats)


def finish(game: ShelterPosition) -> None:
    """End the game: take the penalties and find the winners (E1, E2, E3); together all win or lose (U1)."""
    if game.together is not None:
        wasteland.finish(game, game.together)
        return
    scores = {colour: score_if_ended_now(game, colour) for colour in game.seats}
    for colour, score in scores.items():
        game.happiness[colour] = score.happiness
    game.phase = OVER
    game.turn = NOBODY
    game.result = _winners(game, scores)
    game.events.append(GameOver(game.result.winners))


def _winners(game: ShelterPosition, scores: dict[int, Score]) -> GameResult:
    """Find the winners: most happiness, then cubes, dwellers and items, then the victory is shared (E3)."""
    measures = {
        colour: (
            scores[colour].happiness,
            sum(game.cubes[3 * colour : 3 * colour + 3]),
            dwellers_of(game, colour),
            len(game.hands[colour].cards),
        )
        for colour in game.seats
    }
    contenders = list(game.seats)
    for number, name in enumerate(TIE_BREAKS):
        best = max(measures[colour][number] for colour in contenders)
        contenders = [colour for colour in contenders if measures[colour][number] == best]
        if len(contenders) == 1:
            return GameResult(tuple(contenders), name, scores)
    return GameResult(tuple(contenders), "shared", scores)


def judge_again(game: ShelterPosition) -> None:
    """Find the winners again after a correction of a finished game, whose penalties were taken already."""
    if game.together is not None:
        wasteland.finish(game, game.together)
        return
    before = game.result
    if before is None:
        raise AssertionError("a finished game has a result")
    scores = {
        colour: Score(game.happiness[colour], before.scores[colour].items, before.scores[colour].threats)
        for colour in game.seats
    }
    game.result = _winners(game, scores)


ONE_PLAIN: Final = (PLAIN,)


def refuse_unless_recalling(game: ShelterPosition) -> None:
    """Refuse before everybody has passed or placed (R3), and while an item or a letter still asks something."""
    if game.phase != RECALL:
        waiting = [COLOURS[colour] for colour in game.seats if not game.passed >> colour & 1]
        raise Refusal("not_yet", "R3", "Dwellers are still being placed.", phase=PHASES[game.phase], waiting=waiting)
    for choice in game.pending:
        if holds_the_recall_up(game, choice):
            refuse_while_income_is_due(game, choice.by)
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
    unnamed = -1 if game.together is None else wasteland.holds_for_a_name(game)
    if unnamed >= 0:
        name = SPACE_NAMES[unnamed]
        raise Refusal("card_unknown", "U4", f"Nobody has said which threat lies on {name}.", space=name)
    for space, threat in game.vault.threats.items():
        if threat == UNKNOWN and space in game.placed:
            name = SPACE_NAMES[space]
            raise Refusal("card_unknown", "P5", f"Nobody has said which threat lies on {name}.", space=name)


def holds_the_recall_up(game: ShelterPosition, choice: PendingShelterChoice) -> bool:
    """Return whether a choice must be answered first: late incomes lapse (M3), cards are named when they are needed."""
    if choice.kind == "income":
        return game.rules.income_automatic or not game.rules.income_late
    return choice.kind != "drawn"


def recall(game: ShelterPosition) -> None:
    refuse_unless_recalling(game)
    if game.pending:
        rewards.lapse_income(game)
    defeated = _discard_defeated(game)
    _return_dwellers(game)
    game.events.append(DWELLERS_RECALLED)
    if game.together is not None:
        game.together = game.together._replace(defeated=game.together.defeated + defeated)
    ask_letters(game)


def _discard_defeated(game: ShelterPosition) -> int:
    """Discard the threats whose recalled dwellers are uninjured (G3, G4); all others stay (T6). Return how many."""
    threats = game.vault.threats
    defeated = [space for space in threats if space in game.placed and _defeats(game, game.placed[space])]
    if not defeated:
        return 0
    for space in defeated:
        colour, threat = game.placed[space].colour, threats[space]
        game.discards[THREATS].append(threat)
        game.events.append(threat_defeated(colour, space, game.box.names[THREATS][threat]))
        rewards.praised(game, colour, "defeat")
    game.vault = game.vault.with_threats({space: kind for space, kind in threats.items() if space not in defeated})
    return len(defeated)


def _defeats(game: ShelterPosition, standing: Standing) -> bool:
    """Return whether these dwellers defeat the threat under them: all uninjured, by option one of two (G3, G4)."""
    if standing.dwellers == ONE_PLAIN and not standing.wounded:
        return True
    fit = [dweller != INJURED for dweller in standing.dwellers]
    if game.rules.healed_leaves_threat:
        fit = [well and not standing.wounded >> number & 1 for number, well in enumerate(fit)]
    return any(fit) if game.rules.one_unhurt_defeats else all(fit)


def _return_dwellers(game: ShelterPosition) -> None:
    """Return all dwellers, those who arrived this round too (P7).

    Printed letters are given first, then those of choice, from the first player (A1, A2).
    """
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
        injured = standing.dwellers[0] == INJURED
        training = 0 if injured and game.rules.injured_not_trained else standing.training
        if training == ANY_LETTER:
            choosing.append((standing.colour, injured))
        elif training:
            train(game, standing.colour, training, injured=injured)
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
    if game.rules.training_replaces:
        _untrain(game, colour, letter)
    if injured and game.hurt[colour]:  # it may have been healed while its letter was asked for
        game.hurt[colour] -= 1
        game.trained[colour] |= 1 << (letter + INJURED)
    else:
        game.plain[colour] -= 1
        game.trained[colour] |= 1 << letter
    game.events.append(DWELLER_TRAINED[colour][letter - 1])
    rewards.praised(game, colour, "train")


def _untrain(game: ShelterPosition, colour: int, letter: int) -> None:
    """Take a letter from the dweller that has it (A2, by option)."""
    if game.trained[colour] >> letter & 1:
        game.plain[colour] += 1
    elif game.trained[colour] >> (letter + INJURED) & 1:
        game.hurt[colour] += 1
    else:
        return
    game.trained[colour] &= ~(1 << letter | 1 << (letter + INJURED))
    game.events.append(TrainingLost(colour, LETTERS[letter - 1]))


def free_letters(game: ShelterPosition, colour: int) -> list[int]:
    """Return the letters in which no dweller of the player is trained, by option all of them (A2)."""
    if game.rules.training_replaces:
        return list(range(1, len(LETTERS) + 1))
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
    """Ready items, clear passes, and end the game (I3, R5, E1) or begin the next round with its threats (R1).

    Together the wasteland acts first (U4, U7), then a house call takes its toll (W4).
    """
    if game.together is not None:
        wasteland.after_recall(game, game.together)
    for resource, amount in tolls(game):
        for colour in game.seats:
            wasteland.take_toll(game, colour, resource, amount)
    for colour in game.seats:
        if game.hands[colour].exhausted:
            make_all_ready(game, colour)
    game.passed = 0
    game.spawned = ()
    if game.vault.fresh:
        game.vault = game.vault.opened()
    together = game.together
    if game.last_round if together is None else wasteland.has_ended(game, together):
        finish(game)
        return
    game.round += 1
    game.phase = SPAWN
    game.turn = game.first
    game.events.append(RoundBegun(game.round))
    if game.call is not None and turns(game.call, game.round):
        game.events.append(HouseCallTurned())
    if together is not None:
        wasteland.begin_round(game, together)
