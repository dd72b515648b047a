"""Cards in play: a pack unpacked, what spaces do, items in hand."""
