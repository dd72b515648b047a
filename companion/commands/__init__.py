"""The commands of the companion, one room each."""
