"""What the camera's readings mean for the game."""
