"""Picture files, the lens, the camera's pose, and the view from straight above."""
