"""Where everything is put together: the only rooms that know table, hardware, eyes and pages at once."""
