"""What the companion is: games, cards, the table and the record."""
