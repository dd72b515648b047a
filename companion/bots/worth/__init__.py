"""What things are worth: cubes, items, placements, answers, and whole positions."""
