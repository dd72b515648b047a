"""Drawing: the pen, colours and fonts, signs, tags and small pictures."""
