"""The record to take away."""
