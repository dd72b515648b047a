"""Secure pages: what a phone installs for them, and the host's switch."""
