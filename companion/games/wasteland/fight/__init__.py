"""Fights and tests with the V.A.T.S. dice."""
