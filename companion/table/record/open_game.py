"""One game of the record: its line, and what the table keeps beside the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.chance import called
from companion.games.timeline import Timeline

if TYPE_CHECKING:
    from companion.cards.pack_text import PackText
    from companion.games.api import Rules
    from companion.games.chance import Chance


class Sitting:
    """A game at the table. Its version is the number of the record's last entry."""

    def __init__(self, game_id: str, rules: Rules, pack: PackText, setup: dict[str, Any], chance: Chance) -> None:
        self.id = game_id
        self.rules = rules
        self.pack = pack
        self.names: dict[str, str] = dict(setup.get("names") or {})
        """As they were given when the game began; a correction gives others, which the position holds."""
        self.timeline: Timeline[Any] = Timeline(rules.new(pack, setup, chance))
        self.frozen: dict[str, Any] | None = None
        self.ignored: frozenset[str] = frozenset()
        self.aside: list[int] = []
        self.bots: dict[str, str] = dict(setup.get("bots") or {})
        """The seats that a bot plays, and its character."""

    @property
    def game(self) -> Any:
        """The position now."""
        return self.timeline.game

    @property
    def version(self) -> int:
        """How many entries there are behind the first."""
        return self.timeline.version

    def state(self) -> dict[str, Any]:
        """The state that a reader gets, but for `seq`, `table` and `panel`."""
        state = self.rules.state(self.game)
        if self.frozen is not None:
            state["phase"] = FROZEN
        names = self.names | self.game.names
        for colour, player in state["players"].items():
            player["name"] = called(names, colour)
            if self.rules.name in GAMES_WITH_BOTS:
                player["bot"] = self.bots.get(colour)
        return {"version": self.version, "id": self.id, **state}


FROZEN: Final = "frozen"
GAMES_WITH_BOTS: Final = frozenset({"shelter"})
