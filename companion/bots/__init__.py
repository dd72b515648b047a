"""Players and odds on top of the rules."""
