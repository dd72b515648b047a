"""The map on the pages: drawn to be played on, and the form of a tile."""
