"""Every event of the wasteland has a name of its own, and JSON that reads back as it was."""

import json
from typing import get_args, get_type_hints

import pytest

from companion.games.wasteland import events

from .play import a_game, random_walk

KINDS = get_args(events.WastelandEvent)


def names_of(kind):
    """The names that an event of this kind may bear."""
    return get_args(get_type_hints(kind)["event"])


def test_no_two_kinds_of_event_share_a_name():
    """But for a card that is equipped, at once or out of the inventory: there the slot is told too."""
    names = [name for kind in KINDS for name in names_of(kind)]
    assert sorted(name for name in set(names) if names.count(name) > 1) == ["equipped"]


@pytest.mark.parametrize("seed", range(6))
def test_an_event_is_json_with_its_name_and_whose_it_is(seed):
    game = a_game(players=1 + seed % 4, seed=seed)
    for _, happened in random_walk(game, seed):
        for event in happened:
            shown = events.serialize(event)
            assert type(event) in KINDS
            assert shown["event"] in names_of(type(event))
            assert shown["by"] == events.by(event)
            assert json.loads(json.dumps(shown)) == shown
