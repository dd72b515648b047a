"""What is printed on the cards, compared and corrected by their owner."""
