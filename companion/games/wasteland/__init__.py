"""The rules of the wasteland: the second game, on the protocol of the first."""
