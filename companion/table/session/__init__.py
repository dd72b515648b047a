"""The session: one thread owns the game; intents go in, snapshots come out."""
