"""The rules in plain words."""
