"""The calibration's guide at the table: made when somebody first opens its page, so that the pages serve before it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from companion.app import seeing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from calibration.guide import Guide
    from companion.table.sight.eye import Vision


class Guided:
    """Fills the port `Calibrator`, and chooses what the eye sees with."""

    def __init__(self, profile: Path, changed: Callable[[], None], camera: Callable[[], object] = lambda: None) -> None:
        """`camera` is what the eye looks through; its light is held where it has `Controls`."""
        self._camera = camera
        self._profile = profile
        self._changed = changed
        self._lock = threading.Lock()
        self._guide: Guide | None = None

    def view(self) -> dict[str, Any]:
        """What there is to show now."""
        return self._made().view()

    def act(self, step: str, action: str, fields: Mapping[str, str]) -> None:
        """Somebody's word about a step."""
        self._made().act(step, action, fields)

    def vision(self) -> Vision:
        """What the eye sees with: the guide while a step is open, otherwise the profile as it is on the disk now."""
        guide = self._guide
        return guide if guide is not None and guide.is_open else seeing.opened(self._profile)

    def _made(self) -> Guide:
        from calibration.guide import Guide  # noqa: PLC0415 - OpenCV is loaded late

        with self._lock:
            if self._guide is None:
                self._guide = Guide(self._profile, self._changed, self._camera)
            return self._guide
