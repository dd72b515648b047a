"""Bots of the second game: whose turn it is to decide, what is worth most, playouts of it, and why."""
