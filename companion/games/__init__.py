"""The rules of the games: pure, without input, output, time or chance."""
