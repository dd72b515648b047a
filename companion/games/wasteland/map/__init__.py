"""The map: actions on it, enemies, and the enemy phase."""
