"""Bots and odds."""
