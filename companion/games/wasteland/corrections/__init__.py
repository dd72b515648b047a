"""Corrections: a person's word against the record."""
