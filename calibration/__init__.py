"""Teaching the camera its table: lens, mat, colours, cards."""
