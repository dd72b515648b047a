"""The demo's drawn table."""
