"""The voice: what is said aloud, and how."""
