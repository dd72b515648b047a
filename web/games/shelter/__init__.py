"""Fallout Shelter on the pages: the vault, placements, choices, odds."""
