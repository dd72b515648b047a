"""Evenings that differ: the challenge of the week, campaigns, house calls, and what is worth telling."""
