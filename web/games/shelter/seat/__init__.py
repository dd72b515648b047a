"""A player's own page: the vault to play on, the sheet of one space, and the legal moves as a list."""
