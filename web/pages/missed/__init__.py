"""What a phone missed while nobody looked at it."""
