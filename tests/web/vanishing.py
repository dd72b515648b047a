"""A network of its own in which phones listen and then vanish: nobody says goodbye, their packets just stop.

Run in a fresh network namespace: `unshare -Urn python vanishing.py FOLDER GONE_AFTER [QUIET]`. They have been quiet
for so many seconds before. Prints how many streams were open, how many are left, and after how many seconds.
"""

import fcntl
import json
import socket
import struct
import sys
import threading
import time
from pathlib import Path

from at_the_door import House

from web.base.serving import bound, server_of

PHONES = 5
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def loopback(*, up):
    """Plug the only cable in, or pull it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asked = fcntl.ioctl(asking, SIOCGIFFLAGS, struct.pack("16sh14x", b"lo", 0))
        flags = struct.unpack("16sh14x", asked)[1]
        fcntl.ioctl(asking, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP if up else flags & ~IFF_UP))


def listen_on(port):
    phone = socket.create_connection(("127.0.0.1", port), timeout=20)
    phone.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    told = b""
    while b"event: state" not in told:
        told += phone.recv(65536)
    return phone


def main(folder, gone_after, quiet=0.0):
    loopback(up=True)
    house = House(folder)
    house.start()
    listening = bound(0, "127.0.0.1")
    server = server_of(house.app, listening, gone_after=gone_after)
    threading.Thread(target=server.run, daemon=True).start()
    phones = [listen_on(listening.getsockname()[1]) for _ in range(PHONES)]
    streams = house.app.extensions["companion"].streams
    opened = streams.open
    streams.wait_until(0, quiet)
    loopback(up=False)
    began = time.monotonic()
    streams.wait_until(0, 4.0 * gone_after + 20)
    took = time.monotonic() - began
    sys.stdout.write(json.dumps({"opened": opened, "left": streams.open, "seconds": round(took, 1)}) + "\n")
    sys.stdout.flush()
    del phones


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), *map(float, sys.argv[3:]))
