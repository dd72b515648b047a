"""The rules as machine code: compiled aside, proved by identical games, and loaded where they fit the sources."""
