"""The pages of a running game: status, seat, big screen, joining."""
