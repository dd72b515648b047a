"""The doors of the second game. What is behind them is loaded when somebody enters: no first page waits for it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint

from web.base.context import current
from web.games.wasteland.past import GAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask.typing import ResponseReturnValue

    from web.games.wasteland import card_routes as wasteland_cards
    from web.games.wasteland import routes as wasteland
else:

    class _Later:
        """A module that is imported when something of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module(self._name), name)

    wasteland, wasteland_cards = _Later("web.games.wasteland.routes"), _Later("web.games.wasteland.card_routes")

__all__ = ["GAME", "blueprint", "cards", "is_played", "wasteland"]

DOORS: Final = (
    ("POST", "/do/<colour>", "do"),
    ("GET", "/new", "new"),
    ("POST", "/new", "begin"),
)
CARDS: Final = (
    ("GET", "", "index"),
    ("POST", "/begin", "begin"),
    ("GET", "/wasteland-cards.toml", "export"),
    ("POST", "/import", "bring"),
    ("GET", "/<kind>/<place>", "form"),
    ("POST", "/<kind>/<place>", "save"),
    ("POST", "/<kind>/<place>/copy", "copy"),
    ("POST", "/<kind>/<place>/delete", "delete"),
)


def is_played() -> bool:
    """Whether this is the game that is being played."""
    return str(current().state["game"]) == GAME


def _blueprint(name: str, place: str, room: Any, doors: tuple[tuple[str, str, str], ...]) -> Blueprint:
    made = Blueprint(name, __name__, url_prefix=place)
    for method, rule, view in doors:
        made.add_url_rule(rule, view, _entering(room, view), methods=[method])
    return made


def _entering(room: Any, view: str) -> Callable[..., ResponseReturnValue]:
    def enter(**asked: str) -> ResponseReturnValue:
        answer: ResponseReturnValue = getattr(room, view)(**asked)
        return answer

    return enter


blueprint = _blueprint("wasteland", "/wasteland", wasteland, DOORS)
cards = _blueprint("wasteland_cards", "/wasteland/cards", wasteland_cards, CARDS)
