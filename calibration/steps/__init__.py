"""The steps of a calibration."""
