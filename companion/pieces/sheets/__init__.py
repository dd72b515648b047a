"""Sheets of paper: which pieces are printed, how they are laid out, and the leaflets with them."""
