"""A USB webcam for the guest: a UVC device with MJPG and YUYV, spoken over QEMU's usb-redir. Plain Python, on the host.

The guest's own drivers do the rest: xhci, uvcvideo, V4L2, libcamera.
usage: webcam.py FILM COMMAND...: a file of JPEGs in a row, and what starts QEMU.
"""

import select
import socket
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

VENDOR, PRODUCT = 0x1D6B, 0x0102
"""The Linux Foundation's webcam gadget."""
SIZES = ((1280, 720), (640, 360))
RATE = 15
INTERVAL = 10_000_000 // RATE
"""UVC counts in tenths of a microsecond."""
PAYLOAD = 16384
"""Bytes of one transfer: what Linux asks for at once."""
PACKET = 512
STREAMING = 0x81
HELLO, CONNECT, RESET, INTERFACES, ENDPOINTS = 0, 1, 3, 4, 5
SET_CONFIGURATION, GET_CONFIGURATION, CONFIGURATION = 6, 7, 8
SET_SETTING, GET_SETTING, SETTING = 9, 10, 11
CANCEL, CONTROL, BULK = 21, 100, 101
OK, CANCELLED, STALLED = 0, 1, 4
CAPABILITIES = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6
"""A version of the device, sizes of packets, long ids and long transfers."""
SET_CUR, GET_CUR, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF = 1, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87
PROBE, COMMIT = 1, 2


def described(kind, *fields):
    """A descriptor: its length, its type, and what it says."""
    body = b"".join(field if isinstance(field, bytes) else bytes([field]) for field in fields)
    return bytes([len(body) + 2, kind]) + body


def short(*numbers):
    return struct.pack(f"<{len(numbers)}H", *numbers)


def long(*numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)


def frames_described(subtype, bytes_of):
    for number, (width, height) in enumerate(SIZES, 1):
        size = bytes_of(width, height)
        rate = size * 8 * RATE
        pace = long(rate, rate, size, INTERVAL)
        yield described(0x24, subtype, number, 0, short(width, height), pace, 1, long(INTERVAL))


def configuration():
    """What the camera is: a lens with exposure and gain, and a stream in two formats."""
    # Controls: bit 1 and 3 of the lens are the exposure's mode and time; bit 9 of what comes behind it is the gain.
    lens = described(0x24, 2, 1, short(0x0201), 0, 0, short(0, 0, 0), 3, b"\x0a\x00\x00")
    processing = described(0x24, 5, 2, 1, short(0), 2, short(1 << 9), 0)
    output = described(0x24, 3, 3, short(0x0101), 0, 2, 0)
    units = lens + processing + output
    control = described(0x24, 1, short(0x0100, 13 + len(units)), long(48_000_000), 1, 1) + units
    mjpg = described(0x24, 6, 1, len(SIZES), 1, 1, 0, 0, 0, 0) + b"".join(frames_described(7, lambda w, h: w * h))
    yuyv = described(0x24, 4, 2, len(SIZES), b"YUY2\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71", 16, 1, 0, 0, 0, 0)
    yuyv += b"".join(frames_described(5, lambda w, h: 2 * w * h))
    colours = described(0x24, 13, 1, 1, 4)
    formats = mjpg + colours + yuyv + colours
    stream = described(0x24, 1, 2, short(15 + len(formats)), STREAMING, 0, 3, 0, 0, 0, 1, 0, 0) + formats
    parts = [
        described(11, 0, 2, 0x0E, 3, 0, 0),
        described(4, 0, 0, 0, 0x0E, 1, 0, 0),
        control,
        described(4, 1, 0, 1, 0x0E, 2, 0, 0),
        stream,
        described(5, STREAMING, 2, short(PACKET), 0),
    ]
    whole = b"".join(parts)
    return described(2, short(9 + len(whole)), 2, 1, 0, 0x80, 250) + whole


DEVICE = described(1, short(0x0200), 0xEF, 2, 1, 64, short(VENDOR, PRODUCT, 0x0100), 1, 2, 0, 1)
STRINGS = ("", "Table companion", "Bench webcam")


class Setting:
    """A control of UVC: its size in bytes and what it may be."""

    def __init__(self, size, least, most, step, usual):
        self._size = size
        self._answers = {GET_MIN: least, GET_MAX: most, GET_RES: step, GET_DEF: usual, GET_CUR: usual}

    def get(self, request):
        if request == GET_INFO:
            return b"\x03"
        if request == GET_LEN:
            return short(self._size)
        return self._answers[request].to_bytes(self._size, "little")

    def set(self, value):
        self._answers[GET_CUR] = int.from_bytes(value, "little")


class Agreement:
    """What host and camera agree on before a stream: format, size and interval."""

    def __init__(self):
        self.format, self.frame = 1, 1

    def get(self, request):
        if request == GET_INFO:
            return b"\x03"
        if request == GET_LEN:
            return short(26)
        width, height = SIZES[self.frame - 1]
        size = 2 * width * height
        return short(1) + bytes([self.format, self.frame]) + long(INTERVAL) + short(0, 0, 0, 0, 0) + long(size, PAYLOAD)

    def set(self, value):
        self.format = min(max(value[2], 1), 2)
        self.frame = min(max(value[3], 1), len(SIZES))


class Webcam:
    """Answers what QEMU sends, and gives pictures at the camera's own pace."""

    def __init__(self, connection, pictures):
        self._connection = connection
        self._pictures = pictures
        self._agreed = Agreement()
        lens = {2: Setting(1, 1, 8, 0x09, 8), 4: Setting(4, 1, 5000, 1, 156)}
        self._controls = {(1, selector): one for selector, one in lens.items()} | {(2, 4): Setting(2, 0, 255, 1, 64)}
        self._wanted = []
        """Transfers that wait for a picture: id and length."""
        self._rest = memoryview(b"")
        self._next, self._count, self._toggle = 0.0, 0, 0

    def run(self):
        """Until QEMU ends."""
        with suppress(EOFError, ConnectionError):
            self._talk()

    def _talk(self):
        self._connection.sendall(struct.pack("<III64sI", HELLO, 68, 0, b"table companion bench", CAPABILITIES))
        kind, length, _ = struct.unpack("<III", self._receive(12))
        self._receive(length)
        self._introduce()
        while True:
            due = max(0.0, self._next - time.monotonic()) if self._wanted else None
            if select.select([self._connection], [], [], due)[0]:
                kind, length, number = struct.unpack("<IIQ", self._receive(16))
                self._answer(kind, number, self._receive(length))
            if self._wanted and time.monotonic() >= self._next:
                self._film()

    def _introduce(self):
        kinds, sizes, interfaces = [255] * 32, [0] * 32, [0] * 32
        kinds[0] = kinds[16] = 0
        sizes[0] = sizes[16] = 64
        kinds[16 + 1], sizes[16 + 1], interfaces[16 + 1] = 2, PACKET, 1
        self._send(ENDPOINTS, 0, bytes(kinds) + bytes(32) + bytes(interfaces) + short(*sizes))
        classes, subclasses = bytes([0x0E, 0x0E]).ljust(32, b"\0"), bytes([1, 2]).ljust(32, b"\0")
        self._send(INTERFACES, 0, long(2) + bytes([0, 1]).ljust(32, b"\0") + classes + subclasses + bytes(32))
        self._send(CONNECT, 0, bytes([2, 0xEF, 2, 1]) + short(VENDOR, PRODUCT, 0x0100))

    def _answer(self, kind, number, body):
        if kind == CONTROL:
            self._control(number, body)
        elif kind == BULK:
            endpoint, _, low, _, high = struct.unpack("<BBHIH", body[:10])
            self._wanted.append((number, endpoint, high << 16 | low))
        elif kind == CANCEL:
            for one in [one for one in self._wanted if one[0] == number]:
                self._wanted.remove(one)
                self._bulk(one, CANCELLED, b"")
        elif kind in (SET_CONFIGURATION, GET_CONFIGURATION):
            self._send(CONFIGURATION, number, bytes([OK, 1]))
        elif kind in (SET_SETTING, GET_SETTING):
            self._rest = memoryview(b"")
            self._send(SETTING, number, bytes([OK, body[0], body[1] if kind == SET_SETTING else 0]))

    def _control(self, number, body):
        endpoint, request, kind, _, value, index, length = struct.unpack("<BBBBHHH", body[:10])
        if endpoint & 0x80:
            found = self._told(request, kind, value, index)
            status, data = (STALLED, b"") if found is None else (OK, found[:length])
        else:
            status, data = OK, b""
            self._tell(kind, value, index, body[10:])
            length = len(body) - 10
        answered = len(data) if endpoint & 0x80 else length
        header = struct.pack("<BBBBHHH", endpoint, request, kind, status, value, index, answered)
        self._send(CONTROL, number, header + data)

    def _told(self, request, kind, value, index):
        """What a request for something is answered with; nothing where there is no answer."""
        if kind == 0x80 and request == 6:
            return {1: DEVICE, 2: configuration(), 3: self._string(value & 0xFF)}.get(value >> 8)
        if kind in (0x80, 0x81, 0x82) and request == 0:
            return short(0)
        found = self._setting(kind, value, index)
        return None if found is None else found.get(request)

    def _tell(self, kind, value, index, data):
        found = self._setting(kind, value, index)
        if found is not None:
            found.set(data)
        elif kind == 0x02:
            self._rest = memoryview(b"")  # the endpoint's halt is cleared: the stream has ended

    def _setting(self, kind, value, index):
        if kind & 0x7F != 0x21:
            return None
        selector = value >> 8
        if index & 0xFF == 1:
            return self._agreed if selector in (PROBE, COMMIT) else None
        return self._controls.get((index >> 8, selector))

    def _string(self, number):
        if number == 0:
            return described(3, short(0x0409))
        return described(3, STRINGS[number].encode("utf-16-le")) if number < len(STRINGS) else None

    def _film(self):
        """Answer the transfers that wait, as far as the picture reaches; the next one waits for its time."""
        while self._wanted:
            if not self._rest:
                now = time.monotonic()
                if now < self._next:
                    return
                self._next = max(self._next + 1 / RATE, now)
                self._rest = memoryview(self._pictures(self._agreed.format, self._agreed.frame, self._count))
                self._count += 1
                self._toggle ^= 1
            one = self._wanted.pop(0)
            part = self._rest[: min(one[2], PAYLOAD) - 2]
            self._rest = self._rest[len(part) :]
            flags = 0x80 | self._toggle | (0 if self._rest else 0x02)
            self._bulk(one, OK, bytes([2, flags]) + part)

    def _bulk(self, wanted, status, data):
        number, endpoint, _ = wanted
        header = struct.pack("<BBHIH", endpoint, status, len(data) & 0xFFFF, 0, len(data) >> 16)
        self._send(BULK, number, header + data)

    def _send(self, kind, number, body):
        self._connection.sendall(struct.pack("<IIQ", kind, len(body), number) + body)

    def _receive(self, count):
        found = b""
        while len(found) < count:
            part = self._connection.recv(count - len(found))
            if not part:
                raise EOFError
            found += part
        return found


def filmed(path):
    """The pictures of a film: JPEGs of both sizes in turn, and grey ones in YUYV that grow lighter to the right."""
    jpegs = [b"\xff\xd8" + one for one in path.read_bytes().split(b"\xff\xd8")[1:]]
    rows = {width: b"".join(bytes([40 + 180 * x // width, 128]) for x in range(width)) for width, _ in SIZES}

    def picture(kind, frame, count):
        width, height = SIZES[frame - 1]
        if kind == 1:
            fitting = jpegs[frame - 1 :: len(SIZES)]
            return fitting[count % len(fitting)]
        lighter = bytes([count % 200, 128]) * width
        return lighter * 8 + rows[width] * (height - 8)

    return picture


def main():
    """Run QEMU with the webcam in its USB port, and end as it ends."""
    film, *command = sys.argv[1:]
    ours, theirs = socket.socketpair()
    wire = f"socket,id=webcam,fd={theirs.fileno()}"
    plug = ["-device", "qemu-xhci", "-chardev", wire, "-device", "usb-redir,chardev=webcam"]
    with subprocess.Popen([*command, *plug], pass_fds=[theirs.fileno()]) as machine:
        theirs.close()
        try:
            Webcam(ours, filmed(Path(film))).run()
        except BaseException:
            machine.kill()
            raise
    raise SystemExit(machine.returncode)


if __name__ == "__main__":
    main()
