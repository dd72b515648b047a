"""Many looks over time: motion and rest, and readings that must agree."""
