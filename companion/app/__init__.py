"""Where everything is put together: the only package that knows table, hardware, vision and pages at once."""
