"""What all pages show together: the enemy phase, fights and tests with their dice, a claimed victory, and the end."""
