"""The Pi's own camera, by Picamera2: a small stream for motion, a full one for looking."""

from __future__ import annotations

import logging
import re
import threading
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, Protocol, TypedDict

from companion.table.ports import CameraValues, DeviceError, Hint
from hardware.cameras.camera_settings import locked_settings
from hardware.cameras.capture import StillPicture, UnexpectedError, lend, small_size
from hardware.cameras.sensors import module_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from companion.vision.arrays import Array
    from hardware.cameras.camera_settings import CameraSettings

WAITING: Final = 3.0
"""Seconds for a frame. libcamera says nothing when a cable is pulled: frames just stop."""
CLOSING: Final = 2.0
BUFFERS: Final = 3
MANUAL_FOCUS, STEADY_FOCUS = 0, 2
"""The lens position is set, or it focuses all the time. Left alone, a lens with a motor never moves."""
MANUAL_FLICKER: Final = 1
"""Exposures are whole waves of the lamps' light, so that none of it lies in bands over the table."""
AUTOMATIC: Final = {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True, "AfMode": STEADY_FOCUS}
"""0 is what Picamera2 takes for 'no longer locked'."""
FINE: Final = 3
FAULTS: Final = (RuntimeError, OSError, IndexError, TimeoutError, KeyError, ValueError)
"""What Picamera2 is known to raise: mostly RuntimeError, an IndexError where there is no camera, ValueError for bad
streams. Anything else is a fault of the camera too, but may be a bug of ours and is logged with its trace."""
USB: Final = re.compile(r"usb|-[0-9a-f]{4}:[0-9a-f]{4}$", re.IGNORECASE)
"""In libcamera's id of a USB camera: its bus, and at the end its vendor and product. Sensors have an address on I2C."""

BUSY: Final = re.compile(r"busy|failed to acquire", re.IGNORECASE)
"""What libcamera says of a camera that somebody else has."""


class StreamLayout(TypedDict):
    """How a stream lies in memory: width and height, bytes of a row with its padding, and the format."""

    size: tuple[int, int]
    stride: int
    format: str


class Metadata(TypedDict, total=False):
    """What libcamera says of a picture: microseconds, gains, dioptres."""

    ExposureTime: int
    AnalogueGain: float
    LensPosition: float
    ColourGains: tuple[float, float]


class Request(Protocol):
    """A picture in the camera's own memory, until it is released."""

    config: Mapping[str, StreamLayout]

    def get_metadata(self) -> Metadata: ...

    def release(self) -> None: ...


class Mapped(Protocol):
    """A stream's memory as an array."""

    array: Array


class Picamera2(Protocol):
    """What is used of a Picamera2 camera: the library has no types and is there on a Pi only."""

    camera_controls: Mapping[str, object]
    camera_properties: Mapping[str, tuple[int, ...]]

    def capture_request(self, *, wait: float) -> Request: ...

    def create_video_configuration(self, **wanted: object) -> object: ...

    def configure(self, wanted: object) -> None: ...

    def set_controls(self, controls: Mapping[str, object]) -> None: ...

    def start(self) -> None: ...

    def close(self) -> None: ...


class CameraInfo(TypedDict):
    Id: str
    Model: str


class CameraClass(Protocol):
    def __call__(self, number: int) -> Picamera2: ...

    def global_camera_info(self) -> list[CameraInfo]: ...


class MappedClass(Protocol):
    def __call__(self, request: Request, stream: str, *, reshape: bool) -> AbstractContextManager[Mapped]: ...


class Library(Protocol):
    """What is used of the module `picamera2`."""

    Picamera2: CameraClass
    MappedArray: MappedClass


class PiCamera:
    """Picamera2 with two streams; exposure, white balance and focus are locked as the settings say."""

    lively = True

    def __init__(
        self,
        settings: CameraSettings,
        library: Library | None = None,
        number: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        library = library or picamera2_library()
        self.name = f"Pi camera {number}"
        self.wave_us = float(settings.flicker_us)
        self._clock = clock
        self._metadata: Metadata = {}
        try:
            self._mapped = library.MappedArray
            place, model = sensors_of(library)[number]
            self._module = module_of(model)
            self._camera = library.Picamera2(place)
        except IndexError as error:
            raise DeviceError(
                Hint(
                    "pi_camera_absent",
                    "No Pi camera is found: switch the Pi off, seat both ends of its cable, and start again.",
                )
            ) from error
        except Exception as error:
            raise _fault(error, _not_started(error)) from error
        try:
            self._start(settings)
        except Exception as error:
            self.close()
            raise _fault(error, _not_started(error)) from error

    @contextmanager
    def frame(self, *, full: bool) -> Iterator[StillPicture]:
        """Yield the next picture, in the camera's own memory wherever its format allows that."""
        with ExitStack() as stack:
            try:
                request = self._camera.capture_request(wait=WAITING)
                stack.callback(request.release)
                self._metadata = request.get_metadata() if full else self._metadata
                stream = "main" if full or not self._has_small else "lores"
                mapped = stack.enter_context(self._mapped(request, stream, reshape=False))
                image = (_bgr if full else _grey)(mapped.array, request.config[stream])
            except Exception as error:
                stopped = Hint("pi_camera_stopped", "The Pi camera has stopped giving pictures: check its cable.")
                raise _fault(error, stopped) from error
            with lend(image, self._clock()) as picture:
                del image  # what is lent is given back: nothing here keeps a view of the camera's memory
                yield picture

    def values(self) -> CameraValues:
        """Return the values that the last full picture was taken with."""
        metadata, found = self._metadata, CameraValues()
        if (time_us := metadata.get("ExposureTime", 0)) > 0:
            found["exposure_us"] = round(float(time_us), FINE)
        if (gain := metadata.get("AnalogueGain", 0.0)) > 0:
            found["gain"] = round(float(gain), FINE)
        if "LensPosition" in metadata:
            found["focus"] = round(float(metadata["LensPosition"]), FINE)
        gains = [round(float(gain), FINE) for gain in metadata.get("ColourGains", ())]
        if gains and min(gains) > 0:
            found["colour_gains"] = gains
        return found

    def hold(self, values: CameraValues) -> None:
        """Lock these values, from a few pictures on; without any, let the camera find them by itself again."""
        wanted = _locks(locked_settings(values)) if values else AUTOMATIC
        try:
            self._camera.set_controls(self._known(wanted))
        except Exception as error:
            refuses = Hint(
                "pi_camera_refuses", "The Pi camera does not take its settings ({why}): start again.", why=error
            )
            raise _fault(error, refuses) from error

    def _known(self, controls: Mapping[str, object]) -> dict[str, object]:
        """Return the controls that this camera has: not every lens has a motor."""
        known = self._camera.camera_controls
        return {name: value for name, value in controls.items() if name in known}

    def close(self) -> None:
        """Close the camera, also one that no longer answers: stopping it may never return."""
        closing = threading.Thread(target=self._close, name="closing a camera", daemon=True)
        closing.start()
        closing.join(CLOSING)

    def _close(self) -> None:
        try:
            self._camera.close()
        except FAULTS:
            return
        except Exception:  # on a thread of its own, where it would end the companion
            logging.getLogger(__name__).exception("the Pi camera cannot be closed")

    def _start(self, settings: CameraSettings) -> None:
        camera = self._camera
        self.size = size = self._size(settings)
        width, height = small_size(size)
        self._has_small = (width, height) != size
        streams: dict[str, object] = {"main": {"size": size, "format": settings.format}}
        if self._has_small:
            streams["lores"] = {"size": (width, height), "format": _yuv(settings.format)}
        if self._module is not None:  # left alone, Picamera2 takes the nearest mode in size, which may be a crop
            streams["sensor"] = {"output_size": self._module.mode_for(size)}
        controls = self._known(_controls(settings))
        camera.configure(
            camera.create_video_configuration(
                **streams, raw=None, controls=controls, buffer_count=BUFFERS, queue=False, display=None, encode=None
            )
        )
        camera.start()
        self.share = _share_in_view(camera.camera_properties, size)

    def _size(self, settings: CameraSettings) -> tuple[int, int]:
        """Return the size of pictures: what the profile says, else what shows all that this module can see."""
        return self._module.sizes[0] if self._module is not None and not settings.sized else settings.size


def picamera2_library() -> Library:
    """Return the library; raise DeviceError where it is missing, or made for another NumPy."""
    try:
        import picamera2  # noqa: PLC0415 - it is there on a Pi only
    except ImportError as error:
        raise DeviceError(
            Hint("picamera2_missing", "Picamera2 is not installed: apt install python3-picamera2, then start again.")
        ) from error
    except (ValueError, AttributeError) as error:
        raise DeviceError(
            Hint(
                "picamera2_unfit",
                "This system's Picamera2 is built for another NumPy ({why}): "
                "take Raspberry Pi OS trixie, or a USB camera.",
                why=error,
            )
        ) from error
    except Exception as error:
        raise _fault(error, _not_started(error)) from error
    library: Library = picamera2
    return library


def sensors_of(library: Library) -> list[tuple[int, str]]:
    """Return the place in Picamera2's list, which is how it counts, and the model of each camera on a ribbon cable.

    libcamera lists USB cameras too, but they cannot give two streams at once: OpenCV takes those.
    """
    listed = library.Picamera2.global_camera_info()
    return [(place, one["Model"]) for place, one in enumerate(listed) if not USB.search(one["Id"])]


def _share_in_view(properties: Mapping[str, tuple[int, ...]], size: tuple[int, int]) -> float:
    """Return the share of the sensor that a picture is made of, as far as libcamera tells."""
    whole, crop = properties.get("PixelArraySize"), properties.get("ScalerCropMaximum")
    if not whole or not crop:
        return 1.0
    width, height = crop[2], crop[3]
    return min(width, height * size[0] / size[1]) * min(height, width * size[1] / size[0]) / (whole[0] * whole[1])


def _not_started(error: BaseException) -> Hint:
    """Return what to do about a camera that does not start: Picamera2 says why only in what its error comes from."""
    why: BaseException | None = error
    while why is not None:
        if BUSY.search(str(why)):
            return Hint(
                "pi_camera_busy", "The Pi camera is in use by another program ({why}): close that one.", why=why
            )
        why = why.__cause__
    return Hint(
        "pi_camera_fails",
        "The Pi camera cannot be started ({why}): switch the Pi off, seat both ends of its cable, and start again.",
        why=error,
    )


def _fault(error: Exception, hint: Hint) -> DeviceError:
    return DeviceError(hint) if isinstance(error, FAULTS) else UnexpectedError(hint)


def _controls(settings: CameraSettings) -> dict[str, object]:
    """Return what libcamera is set to; it is asked which of these it knows."""
    frame_us = round(1e6 / settings.rate)
    flicker = {"AeFlickerMode": MANUAL_FLICKER, "AeFlickerPeriod": settings.flicker_us}
    return {"FrameDurationLimits": (frame_us, frame_us)} | flicker | _locks(settings)


def _locks(settings: CameraSettings) -> dict[str, object]:
    """Return what is locked; a lens with a motor focuses by itself until it is."""
    controls: dict[str, object] = {"AfMode": STEADY_FOCUS}
    if settings.exposure_us is not None:
        controls |= {"AeEnable": False, "ExposureTime": round(settings.exposure_us)}
        controls["AnalogueGain"] = settings.gain or 1.0
    if settings.colour_gains is not None:
        controls |= {"AwbEnable": False, "ColourGains": settings.colour_gains}
    if settings.focus is not None:
        controls |= {"AfMode": MANUAL_FOCUS, "LensPosition": settings.focus}
    return controls


def _yuv(main: str) -> str:
    """Return the small stream's format: its first plane is the grey picture."""
    return main if main in ("NV12", "YUV420") else "YUV420"


def _rows(flat: Array, layout: StreamLayout, rows: int) -> Array:
    """Return the buffer's first rows, padding and all."""
    return flat[: rows * layout["stride"]].reshape(rows, layout["stride"])


def _grey(flat: Array, layout: StreamLayout) -> Array:
    width, height = layout["size"]
    if layout["format"] in ("NV12", "YUV420"):
        return _rows(flat, layout, height)[:, :width]
    import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded

    grey: Array = cv2.cvtColor(_bgr(flat, layout), cv2.COLOR_BGR2GRAY)
    return grey


def _bgr(flat: Array, layout: StreamLayout) -> Array:
    width, height = layout["size"]
    if layout["format"] == "RGB888":
        return _rows(flat, layout, height)[:, : width * 3].reshape(height, width, 3)
    import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded

    code = cv2.COLOR_YUV2BGR_NV12 if layout["format"] == "NV12" else cv2.COLOR_YUV2BGR_I420
    picture: Array = cv2.cvtColor(_rows(flat, layout, height * 3 // 2), code)
    return picture[:, :width]
