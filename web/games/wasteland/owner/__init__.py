"""The owner's own cards: forms with buttons instead of notation, entered before a game or while cards come."""
