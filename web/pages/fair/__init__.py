"""Chance that can be checked: what is promised, the numbers that phones add, and the check after the end."""
