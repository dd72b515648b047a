"""What is agreed before the game, and its form as JSON (W-SETUP-1)."""

from __future__ import annotations

from typing import Any, Final

from companion.games.wasteland.corrections import fields
from companion.games.wasteland.words import NOBODY

KEYS: Final = frozenset({"players", "scenario", "first", "survivors", "options", "decks"})


class Table:
    """What is agreed before the game: who plays where, which scenario, and whatever lies ready by hand."""

    def __init__(self, players: tuple[int, ...], scenario: str = "", first: int = NOBODY) -> None:
        self.players = players  # clockwise
        self.scenario = scenario
        self.first = first
        self.survivors: dict[int, str] = {}
        self.table_dice = False
        self.table_cards = False
        self.tops: dict[str, list[str]] = {}  # the top cards of a deck, the topmost first
        self.only: set[str] = set()  # decks whose other cards lie on the discard pile


def table_from_json(raw: dict[str, Any]) -> Table:
    """Who plays, which scenario, and what lies ready."""
    for key in raw:
        if key not in KEYS:
            raise fields.malformed("setup", key, "one of " + ", ".join(sorted(KEYS)))
    players = tuple(fields.colour(name, "players") for name in fields.a_list(raw.get("players"), "players"))
    first = NOBODY if raw.get("first") is None else fields.colour(raw["first"], "first")
    scenario = "" if raw.get("scenario") is None else fields.text(raw["scenario"], "scenario")
    table = Table(players, scenario, first)
    survivors = fields.an_object(raw.get("survivors", {}), "survivors")
    table.survivors = {fields.colour(name, "survivors"): fields.text(one, name) for name, one in survivors.items()}
    options = fields.an_object(raw.get("options", {}), "options")
    if set(options) - {"dice", "cards"}:
        raise fields.malformed("options", options, "dice and cards")
    table.table_dice = fields.by_table(options.get("dice", "companion"), "dice")
    table.table_cards = fields.by_table(options.get("cards", "companion"), "cards")
    decks = fields.an_object(raw.get("decks", {}), "decks")
    table.only = {name for name, cards in decks.items() if isinstance(cards, dict)}
    named = {name: cards.get("only") if isinstance(cards, dict) else cards for name, cards in decks.items()}
    table.tops = {name: fields.texts(cards, name) for name, cards in named.items()}
    return table
