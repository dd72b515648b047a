"""Which games there are: those in the packages beside this module, and those that the configuration adds.

A game's rules are loaded when it is played, or asked for something, for the first time.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from companion import games as packages
from companion.games.api import AnyGame, Game
from companion.refusal import Refusal

DEFAULT: Final = "shelter"
"""The game that is meant where moves, scenarios and pages name none."""

_added: Final[dict[str, AnyGame]] = {}


class GameFaultError(ValueError):
    """What is named as a game and is none; the text says why in one line, the cause where its module has failed."""


@cache
def _builtin() -> tuple[str, ...]:
    found = (one.name for one in pkgutil.iter_modules(packages.__path__) if one.ispkg)
    return tuple(sorted(name for name in found if find_spec(f"{packages.__name__}.{name}.adapter") is not None))


@cache
def _loaded(name: str) -> AnyGame:
    found: AnyGame = import_module(f"{packages.__name__}.{name}.adapter").GAME
    return found


def names() -> tuple[str, ...]:
    """Return the names of all games; none of them is loaded for it."""
    return (*_builtin(), *_added)


def game_of(name: object) -> AnyGame:
    """Return a game by its name, or refuse."""
    if not isinstance(name, str) or name not in names():
        raise Refusal("no_such_game", None, f"There is no game {str(name)[:60]!r}; there is: {', '.join(names())}.")
    return _added[name] if name in _added else _loaded(name)


def games() -> tuple[AnyGame, ...]:
    """Return all games, loaded."""
    return tuple(game_of(name) for name in names())


def add(place: str) -> AnyGame:
    """Add a game that is not in this package: `module:object`, where the object is a `Game` or its class."""
    game = _game(place)
    known = _added.get(game.name)
    if game.name in _builtin() or (known is not None and type(known) is not type(game)):
        raise GameFaultError(f"{place}: there is a game called {game.name} already")
    _added[game.name] = game
    return game


def forget() -> None:
    """Look anew when a game is next asked for."""
    _builtin.cache_clear()
    _loaded.cache_clear()


def remove(name: str) -> None:
    """Forget a game that was added."""
    del _added[name]


def _game(place: str) -> AnyGame:
    module, _, name = place.partition(":")
    if not module or not name:
        raise GameFaultError(f"{place}: a game is named as module:object")
    try:
        found: object = getattr(import_module(module), name)
    except (ModuleNotFoundError, AttributeError) as error:
        raise GameFaultError(f"{place} cannot be imported: {type(error).__name__}: {error}") from None
    except Exception as error:  # a stranger's module may raise anything: the line says what, and its cause where
        raise GameFaultError(f"{place} cannot be imported: {type(error).__name__}: {error}") from error
    kind = found if isinstance(found, type) else type(found)
    if not issubclass(kind, Game):
        raise GameFaultError(f"{place} does not inherit from companion.games.api.Game")
    abstract: frozenset[str] = getattr(kind, "__abstractmethods__", frozenset())  # a compiled class has none to tell
    missing = sorted({*abstract, *(one for one in ("name", "title") if not hasattr(kind, one))})
    if missing:
        raise GameFaultError(f"{place} lacks {', '.join(missing)}")
    if isinstance(found, Game):
        return found
    try:
        made: AnyGame = kind()
    except Exception as error:  # a stranger's, as above
        raise GameFaultError(f"{place} cannot be made: {type(error).__name__}: {error}") from error
    return made
