"""Past evenings."""
