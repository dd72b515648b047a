"""Readings over time: motion and rest, and evidence from several looks."""
