"""The page of a league: many tables at once, and how the evening stands. It knows pictures, not where they are from."""
