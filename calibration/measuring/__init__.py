"""What can be measured in a picture."""
