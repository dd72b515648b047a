"""The pages, one folder a feature."""
