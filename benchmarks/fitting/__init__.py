"""Make `companion/vision/learned.json` from folders of frames with truth; see docs/seeing-how.md."""
