"""The table: the record of the games, the session that owns the one being played, and what the camera makes of it."""
