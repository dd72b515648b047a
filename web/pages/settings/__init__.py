"""How the people play: the way of playing, the rest, the voice, the language."""
