"""What a phone chooses for itself, and moves that it sends without a script."""
