"""The GPIO chip: lgpio on a Pi, and the errors that chips raise."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from companion.table.ports import DeviceError, Hint

if TYPE_CHECKING:
    from gpiozero import Factory


def pi_chip() -> Factory:
    """Return the chip of this Pi. lgpio is looked for here, not at import: laptops have none."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415

        from hardware.panel.listening_pin import ListeningPin  # noqa: PLC0415
    except ImportError as error:
        raise DeviceError(
            Hint("lgpio_missing", "lgpio is not installed: apt install python3-lgpio, then start again.")
        ) from error
    except OSError as error:  # lgpio makes a pipe in the working folder as soon as it is imported
        raise DeviceError(
            Hint(
                "lgpio_folder",
                "lgpio needs a working folder that can be written: start the companion in one"
                " (in its service: WorkingDirectory=).",
            )
        ) from error
    try:
        chip = LGPIOFactory()
    except chip_errors() as error:
        raise DeviceError(
            Hint(
                "gpio_closed",
                "The GPIO chip cannot be opened ({why}): is this a Pi, and is its user in the group gpio?",
                why=error,
            )
        ) from error
    chip.pin_class = ListeningPin
    return chip


def chip_errors() -> tuple[type[Exception], ...]:
    """Return what a chip can raise. lgpio's errors have a base class of their own, known once lgpio is loaded."""
    from gpiozero import GPIOZeroError  # noqa: PLC0415 - the page serves before gpiozero is loaded

    lgpio = sys.modules.get("lgpio")
    return (GPIOZeroError, OSError, *([lgpio.error] if lgpio is not None else []))


def close_chip(factory: Factory) -> None:
    """Close a chip, also one that is gone.

    gpiozero's factories for a local Pi share one register of pins. A pin that fails to close would leave both the
    register and the chip as they are; the next factory would be given pins of the dead chip, and find them busy.
    """
    for _ in range(2):
        try:
            factory.close()
        except chip_errors():
            factory.pins.clear()
        else:
            return
