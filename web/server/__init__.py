"""The HTTP server: one thread for all connections, a few for requests, and a budget for every address."""
