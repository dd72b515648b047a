"""The addresses of the second game. What is behind them is loaded when somebody asks: no first page waits for it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from flask import Blueprint

from web.base.request import takes_file
from web.games.port import LARGEST_PACK, Door, GameDoors

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask.typing import ResponseReturnValue

GAME, CARDS, LEARN, DICE = "game_routes", "owner.card_routes", "owner.learn_routes", "owner.dice_routes"
ADDRESSES: Final = (
    ("POST", "/do/<colour>", GAME, "do"),
    ("GET", "/new", GAME, "new"),
    ("POST", "/new", GAME, "begin"),
    ("GET", "/cards", CARDS, "index"),
    ("POST", "/cards/begin", CARDS, "begin"),
    ("GET", "/cards/wasteland-cards.toml", CARDS, "export"),
    ("POST", "/cards/import", CARDS, "bring"),
    ("GET", "/cards/<kind>/<place>", CARDS, "form"),
    ("POST", "/cards/<kind>/<place>", CARDS, "save"),
    ("POST", "/cards/<kind>/<place>/copy", CARDS, "copy"),
    ("POST", "/cards/<kind>/<place>/delete", CARDS, "delete"),
    ("GET", "/dice", DICE, "page"),
    ("POST", "/dice", DICE, "keep"),
    ("GET", "/learn/<kind>", LEARN, "form"),
    ("POST", "/learn/<kind>", LEARN, "save"),
)
DOORS: Final = GameDoors(
    new_game=Door("/start?game=wasteland", "wnew_game", "wnew_hint"),
    cards=Door("/wasteland/cards", "wcards_title", "wcards_hint"),
    game="wasteland",
)


def _loading(module: str, view: str) -> Callable[..., ResponseReturnValue]:
    def enter(**asked: str) -> ResponseReturnValue:
        answer: ResponseReturnValue = getattr(import_module(f"web.games.wasteland.{module}"), view)(**asked)
        return answer

    return enter


blueprint = Blueprint("wasteland", __name__, url_prefix="/wasteland")
for _method, _rule, _module, _view in ADDRESSES:
    _entered = _loading(_module, _view)
    if _view == "bring":
        takes_file(_entered, LARGEST_PACK)
    blueprint.add_url_rule(_rule, f"{_module.rpartition('.')[2]}-{_view}", _entered, methods=[_method])
