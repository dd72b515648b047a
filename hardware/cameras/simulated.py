"""A camera above a table that is only drawn, and what hands can do to it: cover it, freeze it, pull its plug."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from companion.table.hints import Hint
from companion.table.ports import DeviceError
from hardware.cameras.frames import Picture, lent, small

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hardware.cameras.sensor import Sensor

DOT: Final = 100
"""The part of a picture's width that its dot of noise takes."""


class SimulatedCamera:
    """Shows the scene, which is a BGR picture of the table at that moment."""

    lively = True
    name = "simulated camera"

    def __init__(
        self,
        scene: Callable[[], Any],
        clock: Callable[[], float] = time.monotonic,
        pace: Callable[[], object] = lambda: None,
        sensor: Sensor | None = None,
    ) -> None:
        """`pace` returns when the next small picture is due: a real camera makes its reader wait.

        Without a `sensor` there is nothing to set, as with the simplest of cameras.
        """
        self._sensor = sensor
        self._scene = scene
        self._clock = clock
        self._pace = pace
        self._is_plugged = True
        self._is_covered = False
        self._frozen: Any = None
        self._count = 0
        self._shrunk: tuple[Any, Any] = (None, None)

    def opened(self) -> SimulatedCamera:
        """What a watcher calls to open it."""
        if not self._is_plugged:
            raise DeviceError(Hint("simulated_unplugged", "The simulated camera is unplugged: plug it in."))
        return self

    @contextmanager
    def frame(self, *, full: bool) -> Iterator[Picture]:
        """The scene as it is now, with a little noise, as every sensor has."""
        if not full:
            self._pace()
        self.opened()
        image = self._frozen if self._frozen is not None else self._scene()
        image = image if full else self._small(image)
        if self._frozen is None:
            image = self._noisy(image if self._sensor is None else self._sensor.picture(image, full=full))
        if self._is_covered:
            image = image // 64
        with lent(image, self._clock()) as picture:
            yield picture

    def values(self) -> dict[str, Any]:
        """What its sensor takes pictures with now."""
        return {} if self._sensor is None else self._sensor.values()

    def hold(self, values: Mapping[str, Any]) -> None:
        """Hold these; without any, its sensor finds them by itself again."""
        if self._sensor is not None:
            self._sensor.hold(values)

    def close(self) -> None:
        """Nothing has to be let go."""

    # --- hands --------------------------------------------------------------------------------------------------------

    def plug(self, *, pulled: bool = False) -> None:
        """Plug it in, or pull the plug."""
        self._is_plugged = not pulled

    def cover(self, *, lens: bool = True) -> None:
        """Put a hand on the lens, or take it away."""
        self._is_covered = lens

    def freeze(self, *, stuck: bool = True) -> None:
        """Let it show the same picture for ever, or no longer."""
        self._frozen = self._scene().copy() if stuck else None

    def _small(self, image: Any) -> Any:
        """The small picture; of a scene in which nothing has changed it is made once."""
        if self._shrunk[0] is not image:
            self._shrunk = (image, small(image))
        return self._shrunk[1]

    def _noisy(self, image: Any) -> Any:
        """A dot in a corner that is never twice the same: cheap, and nobody's card."""
        self._count += 1
        noisy, side = image.copy(), image.shape[1] // DOT
        noisy[:side, :side] = 16 + self._count * 37 % 200
        return noisy
