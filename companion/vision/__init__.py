"""From a picture of the table to a reading: plain functions on arrays."""
