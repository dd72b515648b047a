"""The host's pages: games, settings, tokens, the record."""
