"""Find figures: where they stand or lie, and of which colour."""
