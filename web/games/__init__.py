"""What each game shows on the pages, one folder a game."""
