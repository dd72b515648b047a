"""What a game shows while it is played: the first page of a phone, every player's own page, and the big screen."""
