"""What is bolted to the table: panel, lamps, cameras, and the simulated ones beside the real."""
