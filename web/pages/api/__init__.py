"""The API: state, events, moves, seats."""
