"""Injured dwellers: figures that lie on their side (J), and the icon that stands them up again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.shelter.board import tracks
from companion.games.shelter.board.vault import ExchangeRate, Standing
from companion.games.shelter.call import cubes_gained, praise
from companion.games.shelter.cards.hand import gain_item, make_ready
from companion.games.shelter.events import (
    CUBES_GAINED,
    CUBES_LOST,
    CUBES_PAID,
    DWELLER_GAINED,
    DWELLER_HEALED,
    FIRST_PLAYER_GAINED,
    HAPPINESS_GAINED,
    INCOME_DUE,
    INCOME_TAKEN,
    ONE_INJURED,
    CubesLost,
    DwellersInjured,
    HappinessGained,
    IncomeDeclined,
    IncomeLapsed,
)
from companion.games.shelter.turn.asking import ask, ask_placer, under_way
from companion.games.shelter.words import (
    HAPPINESS_IN_THE_BOX,
    INJURED,
    ITEMS,
    LEVEL_OF,
    MOST_DWELLERS,
    NO_CARD,
    NOBODY,
    PLAIN,
    RESOURCES,
    ROOMS,
    SYMBOLS,
    TRACK_LENGTH,
)

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import Cubes, OngoingPlacement, PendingShelterChoice
    from companion.games.shelter.position import ShelterPosition


def injure_all(game: ShelterPosition, space: int) -> None:
    """Injure every dweller on the space (J1, G6)."""
    standing = game.placed[space]
    _lay(game, space, (INJURED,) * len(standing.dwellers), (1 << len(standing.dwellers)) - 1)
    if len(standing.dwellers) == 1:
        game.events.append(ONE_INJURED[standing.colour][space])
    else:
        game.events.append(DwellersInjured(standing.colour, space, len(standing.dwellers)))


def injure_one(game: ShelterPosition, space: int, which: int) -> None:
    """Injure one of two dwellers (G6 by house rule)."""
    standing = game.placed[space]
    lying = tuple([INJURED if n == which else dweller for n, dweller in enumerate(standing.dwellers)])
    _lay(game, space, lying, 1 << which)
    game.events.append(ONE_INJURED[standing.colour][space])


def heal_all(game: ShelterPosition, space: int) -> None:
    """Heal everybody on the space (J3)."""
    standing = game.placed[space]
    if INJURED in standing.dwellers:
        _lay(game, space, (PLAIN,) * len(standing.dwellers))
        game.events.append(DWELLER_HEALED[standing.colour][space])


def heal_one(game: ShelterPosition, space: int) -> None:
    standing = game.placed[space]
    healed = list(standing.dwellers)
    healed[healed.index(INJURED)] = PLAIN
    _lay(game, space, tuple(healed))
    game.events.append(DWELLER_HEALED[standing.colour][space])


def _lay(game: ShelterPosition, space: int, dwellers: tuple[int, ...], wounded: int = 0) -> None:
    standing = game.placed[space]
    game.placed[space] = Standing(standing.colour, dwellers, standing.training, standing.wounded | wounded)


DONE: Final = "done"


def gain_cubes(game: ShelterPosition, colour: int, resource: int, amount: int) -> None:
    """Add cubes from the supply; what does not fit on the track is lost (Q1)."""
    place = 3 * colour + resource
    room = TRACK_LENGTH - game.cubes[place]
    gained = min(amount, room)
    game.cubes[place] += gained
    if gained:
        game.events.append(CUBES_GAINED[place][gained])
    if gained < amount:
        lost, known = amount - gained, CUBES_LOST[place]
        game.events.append(known[lost] if lost < len(known) else CubesLost(colour, RESOURCES[resource], lost))


def gain(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, cubes: Cubes) -> bool:
    """Gain a resource icon, with what a house call makes of it (W2)."""
    place, amount = 3 * placement.by + cubes.resource, cubes.amount
    if game.call is not None:
        amount = cubes_gained(game, placement.space, cubes.resource, amount)
        if not amount:
            return False
    after = game.cubes[place] + amount
    if after > TRACK_LENGTH:
        gain_cubes(game, placement.by, cubes.resource, amount)
    else:
        game.cubes[place] = after
        game.events.append(CUBES_GAINED[place][amount])
    return False


def gain_any(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Ask for the resource of a '?' icon (Q2)."""
    ask_placer(game, placement, "resource", "Q2")
    return True


def answer_resource(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    gain_cubes(game, placement.by, RESOURCES.index(option), 1)
    return False


def happiness(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    gain_happiness(game, placement.by, number)
    return False


def gain_happiness(game: ShelterPosition, colour: int, amount: int) -> None:
    """Add happiness (H1); by house rule no more than the box holds."""
    if game.rules.happiness_limited:
        amount = min(amount, HAPPINESS_IN_THE_BOX - sum(game.happiness))
    if amount > 0:
        game.happiness[colour] += amount
        known = HAPPINESS_GAINED[colour]
        game.events.append(known[amount] if amount < len(known) else HappinessGained(colour, amount))


def praised(game: ShelterPosition, colour: int, deed: str) -> None:
    """Add the happiness that a deed brings while a house call praises it (W7)."""
    if game.call is not None:
        gain_happiness(game, colour, praise(game, deed))


def new_dweller(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Add a dweller from the box, on the icon until the recall (N1), unless all seven are in play (N2)."""
    if dwellers_of(game, placement.by) < MOST_DWELLERS:
        game.arriving[placement.by] = (*game.arriving[placement.by], placement.space)
        game.events.append(DWELLER_GAINED[placement.by][placement.space])
        praised(game, placement.by, "dweller")
    return False


def dwellers_of(game: ShelterPosition, colour: int) -> int:
    """Return how many dwellers a player has: available, placed, and arriving (N2)."""
    count = game.plain[colour] + game.hurt[colour] + game.trained[colour].bit_count() + len(game.arriving[colour])
    for standing in game.placed.values():
        if standing.colour == colour:
            count += len(standing.dwellers)
    return count


def first_player(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Take the first player token until somebody else gains it (R6); it matters next round (F1)."""
    game.first = placement.by
    game.events.append(FIRST_PLAYER_GAINED[placement.by])
    return False


def take_item(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Take an item of choice from the track (I1)."""
    options = tracks.options(game, ITEMS)
    if len(options) > 1 or not tracks.is_known(game, ITEMS):
        ask_placer(game, placement, "item", "I1")
        return True
    if options:
        _take_item(game, chance, placement.by, options[0])
    return False


def answer_item(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    _take_item(game, chance, placement.by, option)
    return False


def _take_item(game: ShelterPosition, chance: Chance, colour: int, name: str) -> None:
    gain_item(game, colour, tracks.take(game, chance, ITEMS, name))


def train(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Note the training; it takes effect at the recall (A1)."""
    space = placement.space
    standing = game.placed[space]
    game.placed[space] = Standing(standing.colour, standing.dwellers, number, standing.wounded)
    return False


def heal(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    heal_all(game, placement.space)
    return False


def ready(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Ready one exhausted item of choice (I3)."""
    colour = placement.by
    options = game.hands[colour].exhausted
    if len(options) > 1:
        ask_placer(game, placement, "ready", "I3")
        return True
    if options:
        make_ready(game, colour, options[0])
    return False


def refresh(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    if number == ROOMS and placement.room != NO_CARD:
        tracks.refresh(game, chance, ROOMS, NO_CARD if placement.aside else placement.room)
        placement.aside = True
    else:
        tracks.refresh(game, chance, number)
    return False


def answer_ready(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    make_ready(game, placement.by, option)
    return False


def fits(game: ShelterPosition, colour: int, space: int) -> bool:
    """Return whether every new dweller, item and room of a space's reward could be taken now (P8, by option).

    A threat may always be fought.
    """
    face = game.vault.faces[space]
    if face is None or space in game.vault.threats:
        return True
    if face.dwellers and dwellers_of(game, colour) + face.dwellers > MOST_DWELLERS:
        return False
    if face.takes and not _can_draw(game, ITEMS, face.takes):
        return False
    left, right = game.vault.openings[game.levels[colour]]
    return not face.builds or ((left >= 0 or right >= 0) and _can_draw(game, ROOMS, 1))


def _can_draw(game: ShelterPosition, pile: int, count: int) -> bool:
    """Return whether a track that shows something lasts for so many cards."""
    track = len(game.tracks[pile])
    return track > 0 and track + tracks.left_in_deck(game, pile) + len(game.discards[pile]) >= count


# --- exchange (Q4) ----------------------------------------------------------------------------------------------------


def exchange(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, rate: ExchangeRate) -> bool:
    """Ask for an exchange, again until the player is done.

    By option also where nothing can be paid yet, as long as an item could change that (Q4).
    """
    waits = game.rules.exchange_all_turn and bool(game.hands[placement.by].tools)
    if waits or len(_directions(game, placement.by, rate)) > 1:
        ask_placer(game, placement, "exchange", "Q4")
        return True
    return False


def _rate_in_question(placement: OngoingPlacement) -> ExchangeRate:
    """Return the rate of the step that waits for its choice."""
    _, rate = placement.program[placement.at - 1]
    if not isinstance(rate, ExchangeRate):
        raise TypeError(rate)
    return rate


def exchange_options(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    return _directions(game, choice.by, _rate_in_question(under_way(game)))


def _directions(game: ShelterPosition, colour: int, rate: ExchangeRate) -> list[str]:
    options = []
    for paid, gained in ((rate.left, rate.right), (rate.right, rate.left)):
        if game.cubes[3 * colour + paid.resource] >= paid.amount:
            options.append(_arrow(paid, gained))
    return [*options, DONE]


def _arrow(paid: Cubes, gained: Cubes) -> str:
    return f"{paid.amount}{SYMBOLS[paid.resource]}->{gained.amount}{SYMBOLS[gained.resource]}"


def answer_exchange(
    game: ShelterPosition, placement: OngoingPlacement, chance: Chance, choice: PendingShelterChoice, option: str
) -> bool:
    if option == DONE:
        return False
    rate = _rate_in_question(placement)
    forth = option == _arrow(rate.left, rate.right)
    paid, gained = (rate.left, rate.right) if forth else (rate.right, rate.left)
    colour = placement.by
    place = 3 * colour + paid.resource
    game.cubes[place] -= paid.amount
    game.events.append(CUBES_PAID[place][paid.amount])
    gain_cubes(game, colour, gained.resource, gained.amount)
    return exchange(game, placement, chance, rate)


DECLINE = "decline"


def earns_income(game: ShelterPosition, placing: int, space: int) -> int:
    """Return who may take an income when this player places there (M1); a threat and the top level owe none (M2)."""
    owner = game.owners[LEVEL_OF[space]]
    return NOBODY if owner == placing or space in game.vault.threats else owner


def income_falls_due(game: ShelterPosition, placement: OngoingPlacement, chance: Chance, number: int) -> bool:
    """Open the income of the room's owner once the cost is paid; a linked space gives one (M1, M3)."""
    owner = earns_income(game, placement.by, placement.space)
    if owner == NOBODY:
        return False
    times = 2 if placement.face.linked and game.rules.income_per_dweller else 1
    for _ in range(times):
        ask(game, owner, "income", "M1", placement.space)
        if not game.rules.income_late:
            game.events.append(INCOME_DUE[owner][placement.space])
    return False


def income_options(game: ShelterPosition, choice: PendingShelterChoice) -> list[str]:
    """Return the resources and `decline`; by house rule the income is always taken."""
    return list(RESOURCES) if game.rules.income_automatic else [*RESOURCES, DECLINE]


def answer_income(game: ShelterPosition, chance: Chance, choice: PendingShelterChoice, option: str) -> None:
    if option == DECLINE:
        game.events.append(IncomeDeclined(choice.by, choice.data))
    else:
        game.events.append(INCOME_TAKEN[choice.by][choice.data])
        gain_cubes(game, choice.by, RESOURCES.index(option), 1)


def lapse_income(game: ShelterPosition) -> None:
    """Drop the incomes that nobody has taken by the recall: the option `income_late` (M3)."""
    for choice in [choice for choice in game.pending if choice.kind == "income"]:
        game.pending.remove(choice)
        game.events.append(IncomeLapsed(choice.by, choice.data))
