"""The parts of the page that change, each with its id: rendered for the page, and again for whoever listens."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from web.league import showing

if TYPE_CHECKING:
    from jinja2 import Environment

    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words

SMALL: Final = ("top", "standings", "notes")


class Parts:
    """What one reader has, in their language, and what they need next."""

    def __init__(self, environment: Environment, words: Words) -> None:
        self._made = environment.get_template("league/league_parts.html").module
        self._words = words
        self._had: dict[str, str] = {}
        self._order: list[str] = []

    def whole(self, picture: dict[str, Any]) -> dict[str, Any]:
        """Everything, for the page."""
        return {
            "cards": [self._card(table) for table in showing.here(picture)],
            **{name: self._small(name, picture) for name in SMALL},
        }

    def frame(self, snapshot: Snapshot, seen: int) -> bytes:
        """One event: what has changed since the reader looked, and the order where that is another."""
        picture = snapshot.state
        here = showing.here(picture)
        told: dict[str, Any] = {
            "parts": {showing.id_of(table["name"]): self._card(table) for table in here if table["changed"] > seen}
        }
        for name in SMALL:
            text = self._small(name, picture)
            if self._had.get(name) != text:
                told["parts"][name] = self._had[name] = text
        order = [showing.id_of(table["name"]) for table in here]
        if order != self._order or not seen:
            told["order"] = self._order = order
        data = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
        return f"event: league\nid: {snapshot.seq}\ndata: {data}\n\n".encode()

    def _card(self, table: dict[str, Any]) -> str:
        return str(self._macro("card", showing.card(self._words, table)))

    def _small(self, name: str, picture: dict[str, Any]) -> str:
        words = self._words
        if name == "standings":
            return str(self._macro("standings", showing.rows(words, picture["standings"]), picture["earlier"]))
        if name == "notes":
            return str(self._macro("notes", picture, showing.away(picture)))
        return str(self._macro("top", picture, showing.since(words, picture), len(showing.here(picture))))

    def _macro(self, name: str, *what: object) -> object:
        return getattr(self._made, name)(self._words, *what)
