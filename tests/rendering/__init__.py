"""A renderer of the project's own: random worlds with exact truth, to learn seeing from and to judge it by."""
