"""Moves of all kinds, most of them nonsense."""

from companion.games.wasteland import moves

from .play import the_box

COLOURS = ["red", "blue", "green", "yellow"]
JUNK = [None, True, -1, 0, 3, 10**9, 1.5, "", "x" * 70, "\n", [], {}, [[]], {"a": None}, ["hb1"], "none", float("nan")]


def words():
    box = the_box()
    named = [card.id for card in (*box.cards, *box.perks, *box.agendas, *box.enemies, *box.characters)]
    options = [
        "roll",
        "keep",
        "1",
        "2",
        "1+2",
        "done",
        "heal",
        "camp-fire",
        "agree",
        "equip",
        "hb1",
        "elsewhere",
        "no-icon",
    ]
    return named + options


def piece(source):
    """Something for a field, right or wrong."""
    kind = source.randrange(8)
    if kind == 0:
        return source.choice(JUNK)
    if kind == 1:
        return source.randrange(-1, 8)
    if kind == 2:
        return source.choice(COLOURS)
    if kind == 3:
        return [source.choice(words()) for _ in range(source.randrange(3))]
    if kind == 4:
        return source.choice(["critter", "human", "star", "settlement", "vault84", "wasteland", "SP", "SPECIAL"])
    if kind == 5:
        return [
            source.choice(
                ["xp 2", "caps -5", "damage 30", "draw agenda 3", "power star 9", "rads 99", "kill", "shop 2"]
            )
        ]
    if kind == 6:
        return {"caps": source.randrange(5), "cards": [source.choice(words())], "agendas": [source.randrange(3)]}
    return source.choice(words())


def board(source):
    keys = [
        "hp",
        "rads",
        "caps",
        "letters",
        "traits",
        "hand",
        "revealed",
        "weapon",
        "inventory",
        "perks",
        "space",
        "xp",
    ]
    return {source.choice(keys): piece(source) for _ in range(source.randrange(1, 4))}


def a_set(source):
    """A correction."""
    part = source.choice(
        ["players", "enemies", "power", "shop", "quests", "phase", "turn", "first", "pending", "actions", "x"]
    )
    if part == "players":
        return {part: {source.choice(COLOURS): board(source)}}
    if part == "enemies":
        entry = {source.choice(["type", "id", "active", "space"]): piece(source) for _ in range(2)}
        return {part: {str(source.randrange(7)): source.choice([None, entry])}}
    if part == "pending":
        return {part: []}
    return {part: source.choice([piece(source), {"star": 2}, {"left": 1}, "turn", "enemies"])}


def a_move(source):
    """A move as it might come from anywhere."""
    do = source.choice(moves.DOES)
    move = {"do": do, "by": source.choice([*COLOURS, None, 7])}
    for key in moves.KINDS[do].by_key:
        if source.random() < 0.9:
            move[key] = a_set(source) if key == "set" else piece(source)
    if source.random() < 0.1:
        move["drawn"] = [source.choice(words())]
    if source.random() < 0.1:
        move["dice"] = source.choice([[["hb1", "0", "l2"]], [["0"]], [[]], "x", [["hb1", "q", "l2"]]])
    if source.random() < 0.03:
        move[source.choice(["", "extra"])] = 1
    return move
