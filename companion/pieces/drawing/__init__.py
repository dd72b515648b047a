"""Drawing: the pen, colours and lettering, signs, tags and small pictures."""
