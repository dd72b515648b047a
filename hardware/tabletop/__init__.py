"""The simulated table: what lies on it, what may happen to it, and the picture that a camera takes of it."""
