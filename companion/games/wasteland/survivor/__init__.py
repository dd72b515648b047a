"""A survivor's board: pegs, items, trade, camp, abilities, and being killed."""
