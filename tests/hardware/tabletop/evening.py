"""Tables as they look in the middle of a game, and what a reading of them gets right."""

from random import Random

SIDES = ("L3", "L2", "L1", "R1", "R2", "R3")
COLOURS = ("red", "blue", "green", "yellow")


def lay_start(table, pack, players=COLOURS):
    for slot, card in zip(SIDES, pack.top_level, strict=True):
        table.lay(card.id, f"1:{slot}")
    table.lay("elevator", "1:E")
    for level, player in enumerate(players, 2):
        table.lay(f"elevator-{player}", f"{level}:E")


def lay_some(table, pack, seed):
    """A table somewhere in a game; returns the truth."""
    chance = Random(seed)
    lay_start(table, pack, chance.sample(COLOURS, 4))
    truth = {"rooms": {f"1:{slot}": card.id for slot, card in zip(SIDES, pack.top_level, strict=True)}}
    deck = [card.id for card in pack.rooms]
    chance.shuffle(deck)
    for level in range(2, 6):
        for side in "LR":
            for column in range(1, chance.randint(0, 2) + 1):
                truth["rooms"][f"{level}:{side}{column}"] = deck.pop()
                table.lay(truth["rooms"][f"{level}:{side}{column}"], f"{level}:{side}{column}")
    spaces = [f"{room}{side}" for room in truth["rooms"] for side in "ab"]
    threats = chance.sample([card.id for card in pack.threats], 4)
    truth["threats"] = dict(zip(chance.sample(spaces, 4), threats, strict=True))
    for space, threat in truth["threats"].items():
        table.lay(threat, space)
    spaces += [f"{level}:E" for level in range(1, 6)]
    chance.shuffle(spaces)
    truth["dwellers"] = {}
    for player in COLOURS:
        for key in table.bring(player, 4)[1:]:
            space, lying = spaces.pop(), chance.random() < 0.4
            table.put(key, space, lying=lying)
            truth["dwellers"][space] = (player, "lying" if lying else "standing")
    return truth


def faults(reading, truth):
    """Everything that a reading got wrong; a room whose sticker a threat covers may be in doubt."""
    unsure = set(reading["unsure"])
    rooms = {place: seen["card"] for place, seen in reading["rooms"].items() if not place.endswith(":E")}
    threats = {place: seen["card"] for place, seen in reading["threats"].items()}
    dwellers = {seen["space"]: (seen["player"], seen["pose"]) for seen in reading["dwellers"]}
    doubtful = {place for place in truth["rooms"] if f"{place}b" in truth["threats"]} & unsure
    wanted = {place: card for place, card in truth["rooms"].items() if place not in doubtful}
    return [
        f"{what}: {sorted(pair)}"
        for what, pair in (
            ("rooms", set(rooms.items()) ^ set(wanted.items())),
            ("threats", set(threats.items()) ^ set(truth["threats"].items())),
            ("dwellers", set(dwellers.items()) ^ set(truth["dwellers"].items())),
        )
        if pair
    ]
