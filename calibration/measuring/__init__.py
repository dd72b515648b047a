"""Measurements in pictures: sharpness, light, tilt, outlines of cards, and the printed papers."""
