"""Evenings that differ, as data: house calls, campaigns, and the week's challenge."""
