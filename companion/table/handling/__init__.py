"""What becomes of each kind of intent, one small module each."""
