"""What must hold in every position; the tests ask for it, and the soak asks a hundred thousand games."""

from companion.games.shelter import moves as m
from companion.games.shelter.moves import Move
from companion.games.shelter.turn.choices import options as options_of
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import COLOURS, DWELLERS, PILES, SPACE_NAMES, SPACES

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
