"""The games by which a build is proved: they end, and they ask bots too."""

from companion.bots.policy.greedy import Greedy
from companion.compiled import games
from companion.games.shelter.game import ShelterGame
from companion.games.shelter.moves import PASSES


def test_a_game_that_does_not_end_is_left_after_so_many_moves(monkeypatch):
    made = []
    play = ShelterGame.play
    monkeypatch.setattr(games, "_bots", lambda *_: {})
    monkeypatch.setattr(games, "LONGEST", 10)
    monkeypatch.setattr(
        ShelterGame, "play", lambda game, move, chance: (made.append(move), play(game, move, chance))[1]
    )
    assert games.digest(3)
    assert len(made) == 30


def test_what_a_bot_would_do_otherwise_is_another_digest(monkeypatch):
    monkeypatch.setattr(games, "LONGEST", 60)
    monkeypatch.setattr(games, "_bots", lambda *_: {})
    before = games.digest(3)
    assert games.digest(3) == before
    monkeypatch.setattr(Greedy, "choose", lambda _self, _game, seat: PASSES[seat])
    assert games.digest(3) != before
