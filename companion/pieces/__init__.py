"""Every printed piece, each drawn once: for the sheets of paper, for pictures, and for the simulated table."""
