"""The printed pieces, one kind a module: cards, figures, tokens, the mat."""
