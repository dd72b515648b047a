"""Sums what several looks at a resting table say of a figure that none of them is sure of: their noise differs."""

from collections import Counter, deque
from math import exp, log

from companion.vision.reading import Chance, Dweller, Reading

LOOKS = 3
FIGURE, POSE = 0.6, 0.6  # of all looks together: more than one look needs, since what fools one may fool them all
NOTHING = 0.1
LEAST = 0.001
GONE = Chance("", 0.0, 0.5, 0.0, 0.0)


class Together:
    """The last looks at each space, since something changed there."""

    def __init__(self) -> None:
        self._chances: dict[str, deque[Chance]] = {}

    def forget(self, slots: set[str] | None = None) -> None:
        """Begin anew, in some slots or everywhere."""
        for space in list(self._chances):
            if slots is None or space in slots or space[:-1] in slots:
                del self._chances[space]

    def see(self, reading: Reading) -> dict[str, Dweller | None]:
        """Take in one look; what is clear by now of the spaces it looked at: a dweller, or that nobody is there."""
        taken = {dweller.space for dweller in reading.dwellers} | set(reading.unsure)
        gone = [space for space in self._chances if space not in reading.chances and space not in taken]
        found: dict[str, Dweller | None] = {}
        for space, chance in {**reading.chances, **dict.fromkeys(gone, GONE)}.items():
            kept = self._chances.setdefault(space, deque(maxlen=LOOKS))
            kept.append(chance)
            if len(kept) == LOOKS:
                found |= _told(space, list(kept))
        return found


def _told(space: str, looks: list[Chance]) -> dict[str, Dweller | None]:
    """Say what looks at a space tell together; empty if they are in doubt still."""
    figure = _mean([look.figure for look in looks])
    if figure < NOTHING:
        return {space: None}
    players = Counter(look.player for look in looks)
    lying = _mean([look.lying for look in looks])
    pose = max(lying, 1 - lying)
    likely = figure > max(FIGURE, *(look.least_figure for look in looks))
    if len(players) > 1 or not likely or pose <= max(POSE, *(look.least_pose for look in looks)):
        return {}
    return {space: Dweller(space, looks[0].player, "lying" if lying > 1 - lying else "standing", min(figure, pose))}


def _mean(chances: list[float]) -> float:
    """Give the chance whose odds are the geometric mean of some chances' odds."""
    odds = [log(max(chance, LEAST) / max(1 - chance, LEAST)) for chance in chances]
    return 1 / (1 + exp(-sum(odds) / len(odds)))
