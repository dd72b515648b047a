"""Co-operative play, the vault against the wasteland: shared aims, crises, and invaders that march (U)."""
