"""What a machine of QEMU's shows on HDMI, as a picture, once a code in it can be read.

usage: hdmi.py MONITOR PICTURE TEXT   Ends with 1 while no code begins with TEXT; the same picture is not read twice.
"""

import socket
import sys
from pathlib import Path


def dumped(monitor, target):
    """Have QEMU write the picture, and wait until it has."""
    with socket.socket(socket.AF_UNIX) as asks:
        asks.connect(str(monitor))
        asks.sendall(f"screendump {target}\ninfo status\n".encode())
        said = b""
        while b"VM status" not in said:
            said += asks.recv(4096)


def main(monitor, picture, text):
    raw = Path(f"{picture}.ppm")
    before = raw.read_bytes() if raw.exists() else b""
    try:
        dumped(monitor, raw.resolve())
    except OSError:  # the machine is not there yet, or not any more
        return 1
    if not raw.exists() or raw.read_bytes() == before:
        return 1
    import cv2  # noqa: PLC0415 - it takes as long as all the rest

    shown = cv2.imread(str(raw))
    cv2.imwrite(str(picture), shown)
    _, read, _, _ = cv2.QRCodeDetector().detectAndDecodeMulti(shown)
    if not any(one.startswith(text) for one in read or ()):
        return 1
    raw.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
