"""Who may stand where: the masks say what the printed faces say, for listing and for refusing alike."""

import pytest

from companion.games.shelter.moves import place
from companion.games.shelter.turn.standing import fitting, helped_by, open_spaces, payable
from companion.games.shelter.words import INJURED, PLACE, PLAIN, SPACES
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from tests.games.shelter.play import a_game, random_walk

LETTER = 3
STANDING = [
    (PLAIN,), (LETTER,), (INJURED,), (INJURED + LETTER,), (PLAIN, PLAIN), (PLAIN, LETTER), (INJURED, INJURED),
    (PLAIN, INJURED), (INJURED, LETTER), (PLAIN, PLAIN, PLAIN),
]  # fmt: skip


def positions(players, seed):
    for game, _ in random_walk(a_game(players, seed=seed), seed):
        if game.phase == PLACE and game.placement is None and game.turn >= 0:
            yield game


@pytest.mark.parametrize("dwellers", STANDING, ids=str)
def test_dwellers_fit_the_circles_that_are_printed(dwellers):
    *_, game = positions(4, 7)
    for space, face in enumerate(game.vault.faces):
        pose = {dweller >= INJURED for dweller in dwellers}
        fits = face is not None and len(dwellers) == (2 if face.linked else 1) and pose == {face.injured_only}
        assert bool(fitting(game.vault, dwellers) >> space & 1) is fits


def test_a_space_is_refused_exactly_where_it_is_not_open_or_cannot_be_paid():
    reasons = set()
    for number, game in enumerate(positions(4, 11)):
        colour = game.turn
        if number % 5 or not game.plain[colour] or game.pending:
            continue
        can = payable(game, colour, open_spaces(game, colour) & fitting(game.vault, (PLAIN,)))
        for space in range(SPACES):
            try:
                game.copy().play(place(colour, space, (PLAIN,)), SeededLuck(1))
            except Refusal as refusal:
                assert not can >> space & 1
                reasons.add(refusal.code)
            else:
                assert can >> space & 1
    assert reasons >= {"no_such_space", "space_taken", "not_your_elevator", "two_dwellers", "cannot_pay"}


def test_an_item_helps_where_its_letter_is_or_a_threat_with_one():
    game = next(game for game in positions(2, 3) if game.vault.threats)
    for item in game.box.items:
        for space, face in enumerate(game.vault.faces):
            asked = item.trains is not None and face is not None and face.letter
            helps = asked and (
                face.letter == item.trained_letter or (not item.trained_letter and space in game.vault.threats)
            )
            assert bool(helped_by(game, item) >> space & 1) is bool(helps)
