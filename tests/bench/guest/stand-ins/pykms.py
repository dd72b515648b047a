"""Stands in for kms++, which Picamera2 imports for a screen: there is none in the bench."""


class PixelFormat:
    """Names of formats that nobody asks for."""

    RGB888 = BGR888 = XRGB8888 = XBGR8888 = YUV420 = YVU420 = MJPEG = None


class Card:
    """No graphics card."""

    def __init__(self, *names):
        raise RuntimeError("there is no screen in the bench")
