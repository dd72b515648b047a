"""The doctor: checks of everything the table needs, with advice."""
