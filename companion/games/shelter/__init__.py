"""Fallout Shelter: the rules as the rulebook tells them."""
