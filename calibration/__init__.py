"""Calibration: camera, lens, table, colours, cards and columns, step by step, into a profile that people can read."""
