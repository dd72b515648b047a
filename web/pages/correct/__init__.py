"""Corrections by form."""
