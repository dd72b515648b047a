"""What the wasteland does in co-operative play: crises, tolls, the march of the invaders, break-ins, the end (U)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.together import AIMS, CRISES, DIFFICULTIES, KINDS, STAGES, TABLE
from companion.games.fields import malformed
from companion.games.shelter.board.vault import GameResult, Score
from companion.games.shelter.events import (
    BrokeIn,
    CrisisTurned,
    CubesPaid,
    CubesStolen,
    DwellerStruck,
    GameOver,
    InvaderMoved,
    LastRound,
)
from companion.games.shelter.together.aims import Together, all_met, crisis_of, uninjured
from companion.games.shelter.words import (
    ELEVATOR_SLOT,
    INJURED,
    NO_CARD,
    NOBODY,
    OVER,
    RESOURCES,
    SPACES_A_LEVEL,
    THREATS,
    UNINJURED_TRAINED,
    UNKNOWN,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.chance import Chance
    from companion.games.shelter.position import ShelterPosition

STOLEN: Final = 2
"""Cubes that a break-in takes from the owner of the level (U5)."""
STOLEN_FROM_EACH: Final = 1
"""... and from everybody where it is the top level."""
LEFT: Final = tuple(range(ELEVATOR_SLOT - 1, -1, -1))
RIGHT: Final = tuple(range(ELEVATOR_SLOT + 1, SPACES_A_LEVEL))
OUTWARDS: Final = (LEFT, RIGHT)
"""The room spaces of each side, from the elevator outwards: whoever is nearer moves first (U4)."""


class Agreed:
    """What was agreed on of a co-operative game: the difficulty, and what a scenario stacks."""

    def __init__(self, difficulty: int, aims: tuple[int, ...], crises: tuple[int, ...]) -> None:
        self.difficulty = difficulty
        self.aims = aims
        self.crises = crises


def agreed_from_json(raw: object) -> Agreed:
    """Return what a setup says: a difficulty, or an object that names aims and crises besides (U1, U2)."""
    told: Mapping[str, object] = raw if isinstance(raw, dict) else {"difficulty": raw}
    for key in told:
        if key not in ("difficulty", "aims", "crises"):
            raise malformed("together", key, "difficulty, aims or crises")
    difficulty = told.get("difficulty", "normal")
    if not isinstance(difficulty, str) or difficulty not in DIFFICULTIES:
        raise malformed("together", difficulty, "one of " + ", ".join(DIFFICULTIES))
    return Agreed(
        DIFFICULTIES.index(difficulty),
        _numbers(told.get("aims", []), [aim.key for aim in AIMS], "aims"),
        _numbers(told.get("crises", []), [crisis.key for crisis in CRISES], "crises"),
    )


def _numbers(raw: object, known: list[str], field: str) -> tuple[int, ...]:
    if not isinstance(raw, list) or not all(isinstance(name, str) and name in known for name in raw):
        raise malformed(f"together.{field}", raw, "a list of " + ", ".join(known))
    return tuple([known.index(name) for name in raw])


def draw_evening(game: ShelterPosition, chance: Chance, agreed: Agreed) -> Together:
    """Draw an aim of each kind and the crises of the rounds, weak ones first; what was stacked comes first (U2, U3)."""
    players = len(game.seats) - 1
    level = TABLE[agreed.difficulty]
    rounds = level.rounds[players]
    shuffled = _shuffled(game, chance, len(AIMS))
    aims = agreed.aims or tuple([next(number for number in shuffled if AIMS[number].kind == kind) for kind in KINDS])
    cards = _shuffled(game, chance, len(CRISES))
    by_stage = [[number for number in cards if CRISES[number].stage == stage] for stage in range(STAGES)]
    wanted = rounds - 1
    stacked = agreed.crises[:wanted]
    rest = [by_stage[place * STAGES // wanted].pop() for place in range(len(stacked), wanted)]
    return Together(agreed.difficulty, rounds, level.breaches[players], aims, (*stacked, *rest), 0, 0)


def _shuffled(game: ShelterPosition, chance: Chance, count: int) -> list[int]:
    game.shuffles += 1
    return chance.shuffle(game.shuffles - 1, list(range(count)))


def begin_round(game: ShelterPosition, together: Together) -> None:
    """Turn up the crisis of the round; the last one makes it the last round (U3)."""
    crisis = crisis_of(game, together)
    if crisis != NO_CARD:
        game.events.append(CrisisTurned(CRISES[crisis].key))
    if game.round == together.rounds:
        game.last_round = True
        game.events.append(LastRound(NOBODY, "U3"))


def more_rolls(game: ShelterPosition, together: Together) -> int:
    """Return how many more threat rolls the crisis brings on the top level (U3)."""
    crisis = crisis_of(game, together)
    return CRISES[crisis].rolls if crisis != NO_CARD else 0


def after_recall(game: ShelterPosition, together: Together) -> None:
    """Take the crisis's toll, and let the invaders march, once every letter has been chosen (U4, U7)."""
    number = crisis_of(game, together)
    steps = 1
    if number != NO_CARD:
        crisis = CRISES[number]
        steps = crisis.march
        if crisis.toll >= 0:
            for colour in game.seats:
                take_toll(game, colour, crisis.toll, crisis.amount)
    for _ in range(steps):
        _march(game)


def take_toll(game: ShelterPosition, colour: int, resource: int, amount: int) -> None:
    """Take cubes that a crisis (U7) or a house call (W4) asks; who has too few has one dweller injured."""
    place = 3 * colour + resource
    paid = min(amount, game.cubes[place])
    if paid:
        game.cubes[place] -= paid
        game.events.append(CubesPaid(colour, RESOURCES[resource], paid))
    if paid < amount:
        _strike(game, colour)


def _strike(game: ShelterPosition, colour: int) -> None:
    """Injure a dweller at home, a plain one before a trained one, which keeps its training (U5, U7)."""
    if not uninjured(game, colour):
        return
    if game.plain[colour]:
        game.plain[colour] -= 1
        game.hurt[colour] += 1
    else:
        trained = game.trained[colour] & UNINJURED_TRAINED
        low = trained & -trained
        game.trained[colour] = (game.trained[colour] & ~low) | low << INJURED
    game.events.append(DwellerStruck(colour))


def _march(game: ShelterPosition) -> None:
    """Move every invader one space towards the elevator, the nearest first; what is in its way holds it up (U4).

    From the space beside the elevator it breaks in (U5).
    """
    threats = dict(game.vault.threats)
    before = dict(threats)
    for level in range(len(game.owners)):
        for side in OUTWARDS:
            inner = -1
            for slot in side:
                space = level * SPACES_A_LEVEL + slot
                if game.vault.room_face(space) is None:
                    continue
                threat = threats.get(space, NO_CARD)
                if threat >= 0 and game.box.threats[threat].fight:
                    if inner < 0:
                        del threats[space]
                        _break_in(game, level, space, threat)
                    elif inner not in threats:
                        del threats[space]
                        threats[inner] = threat
                        game.events.append(InvaderMoved(space, inner, game.box.names[THREATS][threat]))
                inner = space
    if threats != before:
        game.vault = game.vault.with_threats(threats)


def _break_in(game: ShelterPosition, level: int, space: int, threat: int) -> None:
    """Discard an invader that has reached the elevator, and suffer it: cubes, an injury, and a breach (U5)."""
    together = game.together
    if together is None:
        raise AssertionError("invaders march in co-operative play alone")
    game.together = together._replace(breaches=together.breaches + 1)
    game.discards[THREATS].append(threat)
    owner = game.owners[level]
    game.events.append(BrokeIn(owner, space, game.box.names[THREATS][threat], together.breaches + 1))
    if owner == NOBODY:
        for colour in game.seats:
            _steal(game, colour, STOLEN_FROM_EACH)
    else:
        _steal(game, owner, STOLEN)
        _strike(game, owner)


def _steal(game: ShelterPosition, colour: int, cubes: int) -> None:
    """Take cubes one by one from the fullest track, of equal ones water before food before energy (U5)."""
    for _ in range(cubes):
        row = game.cubes[3 * colour : 3 * colour + 3]
        most = max(row)
        if not most:
            return
        resource = row.index(most)
        game.cubes[3 * colour + resource] -= 1
        game.events.append(CubesStolen(colour, RESOURCES[resource], 1))


def has_ended(game: ShelterPosition, together: Together) -> bool:
    """Return whether the game is over: too many break-ins (U6), all aims met, or the crisis deck empty (U8)."""
    return together.breaches >= together.limit or game.last_round or all_met(game, together)


def finish(game: ShelterPosition, together: Together) -> None:
    """End the game: all have won, or nobody; nobody's happiness is weighed against another's (U1, U6, U8)."""
    if together.breaches >= together.limit:
        won, by = False, "breached"
    else:
        won = all_met(game, together)
        by = "aims" if won else "clock"
    scores = {colour: Score(game.happiness[colour], 0, 0) for colour in game.seats}
    game.phase = OVER
    game.turn = NOBODY
    game.result = GameResult(game.seats if won else (), by, scores)
    game.events.append(GameOver(game.result.winners))


def holds_for_a_name(game: ShelterPosition) -> int:
    """Return a space whose threat nobody has named, so that it is not known whether it marches (U4); -1 is none."""
    for space, threat in game.vault.threats.items():
        if threat == UNKNOWN:
            return space
    return -1
