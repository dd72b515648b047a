"""Cameras of every kind behind one port."""
