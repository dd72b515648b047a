"""Studies: many games without a table, their statistics and reports."""
