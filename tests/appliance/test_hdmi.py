"""What QEMU's machine shows on HDMI is a proof only where a code can be read in it."""

import socket
import threading

import cv2
import numpy as np
import pytest
import segno

from tests.appliance import hdmi


@pytest.fixture
def monitor(tmp_path):
    """A monitor like QEMU's, whose screen is `screen.ppm`; no screen yet where that is missing."""
    place = tmp_path / "monitor"
    with socket.socket(socket.AF_UNIX) as listens:
        listens.bind(str(place))
        listens.listen()

        def answer():
            while True:
                try:
                    asked, _ = listens.accept()
                except OSError:
                    return
                with asked:
                    words = asked.recv(4096).decode().split()
                    screen = tmp_path / "screen.ppm"
                    if screen.exists():
                        (tmp_path / words[1]).write_bytes(screen.read_bytes())
                    asked.sendall(b"QEMU 7.2\n(qemu) info status\nVM status: running\n")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield place
        listens.shutdown(socket.SHUT_RDWR)
    thread.join()


def shows(tmp_path, text):
    """Lay a code for this text in the middle of the screen."""
    code = np.array([[0 if dark else 255 for dark in row] for row in segno.make(text).matrix], np.uint8)
    code = cv2.copyMakeBorder(code, 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=255)
    screen = np.full((800, 1280, 3), 40, np.uint8)
    large = cv2.resize(code, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    screen[100 : 100 + large.shape[0], 200 : 200 + large.shape[1]] = large[:, :, None]
    cv2.imwrite(str(tmp_path / "screen.ppm"), screen)


def test_a_code_that_leads_to_the_table_is_read(tmp_path, monitor):
    shows(tmp_path, "http://10.0.2.15/start")
    assert hdmi.main(monitor, tmp_path / "picture.png", "http://") == 0
    assert cv2.imread(str(tmp_path / "picture.png")).shape == (800, 1280, 3)


def test_another_code_is_no_proof(tmp_path, monitor):
    shows(tmp_path, "http://10.0.2.15/start")
    assert hdmi.main(monitor, tmp_path / "picture.png", "WIFI:") == 1


def test_a_dark_screen_is_no_proof_and_neither_is_none(tmp_path, monitor):
    assert hdmi.main(monitor, tmp_path / "picture.png", "http://") == 1
    cv2.imwrite(str(tmp_path / "screen.ppm"), np.zeros((800, 1280, 3), np.uint8))
    assert hdmi.main(monitor, tmp_path / "picture.png", "http://") == 1


def test_a_machine_that_is_not_there_shows_nothing(tmp_path):
    assert hdmi.main(tmp_path / "monitor", tmp_path / "picture.png", "http://") == 1
