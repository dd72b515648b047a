"""What the kernel tells of USB cameras: their names and modes, who holds one, and what the mains flicker at."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SYSFS: Final = Path("/sys/class/video4linux")
DEV: Final = Path("/dev")
BY_ID: Final = Path("v4l/by-id")
QUERYCAP, ENUM_FMT, REQBUFS, S_CTRL = 0x80685600, 0xC0405602, 0xC0145608, 0xC008561C
ENUM_FRAMESIZES: Final = 0xC02C564A
CAPTURE: Final = 1
"""The type of a buffer for pictures, and the bit of a device that gives some."""
MEMORY_MAPPED: Final = 1
DISCRETE: Final = 1
POWER_LINE_FREQUENCY: Final = 0x00980918
POWER_LINE: Final = {50: 1, 60: 2}
MOST: Final = 64
"""Entries of a list that are read: a camera that lies about its modes may never come to the end of them."""
LARGEST: Final = 16384
"""Pixels across or down: no sensor has more."""


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """A USB camera: the name by which it is found again at any port, what people call it, and its node now."""

    id: str
    name: str
    node: Path
    sizes: tuple[tuple[int, int], ...] = ()


def usb_devices(sysfs: Path = SYSFS, dev: Path = DEV) -> list[UsbDevice]:
    """Return the USB cameras that give pictures, in the order of their nodes; a node of metadata is none."""
    links = _links(dev / BY_ID)
    found = []
    nodes = sorted(sysfs.glob("video*"), key=lambda node: (len(node.name), node.name)) if sysfs.is_dir() else []
    for node in nodes:
        device = dev / node.name
        if "/usb" not in str((node / "device").resolve()) or not device.exists():
            continue
        sizes = sizes_of(device)
        if sizes is not None:
            found.append(UsbDevice(links.get(device.resolve(), node.name), _name(node), device, sizes))
    return found


def _links(folder: Path) -> dict[Path, str]:
    """Return the stable name of each node; the first in the alphabet where one has several."""
    with suppress(OSError):
        return {link.resolve(): link.name for link in sorted(folder.iterdir(), reverse=True)}
    return {}


def _name(node: Path) -> str:
    try:
        return (node / "name").read_text(encoding="utf-8", errors="replace").strip() or node.name
    except OSError:
        return node.name


def sizes_of(device: Path) -> tuple[tuple[int, int], ...] | None:
    """Return the sizes of a device's pictures, the largest first; None where it gives none."""
    try:
        with _opened(device) as fd:
            return _sizes(fd)
    except OSError:
        return ()  # somebody without the right to open it may know all the same that it is there


def _sizes(fd: int) -> tuple[tuple[int, int], ...] | None:
    told = _asked(fd, QUERYCAP, bytearray(104))
    if told is None or not struct.unpack_from("<I", told, 88)[0] & CAPTURE:
        return None
    sizes: set[tuple[int, int]] = set()
    for number in range(MOST):
        form = _asked(fd, ENUM_FMT, bytearray(struct.pack("<II56x", number, CAPTURE)))
        if form is None:
            break
        (pixels,) = struct.unpack_from("<I", form, 44)
        for index in range(MOST):
            size = _asked(fd, ENUM_FRAMESIZES, bytearray(struct.pack("<II36x", index, pixels)))
            if size is None or struct.unpack_from("<I", size, 8)[0] != DISCRETE:
                break
            sizes.add(struct.unpack_from("<II", size, 12))
    sizes = {size for size in sizes if min(size) > 0 and max(size) <= LARGEST}
    return tuple(sorted(sizes, key=lambda size: (-size[0] * size[1], size)))


def why_not(device: Path) -> str:
    """Return why a camera gives nothing: `absent`, `denied`, `busy` in another program, or nothing that is known."""
    try:
        with _opened(device) as fd:
            fcntl.ioctl(fd, REQBUFS, bytearray(struct.pack("<IIIII", 1, CAPTURE, MEMORY_MAPPED, 0, 0)))
            fcntl.ioctl(fd, REQBUFS, bytearray(struct.pack("<IIIII", 0, CAPTURE, MEMORY_MAPPED, 0, 0)))
    except OSError as error:
        return {
            errno.EBUSY: "busy",
            errno.EACCES: "denied",
            errno.EPERM: "denied",
            errno.ENOENT: "absent",
            errno.ENODEV: "absent",
            errno.ENXIO: "absent",
        }.get(error.errno or 0, "")
    return ""


def know_mains(device: Path, hertz: int) -> None:
    """Tell a camera how lamps flicker, so that it exposes for whole waves of their light; not every camera can."""
    with suppress(OSError, KeyError), _opened(device) as fd:
        fcntl.ioctl(fd, S_CTRL, bytearray(struct.pack("<Ii", POWER_LINE_FREQUENCY, POWER_LINE[hertz])))


@contextmanager
def _opened(device: Path) -> Iterator[int]:
    fd = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield fd
    finally:
        os.close(fd)


def _asked(fd: int, request: int, buffer: bytearray) -> bytearray | None:
    try:
        fcntl.ioctl(fd, request, buffer)
    except OSError:
        return None
    return buffer
