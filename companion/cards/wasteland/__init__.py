"""Cards of the wasteland as data: their types, their notation and their loader."""
