"""What all pages show together: threats level by level, fights, the recall, the last round and the end."""
