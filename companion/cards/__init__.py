"""Card packs as data, their notation and their loader."""
