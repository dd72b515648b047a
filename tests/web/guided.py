"""A calibration at a table that is only drawn: the eye, its camera and the guide, as the pages meet them."""

import cv2

from calibration.guide import Guide
from calibration.measuring.papers import cards_of
from companion.app.sight.vision_thread import NoVision
from companion.cards.loader import builtin
from companion.table.sight.eye import Eye
from hardware.cameras.simulated import Sensor, SimulatedCamera
from tests.calibration import scenes
from tests.vision import tables


class Bench:
    """Somebody's table: what lies on it can be changed."""

    def __init__(self, folder, make_house):
        self.profile = tables.write_profile(folder)
        self.scene = tables.draw_table({})
        self.lamp = 1.0
        self.camera = SimulatedCamera(lambda: self.scene, sensor=Sensor(lambda: self.lamp))
        self.guide = Guide(self.profile, self._changed, lambda: self.camera)
        self.eye = Eye(lambda _: self.camera, self._vision, lambda _: None)
        self.house = make_house(sight=self.eye.window, calibrator=self.guide)
        self.eye.start()

    def lay(self, number, *, tag=True):
        """Lay a card on the middle of the mat, and nothing else."""
        self.scene = scenes.card_at(tables.art(number), tag=10 + number if tag else None)

    def clear(self):
        self.scene = scenes.card_at(None)

    def learn(self):
        """Our own cards: with names that the pages know."""
        raw = self.guide._file.raw()
        cards = dict(list(cards_of(builtin("homemade")).items())[:6])
        for number, card in enumerate(cards.values()):
            card["tags"] = [10 + number]
        raw["cards"] = cards
        self.profile.unlink()
        self.guide._file.change(raw)

    def close(self):
        self.eye.close()

    def _vision(self):
        return self.guide if self.guide.is_open else NoVision("")

    def _changed(self):
        self.eye.reload()


def is_a_picture(data):
    return cv2.imdecode(scenes.np.frombuffer(data, dtype=scenes.np.uint8), cv2.IMREAD_COLOR) is not None
