"""The second game in words: boards, fights, the enemy phase, hands for their owners alone."""
