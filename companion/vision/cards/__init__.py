"""Recognise cards: by sticker, by picture, in their slots and on the tracks."""
