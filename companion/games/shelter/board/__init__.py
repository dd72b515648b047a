"""What lies on the table: the vault, the tracks, and the figures."""
