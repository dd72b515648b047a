"""Where pictures come from, and where the camera stands: files, lens, pose, and the view from above."""
