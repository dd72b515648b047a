"""What must hold in every position; the tests ask for it, and the soak asks a hundred thousand games."""

from collections import Counter

from companion.games.shelter import events as e
from companion.games.shelter import moves as m
from companion.games.shelter.moves import Move
from companion.games.shelter.turn.choices import options as options_of
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import (
    COLOURS,
    DWELLERS,
    INJURED,
    INJURED_TRAINED,
    ITEMS,
    PILES,
    RESOURCES,
    SPACE_NAMES,
    SPACES,
)

from .play import cards_of


def problems(game):
    """What must never be: too few, too many, or somewhere twice."""
    found = [f"cubes {game.cubes}"] if not all(0 <= amount <= 6 for amount in game.cubes) else []
    found += [f"happiness {game.happiness}"] if min(game.happiness) < 0 else []
    for colour in game.seats:
        if not 2 <= dwellers_of(game, colour) <= 7 or min(game.plain[colour], game.hurt[colour]) < 0:
            found.append(f"dwellers of {COLOURS[colour]}")
        if game.trained[colour] & game.trained[colour] >> 8 & 0xFF:
            found.append(f"a letter twice: {COLOURS[colour]}")
    for pile, name in enumerate(PILES):
        if cards_of(game, pile) != sorted(game.box.decks[pile]):
            found.append(f"{name} are not conserved")
        if not 0 <= game.unknown[pile] <= len(game.decks[pile]):
            found.append(f"unknown {name}")
    for space in game.vault.threats:
        if game.vault.room_face(space) is None:
            found.append(f"a threat on no space: {SPACE_NAMES[space]}")
    taken = sum(1 << space for space in game.placed)
    return found + ([] if taken == game.taken else ["taken spaces"])


def universe(game, source):
    """Moves of all kinds, most of them not legal now."""
    names = [card for pile in game.box.names for card in pile]
    for _ in range(40):
        colour = source.randrange(4)
        kind = source.randrange(6)
        if kind <= 1:
            dwellers = tuple(source.randrange(len(DWELLERS)) for _ in range(source.choice((1, 1, 2))))
            item = (source.choice(game.box.names[0]),) if source.random() < 0.2 else ()
            yield m.place(colour, source.randrange(SPACES), tuple(sorted(dwellers)), item)
        elif kind == 2:
            yield m.use(colour, source.choice(names))
        elif kind == 3:
            yield m.choose(colour, source.choice(["water", "none", "roll", "done", "S", "decline", *names]), 0)
        else:
            yield Move(source.choice((m.SPAWN, m.PASS, m.RECALL)), colour if source.random() < 0.9 else -1)


def key(move):
    """Moves that mean the same: the order of two dwellers does not matter."""
    raw = move.as_json()
    raw["dwellers"] = sorted(raw.get("dwellers", []))
    if raw["do"] in ("spawn", "recall"):
        raw.pop("by", None)
    return str(sorted(raw.items()))


def said_by_anybody(game):
    """A card drawn at the real table may be named by any seat that has no choice of its own."""
    askers = {choice.by for choice in game.pending}
    options = next((options_of(game, choice) for choice in game.pending if choice.by < 0), [])
    return {key(m.choose(colour, option)) for colour in range(4) if colour not in askers for option in options}


TOLD = {
    e.CubesGained: lambda one, _: ((one.by, one.resource), one.amount),
    e.CubesPaid: lambda one, _: ((one.by, one.resource), -one.amount),
    e.HappinessGained: lambda one, _: ((one.by, "happiness"), one.amount),
    e.DwellerGained: lambda one, _: ((one.by, "dwellers"), 1),
    e.DwellersInjured: lambda one, _: ((one.by, "injured"), one.dwellers),
    e.DwellerHealed: lambda one, _: ((one.by, "injured"), -1),
    e.DwellersPlaced: lambda one, _: ((one.by, "trained"), -sum(dweller % INJURED > 0 for dweller in one.dwellers)),
    e.DwellerTrained: lambda one, _: ((one.by, "trained"), 1),
    e.TrainingLost: lambda one, _: ((one.by, "trained"), -1),
    e.ItemGained: lambda one, _: ((one.by, "items"), 1),
    e.ItemDiscarded: lambda one, _: ((one.by, "items"), -1),
    e.ItemUsed: lambda one, before: (
        (one.by, "items"),
        -before.box.items[before.box.numbers[ITEMS][one.item]].discarded,
    ),
    e.RoomBuilt: lambda one, _: ((one.by, "rooms"), 1),
    e.TurnPassed: lambda one, _: ((one.by, "passed"), 1),
    e.ThreatRolled: lambda one, _: ("threats", one.roll.space >= 0),
    e.ThreatDefeated: lambda *_: ("threats", -1),
    e.BrokeIn: lambda *_: ("threats", -1),
    e.CubesStolen: lambda one, _: ((one.by, one.resource), -one.amount),
    e.DwellerStruck: lambda one, _: ((one.by, "injured"), 1),
    e.RoundBegun: lambda one, before: ("round", one.round - before.round),
    e.GameOver: lambda *_: ("over", 1),
}
"""What an event says has changed, and by how much."""


def untold(before, after, events):
    """What a move has changed without an event that says so, or has said without changing it."""
    told = Counter()
    for event in events:
        if type(event) in TOLD:
            what, change = TOLD[type(event)](event, before)
            told[what] += change
    kinds = [type(event) for event in events]
    told["rolls"] = kinds.count(e.ThreatRolled) + kinds.count(e.FightRolled)
    told["last round"] = not before.last_round and e.LastRound in kinds
    for event in events:
        if isinstance(event, e.FirstPlayerGained):
            told["first"] = event.by - before.first
    ended = told["over"] or told["round"]  # passes are forgotten, and threats cost happiness (E2)
    return [
        (what, change, told[what])
        for what, change in _changed(before, after).items()
        if change != told[what] and not (ended and what[-1] in ("happiness", "passed"))
    ]


def _changed(before, after):
    found = {
        "first": after.first - before.first,
        "threats": len(after.vault.threats) - len(before.vault.threats),
        "rolls": after.rolls - before.rolls,
        "last round": after.last_round - before.last_round,
        "round": after.round - before.round,
        "over": (after.result is not None) - (before.result is not None),
    }
    for colour in before.seats:
        for number, resource in enumerate(RESOURCES):
            place = 3 * colour + number
            found[colour, resource] = after.cubes[place] - before.cubes[place]
        found[colour, "happiness"] = after.happiness[colour] - before.happiness[colour]
        found[colour, "dwellers"] = dwellers_of(after, colour) - dwellers_of(before, colour)
        found[colour, "items"] = len(after.hands[colour].cards) - len(before.hands[colour].cards)
        found[colour, "trained"] = after.trained[colour].bit_count() - before.trained[colour].bit_count()
        found[colour, "injured"] = _injured(after, colour) - _injured(before, colour)
        level = before.levels[colour]
        found[colour, "rooms"] = after.vault.rooms_on(level) - before.vault.rooms_on(level)
        found[colour, "passed"] = (after.passed >> colour & 1) - (before.passed >> colour & 1)
    return found


def _injured(game, colour):
    lying = sum(
        dweller == INJURED
        for standing in game.placed.values()
        if standing.colour == colour
        for dweller in standing.dwellers
    )
    return game.hurt[colour] + (game.trained[colour] & INJURED_TRAINED).bit_count() + lying
