"""What every page shares: the application, access, streams, errors, texts."""
