"""Threads beside the session that ask the bots' helper processes."""
