"""The table as one look finds it: light, mat, cover, and the regions that are read."""
