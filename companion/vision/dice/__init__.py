"""Real dice: pips, upper faces and outlines."""
