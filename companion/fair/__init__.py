"""Chance that can be checked: promised before the first card, added to by phones, worked out again by anybody."""
