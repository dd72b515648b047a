"""The panel: buttons, lamps, buzzer, and the wiring table."""
