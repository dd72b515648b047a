"""A module that stands where Picamera2 0.3 stands on a Pi: the same names, signatures and exceptions.

The bench runs the adapter on the real one, and compares the two there.
"""

from concurrent.futures import TimeoutError as TimedOut

import cv2
import numpy as np

PADDING = 64
SENSOR = "/base/soc/i2c0mux/i2c@1/imx708@1a"
WEBCAM = "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.3:1.0-046d:082d"
METADATA = {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.4), "SensorTimestamp": 1}
CONTROLS = ("FrameDurationLimits", "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains")


class Library:
    """The module `picamera2`. Its attributes are what a hand can do to the camera."""

    def __init__(self, scene):
        self.scene = scene
        self.is_there = True
        self.gives_frames = True
        self.is_busy = False
        self.cameras = []
        self.ids = [SENSOR]
        """As libcamera counts them."""
        self.model = "imx708"
        self.MappedArray = MappedArray
        self.Picamera2 = Opening(self)


class Opening:
    """The class `Picamera2` to who calls it, with the static method that lists what libcamera has found."""

    def __init__(self, library):
        self._library = library

    def __call__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None):
        library = self._library
        listed = self.global_camera_info()[camera_num]
        if library.is_busy:
            why = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from why
        library.cameras.append(Picamera2(library, listed["Id"]))
        return library.cameras[-1]

    def global_camera_info(self):
        """Return them as the real one sorts them: a camera is opened by its place in this list, never by its `Num`."""
        ids = self._library.ids if self._library.is_there else []
        model = self._library.model
        found = [{"Model": model, "Location": 2, "Id": one, "Num": number} for number, one in enumerate(ids)]
        return sorted(found, key=lambda camera: ("/usb" not in camera["Id"], camera["Id"]), reverse=True)


class Picamera2:
    def __init__(self, library, identity):
        self._library = library
        self.id = identity
        self.camera_properties = {"PixelArraySize": (3280, 2464)}
        self.camera_controls = dict.fromkeys(CONTROLS, (0, 1, None))
        self.config = None
        self.started = self.closed = False
        self.held = 0
        self.metadata = dict(METADATA)
        self.told = []

    def set_controls(self, controls):
        for control in controls:
            if control not in self.camera_controls:
                raise RuntimeError(f"Control {control} is not advertised by libcamera")
        self.told.append(dict(controls))
        self.metadata |= {name: value for name, value in controls.items() if name in self.metadata and value}

    def create_video_configuration(
        self,
        main={},
        lores=None,
        raw={},
        transform=None,
        colour_space=None,
        buffer_count=6,
        controls={},
        display="main",
        encode="main",
        queue=True,
        sensor={},
        use_case="video",
    ):
        for control in controls:
            if control not in self.camera_controls:
                raise RuntimeError(f"Control {control} is not advertised by libcamera")
        return {
            "main": dict(main),
            "lores": None if lores is None else dict(lores),
            "raw": raw,
            "controls": dict(controls),
            "buffer_count": buffer_count,
            "queue": queue,
            "display": display,
            "encode": encode,
            "sensor": dict(sensor),
        }

    def configure(self, camera_config=None):
        if "usb" in self.id and camera_config["lores"] is not None:
            # The real one finds no valid configuration for two streams, and goes on with None.
            raise AttributeError("'NoneType' object has no attribute 'at'")
        for name in ("main", "lores"):
            stream = camera_config[name]
            if stream is None:
                continue
            width = stream["size"][0]
            if any(side % 2 for side in stream["size"]):
                raise RuntimeError("width and height should be even")
            row = width * 3 if stream["format"] == "RGB888" else width
            stream["stride"] = -(-row // PADDING) * PADDING
        lores = camera_config["lores"]
        if lores is not None and lores["format"] not in ("YUV420", "NV12"):
            raise RuntimeError("lores stream must be YUV")
        self.config = camera_config
        width, height = camera_config["sensor"].get("output_size", camera_config["main"]["size"])
        self.camera_properties["ScalerCropMaximum"] = (0, 0, min(width, 3280), min(height, 2464))

    def start(self, config=None, show_preview=False):
        if self.config is None:
            raise RuntimeError("Camera has not been configured")
        self.started = True

    def capture_request(self, wait=None, signal_function=None, flush=None):
        if not self._library.gives_frames:
            raise TimedOut
        if self.held >= self.config["buffer_count"]:
            raise AssertionError("every buffer is held: frames are not given back")
        self.held += 1
        return CompletedRequest(self, self._library.scene())

    def close(self):
        self.started, self.closed = False, True


class CompletedRequest:
    def __init__(self, camera, image):
        self._camera = camera
        self.image = image
        self.config = camera.config.copy()

    def get_metadata(self):
        return dict(self._camera.metadata)

    def release(self):
        self._camera.held -= 1
        self.image = None


class MappedArray:
    def __init__(self, request, stream, reshape=True, write=True):
        if reshape:
            raise AssertionError("the real one cannot shape NV12")
        layout = request.config[stream]
        image = cv2.resize(request.image, layout["size"])
        self.array = _buffer(image, layout)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.array[:] = 0


def _buffer(image, layout):
    """The image as a camera lays it into memory, rows padded."""
    if layout["format"] == "RGB888":
        rows = image.reshape(image.shape[0], -1)
    else:
        rows = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
        height, width = image.shape[:2]
        stride = layout["stride"]
        flat = np.zeros(stride * height * 3 // 2, np.uint8)
        flat[: stride * height].reshape(height, stride)[:, :width] = rows[:height]
        chroma = rows[height:].reshape(2, height // 2, width // 2)
        rest = flat[stride * height :]
        if layout["format"] == "NV12":
            rest.reshape(height // 2, stride)[:, :width] = np.dstack(list(chroma)).reshape(height // 2, width)
        else:
            rest.reshape(2, height // 2, stride // 2)[:, :, : width // 2] = chroma
        return flat
    flat = np.zeros((rows.shape[0], layout["stride"]), np.uint8)
    flat[:, : rows.shape[1]] = rows
    return flat.reshape(-1)
