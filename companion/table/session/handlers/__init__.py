"""What the session does with each kind of intent."""
