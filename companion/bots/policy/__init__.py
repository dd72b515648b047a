"""Policies: who decides for a bot's seat, and why it says it did."""
