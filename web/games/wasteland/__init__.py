"""The second game's pages."""
