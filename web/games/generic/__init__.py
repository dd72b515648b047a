"""The pages of a game that has none of its own."""
