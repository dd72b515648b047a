"""What is said in each language: a folder of catalogues for each, found by looking."""
