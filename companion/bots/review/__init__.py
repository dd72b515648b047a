"""A finished game looked at afterwards: the moments that decided it, what choices cost, and what the dice did."""
