"""The status page: the first page of a phone."""
