"""Stands in for kms++, which Picamera2 imports for a screen: there is none in the bench."""


class Names:
    """Whatever somebody names at import, and never uses."""

    def __getattr__(self, name):
        return name


PixelFormat = Names()
PlaneType = Names()
