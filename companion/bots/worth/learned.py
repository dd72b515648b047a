"""The learned value: everybody's chance to win from what a position looks like, by a small network of numbers.

`companion train` writes them. They belong to one version of the rules and one list of features, and say so.
"""

from __future__ import annotations

import json
from functools import lru_cache
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict

import numpy as np

from companion.bots.worth.features import FEATURES, Observer
from companion.games.registry import game_of
from companion.games.shelter.words import COLOURS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.bots.policy.greedy import Greedy
    from companion.games.shelter.game import ShelterGame

FILE: Final = Path(__file__).with_name("learned.json")
FORMAT: Final = 1
GAME: Final = "shelter"


class LearnedJson(TypedDict):
    """The file: what it was learned for and how, and the numbers, a list for each layer."""

    format: int
    game: str
    rules: int
    features: list[str]
    learned_by: str
    hidden: list[list[float]]
    bias: list[float]
    out: list[float]
    straight: list[float]


class UnusableValueError(Exception):
    """A learned value that does not fit these rules, or cannot be read; the text says why in one line."""


class Network:
    """One hidden layer between what a seat sees and one number; the chances are the softmax of the seats' numbers."""

    def __init__(self, hidden: Any, bias: Any, out: Any, straight: Any) -> None:
        self.hidden: NDArray[np.float32] = np.asarray(hidden, dtype=np.float32)
        self.bias: NDArray[np.float32] = np.asarray(bias, dtype=np.float32)
        self.out: NDArray[np.float32] = np.asarray(out, dtype=np.float32)
        self.straight: NDArray[np.float32] = np.asarray(straight, dtype=np.float32)
        seen, units = self.hidden.shape
        if self.bias.shape != (units,) or self.out.shape != (units,) or self.straight.shape != (seen,):
            raise ValueError("the layers do not fit each other")

    def chances(self, rows: list[list[float]]) -> list[float]:
        seen = np.array(rows, dtype=np.float32)
        points: list[float] = (np.maximum(seen @ self.hidden + self.bias, 0) @ self.out + seen @ self.straight).tolist()
        most = max(points)
        powers = [exp(point - most) for point in points]  # so few that numpy would be slower
        whole = sum(powers)
        return [power / whole for power in powers]


class LearnedValue:
    """Judges positions of one box."""

    def __init__(self, greedy: Greedy, network: Network) -> None:
        self._observer = Observer(greedy)
        self._network = network

    def chances(self, game: ShelterGame) -> list[float]:
        """Return each seat's chance to win by colour; a game that is over has its winners."""
        by_colour = [0.0] * len(COLOURS)
        if game.result is not None:
            for colour in game.result.winners:
                by_colour[colour] = 1 / len(game.result.winners)
            return by_colour
        for colour, chance in zip(game.seats, self._network.chances(self._observer.look(game)), strict=True):
            by_colour[colour] = chance
        return by_colour


def rules_version() -> int:
    """Return the version of the rules that are played."""
    return game_of(GAME).version


def read(file: Path = FILE) -> Network:
    """Read a learned value, or raise with the reason why it is not used."""
    try:
        raw: LearnedJson = json.loads(file.read_text(encoding="utf-8"))
        if (raw["format"], raw["game"]) != (FORMAT, GAME):
            raise UnusableValueError(f"{file.name} is no learned value of {GAME} in format {FORMAT}")
        if raw["rules"] != rules_version():
            raise UnusableValueError(
                f"{file.name} was learned by version {raw['rules']} of the rules; these are version {rules_version()}"
            )
        if raw["features"] != list(FEATURES):
            raise UnusableValueError(f"{file.name} was learned by other features of a position")
        network = Network(raw["hidden"], raw["bias"], raw["out"], raw["straight"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnusableValueError(f"{file.name} cannot be read: {error}") from error
    if len(network.straight) != len(FEATURES):
        raise UnusableValueError(f"{file.name} cannot be read: it has not a number for every feature")
    return network


@lru_cache(maxsize=1)
def network_of() -> Network | None:
    """Return the learned value of these rules; None where there is none, and bots play on instead."""
    try:
        return read()
    except UnusableValueError:
        return None
