"""The record of all games: durable, verified, replayed, exported."""
