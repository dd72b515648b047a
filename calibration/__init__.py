"""Calibration: camera, lens, table, colours, cards and columns, step by step, into a readable profile."""
