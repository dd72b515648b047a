"""The routes: each parses, hands over or reads, and renders."""
