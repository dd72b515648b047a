"""What is bolted to the table: panel, lamps, cameras and voice, and their simulated counterparts."""
