"""The flow of a game: rounds, steps under way, choices, decks, results and the end."""
