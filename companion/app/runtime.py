"""A running table: the session with its devices and services, from plugging in to pulling the plug."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Protocol

from companion.app.background import GameReviews, RecordAudit, RulesBuild, is_wanted
from companion.app.machine import speaker_in
from companion.app.sight.phone_eye import PairedPhone
from companion.app.sight.vision_thread import GuidedCalibration
from companion.table.fence import fails
from companion.table.ports import Nobody
from companion.table.session.intents import DeviceChanged
from companion.table.session.session import Session
from companion.table.session.settings import Settings
from companion.table.sight.eye import Eye
from hardware.cameras.watched import WatchedCamera
from hardware.panel.panel import GpioPanel
from hardware.voice.voice import SpokenVoice

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.config import Config
    from companion.app.devices import Devices
    from companion.games.api import AnyGame
    from companion.table.ports import Camera, Sight
    from companion.table.record.record import Record
    from companion.table.session.intents import Intent


class Service(Protocol):
    """Something with a thread or a process of its own beside the session."""

    def start(self) -> None:
        """Begin; the session has started."""
        ...

    def close(self) -> None:
        """End; the session has not stopped yet."""
        ...


class LazyService:
    """A service that is made, with everything it loads, when it starts: the first page does not wait for it."""

    def __init__(self, make: Callable[[], Service], device: str = "") -> None:
        """`device` is what fails where it cannot be made."""
        self._make = make
        self.device = device
        self.part: Service | None = None

    def start(self) -> None:
        self.part = self._make()
        self.part.start()

    def close(self) -> None:
        if self.part is not None:
            self.part.close()


class TableRuntime:
    """Owns the services of one table. More can be added before it starts."""

    def __init__(self, record: Record, config: Config, devices: Devices) -> None:
        self.machine = devices.machine
        switch_off = None if devices.machine is None else devices.machine.switch_off
        self.panel = (
            None
            if devices.wiring is None
            else GpioPanel(devices.wiring, self._put, chip=devices.chip, switch_off=switch_off)
        )
        self.voice = SpokenVoice(
            self._put, language=config.language, on=config.voice, card=lambda: speaker_in(record.folder)
        )
        self.guide = GuidedCalibration(
            devices.profile,
            self._choose_vision,
            lambda: None if self.eye is None else self.eye.camera,
            devices.choice,
            self._corner_game,
        )
        self.choice = devices.choice
        self.phone = (
            None
            if devices.choice is None
            else PairedPhone(record.folder, devices.choice.phone, devices.choice, self._look_now)
        )
        self.eye: Eye | None = None if devices.camera is None else self._eye(devices)
        settings = Settings(voice=config.voice, language=config.language)
        self.session = Session(record, settings=settings, eyes=self.eye, lamps=self.panel, voice=self.voice)
        self.folder = record.folder
        self.reviews = GameReviews(self.session, record.folder)
        self._is_long = record.is_long
        there = (
            (self.panel, "panel"),
            (self.voice, "voice"),
            (self.eye, "camera"),
            (None if devices.machine is None else LazyService(self._strain), "power"),
            (LazyService(self._own_wifi) if devices.machine is not None and config.own_wifi else None, "wifi"),
            (None if devices.machine is None or devices.wiring is None else LazyService(self._keys), "keys"),
        )
        self._parts: list[tuple[Service, str]] = [(part, device) for part, device in there if part is not None]
        self._bolted_on: list[Service] = []
        self._is_over = False
        self._bolting = threading.Lock()

    @property
    def sight(self) -> Sight:
        return Nobody() if self.eye is None else self.eye.window

    def add(self, part: Service, device: str = "") -> None:
        """Add a service: it is started after the session and closed before it. `device` fails where it cannot start."""
        self._parts.append((part, device))

    def start_session(self) -> None:
        """Start the session alone: the game is there before anybody asks."""
        self.session.start()

    def start_services(self) -> None:
        """Start the services, once the pages have been served: they are slow to load, and may be slow to open."""
        with self._bolting:
            for part, device in () if self._is_over else (*self._parts, *self._slow_services()):
                self._bolted_on.append(part)
                try:
                    part.start()
                except Exception as error:  # noqa: BLE001 - whatever a device's library raises, the others start
                    self._note(part, "start", error)
                    if device:
                        self._put(DeviceChanged(device, "off", fails(error)))

    def start(self) -> None:
        """Start everything, where no page comes first."""
        self.start_session()
        self.start_services()

    def close(self) -> None:
        """Close the services that speak to the session first, then the session."""
        with self._bolting:
            self._is_over = True
            for part in reversed(self._bolted_on):
                try:
                    part.close()
                except Exception as error:  # noqa: BLE001 - whatever it raises, the others end, and the record is closed
                    self._note(part, "close", error)
        self.session.stop()

    def _note(self, part: Service, what: str, error: Exception) -> None:
        self.session.bugs.note(f"{type(part).__name__} does not {what}", error)

    def _slow_services(self) -> tuple[tuple[Service, str], ...]:
        """Return what loads the bots, verifies the evenings of years ago and compiles; the page comes first."""
        bots: tuple[tuple[Service, str], ...] = (
            (LazyService(self._bots), "officer"),
            (LazyService(self._forecast), "seer"),
        )
        build: tuple[tuple[Service, str], ...] = ((RulesBuild(), ""),) if is_wanted(os.environ) else ()
        audit: tuple[tuple[Service, str], ...] = (
            ((RecordAudit(self.session, self.folder), ""),) if self._is_long else ()
        )
        return (*bots, (self.reviews, ""), *audit, *build)

    def _keys(self) -> Service:
        from hardware.panel.keys import KeyPanel  # noqa: PLC0415

        return KeyPanel(self._put, switch_off=None if self.machine is None else self.machine.switch_off)

    def _strain(self) -> Service:
        from companion.app.strain import StrainWatch  # noqa: PLC0415

        return StrainWatch(self._put)

    def _own_wifi(self) -> Service:
        from companion.app.own_wifi import OwnWifiWatch  # noqa: PLC0415

        if self.machine is None:
            raise ValueError("an own Wi-Fi needs a machine")
        return OwnWifiWatch(self._put, self.machine)

    def _bots(self) -> Service:
        from companion.table.bots.bot_thread import BotThread  # noqa: PLC0415

        return BotThread(self.session, polite=True)

    def _forecast(self) -> Service:
        from companion.table.bots.win_forecast import WinForecast  # noqa: PLC0415

        return WinForecast(self.session, self.folder)

    def _choose_vision(self) -> None:
        if self.eye is not None:
            self.eye.reload()

    def _corner_game(self) -> AnyGame | None:
        """Return the game that is played, where it asks for what lies in its marked corner."""
        latest = self.session.snapshots.latest
        if latest is None or latest.position is None or not latest.game.has_corner(latest.state):
            return None
        return latest.game

    def _look_now(self) -> None:
        if self.eye is not None:
            self.eye.look_now()

    def _put(self, intent: Intent) -> None:
        self.session.put(intent)

    def _eye(self, devices: Devices) -> Eye:
        opened = devices.camera
        if opened is None:
            raise ValueError("an eye needs a camera")

        def watched(put: Callable[[Intent], None]) -> Camera:
            camera = WatchedCamera(opened, put)
            if devices.choice is not None:
                devices.choice.call(camera.reopen)
                devices.choice.phone.call(camera.reopen)
                devices.choice.call(self._choose_vision)
            return camera

        return Eye(watched, self.guide.vision, self._put)
