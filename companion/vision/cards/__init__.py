"""Cards: by sticker, by picture, in their slots and on the tracks."""
