"""Every printed piece, drawn once: for sheets of paper, for pictures, and for the simulated table."""
