"""A camera above the simulated table that can be covered, frozen and unplugged, and its sensor."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.table.ports import DeviceError, Hint
from hardware.cameras.camera_settings import CameraSettings, locked_settings
from hardware.cameras.capture import StillPicture, lend, shrink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.table.ports import CameraValues
    from companion.vision.arrays import Array


DOT: Final = 100
"""The part of a picture's width that its dot of noise takes."""


class SimulatedCamera:
    """Shows the scene, which is a BGR picture of the table at that moment."""

    lively = True
    name = "simulated camera"
    wave_us = 0.0
    """The lamp above the simulated table does not flicker."""

    def __init__(
        self,
        scene: Callable[[], Array],
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
        self._frozen: Array | None = None
        self._count = 0
        self._shrunk: tuple[Array, Array] | None = None

    def opened(self) -> SimulatedCamera:
        """Return this camera, as a watcher opens it; raise DeviceError while it is unplugged."""
        if not self._is_plugged:
            raise DeviceError(Hint("simulated_unplugged", "The simulated camera is unplugged: plug it in."))
        return self

    @contextmanager
    def frame(self, *, full: bool) -> Iterator[StillPicture]:
        """Yield the scene as it is now, with a little noise, as every sensor has."""
        if not full:
            self._pace()
        self.opened()
        image = self._frozen if self._frozen is not None else self._scene()
        image = image if full else self._small(image)
        if self._frozen is None:
            image = self._noisy(image if self._sensor is None else self._sensor.picture(image, full=full))
        if self._is_covered:
            image = image // 64
        with lend(image, self._clock()) as picture:
            yield picture

    def values(self) -> CameraValues:
        """Return the values that its sensor takes pictures with now."""
        return {} if self._sensor is None else self._sensor.values()

    def hold(self, values: CameraValues) -> None:
        """Lock these values; without any, let the sensor find them by itself again."""
        if self._sensor is not None:
            self._sensor.hold(values)

    def close(self) -> None:
        """Close nothing: a simulated camera holds no device."""

    # --- hands --------------------------------------------------------------------------------------------------------

    def plug(self, *, pulled: bool = False) -> None:
        self._is_plugged = not pulled

    def cover(self, *, lens: bool = True) -> None:
        """Put a hand on the lens, or take it away."""
        self._is_covered = lens

    def freeze(self, *, stuck: bool = True) -> None:
        """Show the same picture for ever, or no longer."""
        self._frozen = self._scene().copy() if stuck else None

    def _small(self, image: Array) -> Array:
        """Return the small picture, cached while nothing in the scene changes."""
        if self._shrunk is None or self._shrunk[0] is not image:
            self._shrunk = (image, shrink(image))
        return self._shrunk[1]

    def _noisy(self, image: Array) -> Array:
        """Return a copy with a dot in a corner that is never twice the same: cheap, and nobody's card."""
        self._count += 1
        noisy, side = image.copy(), image.shape[1] // DOT
        noisy[:side, :side] = 16 + self._count * 37 % 200
        return noisy


AS_DRAWN: Final[CameraValues] = {"exposure_us": 10000, "gain": 1.0, "colour_gains": [1.8, 1.6], "focus": 1.4}
"""With these the picture is the scene as it was drawn, in a lamp of strength 1."""
MIDDLING: Final = 118.0
"""The mean brightness that automatic exposure aims at, white paper or not: what makes dark tables too bright."""
HASTE: Final = 0.5
"""How much of the way to its target a sensor goes from picture to picture."""
GAMMA: Final = 2.2
SHORTEST, LONGEST = 30.0, 100_000.0
SAMPLED: Final = 8
SOFT: Final = 6.0
"""How many pixels wide the blur is, one dioptre out of focus."""
NOTABLE: Final = 0.02


class Sensor:
    """The exposure, white balance and focus between the light of a scene and its picture."""

    def __init__(self, light: Callable[[], float] = lambda: 1.0, held_to: CameraValues | None = None) -> None:
        """`light` is how strong the lamp is; without `held_to` the sensor finds its values by itself."""
        self._light = light
        self._held = locked_settings(held_to or {})
        self._now = locked_settings(AS_DRAWN if held_to is None else AS_DRAWN | held_to)

    def values(self) -> CameraValues:
        """Return the values that it takes pictures with now."""
        now = self._now
        gains = now.colour_gains or (1.0, 1.0)
        return {
            "exposure_us": round(now.exposure_us or 0.0),
            "gain": now.gain or 1.0,
            "colour_gains": [round(gain, 3) for gain in gains],
            "focus": round(now.focus or 0.0, 3),
        }

    def hold(self, values: CameraValues) -> None:
        """Lock these values; without any, find them by itself again."""
        self._held = locked_settings(values)
        found = values.copy()
        found.pop("temperature", None)  # a USB camera's word for its white balance
        self._now = locked_settings(self.values() | found)

    def picture(self, scene: Array, *, full: bool) -> Array:
        """Return the scene as this sensor takes it, then adjust the values that are not locked."""
        import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded
        import numpy as np  # noqa: PLC0415

        drawn = locked_settings(AS_DRAWN)
        bright = self._light() * _light_amount(self._now) / _light_amount(drawn)
        gains = np.array(self._now.colour_gains or (1.0, 1.0)) / np.array(drawn.colour_gains or (1.0, 1.0))
        by = np.array([gains[1], 1.0, gains[0]]) * bright
        image = scene
        if np.abs(by - 1).max() > NOTABLE:
            table = np.clip(255 * np.arange(256)[:, None] / 255.0 * by[None] ** (1 / GAMMA), 0, 255)
            image = cv2.LUT(scene, table.astype(np.uint8)[None] if scene.ndim > 2 else table[:, 1].astype(np.uint8))  # noqa: PLR2004
        off = abs((self._now.focus or 0.0) - (drawn.focus or 0.0))
        if full and off > NOTABLE:
            image = cv2.GaussianBlur(image, (0, 0), SOFT * off)
        self._seek(image)
        return image

    def _seek(self, image: Array) -> None:
        """Adjust the values that are not locked by one step towards their target."""
        if None not in (self._held.exposure_us, self._held.colour_gains, self._held.focus):
            return
        some = image[::SAMPLED, ::SAMPLED].astype(float)
        now, drawn = self._now, locked_settings(AS_DRAWN)
        if self._held.exposure_us is None:
            wanted = (MIDDLING / max(1.0, float(some.mean()))) ** (GAMMA * HASTE)
            now = replace(now, exposure_us=min(LONGEST, max(SHORTEST, (now.exposure_us or 0.0) * wanted)))
        if self._held.colour_gains is None and some.ndim > 2 and now.colour_gains:  # noqa: PLR2004
            blue, green, red = (float(part) + 1 for part in some.reshape(-1, 3).mean(axis=0))
            by = ((green / red) ** HASTE, (green / blue) ** HASTE)
            now = replace(now, colour_gains=(now.colour_gains[0] * by[0], now.colour_gains[1] * by[1]))
        if self._held.focus is None:
            here, there = now.focus or 0.0, drawn.focus or 0.0
            now = replace(now, focus=here + (there - here) * HASTE)
        self._now = now


def _light_amount(settings: CameraSettings) -> float:
    """Return the amount of light that a picture is exposed to."""
    return (settings.exposure_us or 0.0) * (settings.gain or 1.0)
