"""Real dice: upper faces, outlines and pips."""
