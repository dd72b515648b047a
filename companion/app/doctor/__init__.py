"""The doctor: looks at everything the table needs, says how it is, and what to do."""
