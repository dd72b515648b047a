"""The guided calibration, and the camera's picture."""
