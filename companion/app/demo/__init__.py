"""The demo: a drawn table, real eyes, real panel code on pretended pins, and hands that help."""
