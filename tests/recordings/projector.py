"""Shows a recording to the eye of a session, as a camera would, and judges what comes of it by its truth."""

import json
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.app.sight.vision_thread import ProfileVision
from companion.games.api import Button
from companion.table.record.record import Record
from companion.table.session.intents import ButtonPressed, DeviceChanged, Speaker, StartGame, TableSeen, Tap
from companion.table.session.session import Session
from companion.table.session.settings import Settings
from companion.table.sight.eye import Eye
from companion.table.sight.reading import Reading
from companion.vision.profile import Profile, load_profile
from companion.vision.table_reader import LookResult
from hardware.cameras.capture import lend, shrink

HERE = Path(__file__).parent
PACK = "homemade"
TICK = 0.2
WAIT = 60
ROOM_FOR_NOISE = 64
Change = Callable[[Any], Any]


@dataclass
class Scene:
    """One picture of a recording, how long it stands, and what lies there."""

    name: str
    picture: Any
    seconds: float
    truth: dict[str, Any]


def scenes(name: str, change: Change = lambda picture: picture, only: slice = slice(None)) -> Iterable[Scene]:
    """The scenes of a traced recording, changed as somebody likes."""
    for told in json.loads((HERE / name / "story.json").read_text())["scenes"][only]:
        picture = change(cv2.imread(str(HERE / name / told["picture"])))
        yield Scene(told["name"], picture, told["seconds"], told["truth"])


class Sensor:
    """The noise of a sensor, new in every picture: as in linear light it grows with the root of the light."""

    def __init__(self, noise: float, size: tuple[int, int]) -> None:
        self._chance = np.random.default_rng(1)
        value = np.arange(256) / 255
        linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
        steep = np.where(linear <= 0.0031308, 12.92, 1.055 / 2.4 * np.maximum(linear, 1e-4) ** (1 / 2.4 - 1))
        self._strength = (noise * np.sqrt(np.clip(linear, 0.02, 1)) * steep * 255).astype(np.float32)
        shape = (size[1] + ROOM_FOR_NOISE, size[0] + ROOM_FOR_NOISE, 3)
        self._field = self._chance.standard_normal(shape, dtype=np.float32)

    def sees(self, image: Any, calmer: float = 1.0) -> Any:
        """A picture with noise; `calmer` where each of its dots is the mean of several."""
        tall, wide = image.shape[:2]
        top, left = self._chance.integers(0, ROOM_FOR_NOISE, 2)
        noise = self._field[top : top + tall, left : left + wide]
        noise = noise if image.ndim == 3 else noise[..., 0]
        noisy = image + self._strength[image] * noise / calmer
        return np.clip(noisy + 0.5, 0, 255).astype(np.uint8)


class Attentive(ProfileVision):
    """Vision that says when it has looked."""

    def __init__(self, profile: Profile, looked: Callable[[LookResult], None]) -> None:
        super().__init__(profile)
        self.profile = profile
        self._looked = looked

    def read(self, full: Any, *, whole: bool = False) -> Reading:
        reading = super().read(full, whole=whole)
        if self._watcher.last is not None:
            self._looked(self._watcher.last)
        return reading


@dataclass
class Verdicts:
    """What was counted over the steadied readings of a recording."""

    readings: int = 0
    phantoms: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    """Things that the steadied reading neither has nor doubts when the table has rested."""
    rests: int = 0
    whole: int = 0
    """Rests at which all was read right: doubts are allowed where a card or a figure is hidden in part."""
    lost: int = 0
    """Rests at the end of which the table was not found, or a hand was seen."""
    things: int = 0
    doubts: int = 0
    """Things that lay there at the rests, and those of them that were unsure."""


class Projector:
    """A camera, an eye and a session that look at a recording; time goes as the recording's does."""

    def __init__(self, folder: Path, name: str, settings: Settings | None = None) -> None:
        told = json.loads((HERE / name / "story.json").read_text())
        profile = load_profile(HERE / name / "profile.json")
        self.name = name
        self.record = Record(folder)
        self.now = 0.0
        self.looks: list[tuple[float, LookResult]] = []
        self.seeing = Attentive(profile, lambda look: self.looks.append((self.now, look)))
        self.heard: list[tuple[float, Reading]] = []
        self.verdicts = Verdicts()
        self.states: dict[str, dict[str, Any]] = {}
        """The state when each scene with a name had rested, before anybody tapped."""
        self._noise = told["noise"]
        self._sensor: Sensor | None = None
        self._scene: Scene | None = None
        self._small: Any = None
        self._lay_before: dict[str, Any] = {}
        self.eye = Eye(lambda _: self, lambda: self.seeing, self._hear, clock=lambda: self.now)
        self.session = Session(self.record, settings=settings, eyes=self.eye)
        self.session.start()

    def close(self) -> None:
        """A camera has nothing to let go of; a projector ends its session."""

    def end(self) -> None:
        self.session.stop()
        self.record.close()

    @contextmanager
    def frame(self, *, full: bool) -> Any:
        """The port `Camera`."""
        if self._scene is None or self._sensor is None:
            raise AssertionError("nothing is shown")
        image = self._scene.picture
        if not full:
            image = self._sensor.sees(self._small, image.shape[1] / self._small.shape[1])
        else:
            image = self._sensor.sees(image)
        with lend(image, self.now) as picture:
            yield picture

    # --- what is shown ------------------------------------------------------------------------------------------------

    def start(self, setup: dict[str, Any]) -> None:
        """Start a game with the pack of the filmed cards."""
        self.session.ask(StartGame(setup, pack=PACK, seed="1")).result(WAIT)

    def play(self, shown: Iterable[Scene], taps: dict[str, list[dict[str, Any]]] | None = None) -> None:
        """Show scenes one after the other; after those that are named people tap what they would."""
        for scene in shown:
            self._show(scene)
            for move in (taps or {}).get(scene.name, ()):
                self.tap(move)

    def tap(self, move: dict[str, Any]) -> None:
        if move.get("option") == "yes":
            move = {**move, "id": next(one["id"] for one in self.state["pending"] if one["kind"] == "passes")}
        seats = frozenset({move.get("by", "red")})
        self.session.ask(Tap(move, Speaker(seats, name="somebody"))).result(WAIT)

    def press(self, button: Button) -> None:
        """Somebody presses a button of the panel, whatever their other hand does."""
        self.session.ask(ButtonPressed(button)).result(WAIT)

    def _show(self, scene: Scene) -> None:
        tall, wide = scene.picture.shape[:2]
        self._sensor = self._sensor or Sensor(self._noise, (wide, tall))
        self._scene, self._small = scene, shrink(scene.picture)
        for _ in range(round(scene.seconds / TICK)):
            self.eye.turn()
            self.now += TICK
        if scene.name:
            self._judge_rest(scene)
            self.states[scene.name] = self.state
            self._lay_before = scene.truth

    # --- what is made of it -------------------------------------------------------------------------------------------

    def _hear(self, intent: Any) -> None:
        if isinstance(intent, DeviceChanged):
            self.session.put(intent)
            return
        if not isinstance(intent, TableSeen) or self._scene is None:
            raise TypeError(intent)
        self.heard.append((self.now, intent.reading))
        self._judge(intent.reading, self._scene.truth)
        self.session.ask(intent).result(WAIT)

    def _judge(self, reading: Reading, truth: dict[str, Any]) -> None:
        """Nothing may be read that neither lies there nor lay there before somebody reached in."""
        counted = self.verdicts
        counted.readings += 1
        now, before = things(truth), things(self._lay_before)
        at = f"{self.now:.1f} s"
        for one in seen(reading) - now - before:
            kind, place, what = one
            (counted.phantoms if kind == "dweller" else counted.wrong).append(f"{at}: {place} {what}")

    def _judge_rest(self, scene: Scene) -> None:
        """When the table has rested, everything is read, or doubted, and nothing else."""
        _, reading = self.heard[-1]
        counted = self.verdicts
        counted.rests += 1
        if reading.table != "found" or reading.hand:
            counted.lost += 1
            return
        there, found = things(scene.truth), seen(reading)
        unsure = {one for one in there - found if {one[1], one[1].rstrip("ab")} & reading.unsure}
        counted.whole += found <= there and there - found <= unsure - clear(scene.truth)
        counted.things += len(there)
        counted.doubts += len(unsure)
        counted.missed += [f"{scene.name}: {place} {what}" for _, place, what in there - found - unsure]
        counted.missed += [f"{scene.name}: {place} {what} is still seen" for _, place, what in found - there]

    @property
    def state(self) -> dict[str, Any]:
        return self.session.snapshots.latest.state

    @property
    def moves(self) -> list[dict[str, Any]]:
        """Everything that was played, but for ids."""
        game = self.record.current
        moves = [entry.body["move"] for entry in self.record.entries(game) if "move" in entry.body]
        return [{key: value for key, value in move.items() if key != "id"} for move in moves]


def things(truth: dict[str, Any], card: float = 0.0, figure: float = 0.0) -> set[tuple[str, str, str]]:
    """What lies there, as far as so much of it is visible."""
    cards = [*truth.get("rooms", {}).items(), *truth.get("threats", {}).items()]
    figures = [one for one in truth.get("dwellers", ()) if one.get("visible", 1) >= figure]
    return {("card", place, one["card"]) for place, one in cards if one.get("visible", 1) >= card} | {
        ("dweller", one["space"], f"{one['player']} {one['pose']}") for one in figures
    }


def clear(truth: dict[str, Any]) -> set[tuple[str, str, str]]:
    """What lies there in view, as `benchmarks.seeing` judges whole frames."""
    return things(truth, card=0.8, figure=0.9)


def seen(reading: Reading) -> set[tuple[str, str, str]]:
    """What a reading says."""
    cards = {("card", place, card) for place, card in reading.cards.items() if card is not None}
    return cards | {("dweller", one.space, f"{one.player} {one.pose}") for one in reading.dwellers}
