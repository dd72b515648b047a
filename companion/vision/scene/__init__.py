"""The table in one look: light, mat, cover, and the regions that are read."""
