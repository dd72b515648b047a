"""The hardware bench: see README.md beside this."""
