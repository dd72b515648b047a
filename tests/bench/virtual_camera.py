"""Stands where `picamera2` stands: the real library on libcamera's virtual camera.

That camera has no raw stream and no memory of the Pi's kind, so these two are told to the library; all else is real.
"""

import picamera2
from picamera2.allocators import LibcameraAllocator

MappedArray = picamera2.MappedArray
SIZE = (1280, 720)


class Picamera2(picamera2.Picamera2):
    """Picamera2, for a camera that is not a sensor."""

    def __init__(self, camera_num=0):
        super().__init__(camera_num)
        self.allocator = LibcameraAllocator(self.camera)

    def _get_raw_modes(self):
        try:
            return super()._get_raw_modes()
        except AttributeError:
            return [{"format": "NV12", "size": SIZE}]
