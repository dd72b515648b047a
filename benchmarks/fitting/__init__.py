"""Make what vision has learned, `figures.onnx` and `learned.json`, from frames with truth; see docs/seeing-how.md."""
