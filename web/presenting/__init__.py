"""Presenters: pure functions from a state to what a page shows."""
