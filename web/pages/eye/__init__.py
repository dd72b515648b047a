"""A phone as the table's camera: its page, and what it sends."""
