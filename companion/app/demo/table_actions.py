"""What people do at the simulated table on its page: each action by name, wrong ones refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from companion.games.api import Button
from companion.refusal import Refusal
from hardware.tabletop.simulated_table import NoSuchThingError
from hardware.tabletop.table_contents import slot_at, space_at, track_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.demo.playground import DemoPlayground

FARTHEST: Final = 600.0
NEAR_ENOUGH: Final = 22.0
"""A dweller let go so near a space (mm) is put on it."""
LEAN: Final = 30.0
"""Degrees that a cocked die leans."""
Deed = Mapping[str, object]


def do(table: DemoPlayground, deed: Deed) -> None:
    name = deed.get("do")
    if not isinstance(name, str) or name not in DEEDS:
        raise Refusal("malformed", None, f"A hand does one of: {', '.join(sorted(DEEDS))}.", field="do")
    try:
        DEEDS[name](table, deed)
    except NoSuchThingError as error:
        raise Refusal("not_there", None, f"That cannot be done: {error}.") from error


def _number(deed: Deed, field: str) -> float:
    value = deed.get(field)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= FARTHEST:
        raise Refusal("malformed", None, f"{field} is a number of millimetres.", field=field)
    return float(value)


def _text(deed: Deed, field: str) -> str:
    value = deed.get(field)
    if not isinstance(value, str):
        raise Refusal("malformed", None, f"{field} is a text.", field=field)
    return value


def _truth(deed: Deed) -> bool:
    value = deed.get("on")
    if not isinstance(value, bool):
        raise Refusal("malformed", None, "on is true or false.", field="on")
    return value


def _move(table: DemoPlayground, deed: Deed) -> None:
    key, x, y = _text(deed, "figure"), _number(deed, "x"), _number(deed, "y")
    space = space_at(x, y, NEAR_ENOUGH)
    if space is not None:
        table.table.put(key, space)
    elif y < -table.edge:
        table.table.lift(key)
    else:
        table.table.move(key, x, y)


def _tip(table: DemoPlayground, deed: Deed) -> None:
    table.table.tip(_text(deed, "figure"))


def _home(table: DemoPlayground, deed: Deed) -> None:
    del deed
    table.take_all_back()


def _lay(table: DemoPlayground, deed: Deed) -> None:
    """Lay a card of the box where it was let go."""
    card, x, y = _text(deed, "card"), _number(deed, "x"), _number(deed, "y")
    if table.is_threat(card):
        place = space_at(x, y - table.lifted(card), NEAR_ENOUGH * 2)
    else:
        place = track_at(x, y) or (None if table.is_item(card) else slot_at(x, y))
    if place is None or (table.is_threat(card) and place.endswith(":E")):
        raise Refusal("not_there", None, "A card is laid on its place in the vault or on its track.")
    table.table.lay(card, place)


def _carry(table: DemoPlayground, deed: Deed) -> None:
    """Take a card from the table and lay it elsewhere; off the mat and the tracks it goes back to the box."""
    file = _text(deed, "file")
    laid = table.table.pick_up(file)
    if abs(_number(deed, "x")) < table.side and -table.edge < _number(deed, "y") < table.edge + table.strip:
        try:
            _lay(table, {**deed, "card": laid.name})
        except Refusal:
            table.table.put_back(laid)
            raise


def _throw(table: DemoPlayground, deed: Deed) -> None:
    del deed
    table.table.throw()


def _shove(table: DemoPlayground, deed: Deed) -> None:
    table.table.shove(_text(deed, "die"), _number(deed, "x"), _number(deed, "y"))


def _cock(table: DemoPlayground, deed: Deed) -> None:
    """Lean a die on something that nobody sees, or lay it flat again."""
    key = _text(deed, "die")
    table.table.cock(key, 0.0 if table.table.die(key).lean else LEAN)


def _cover(table: DemoPlayground, deed: Deed) -> None:
    table.cover(lens=_truth(deed))


def _lamp(table: DemoPlayground, deed: Deed) -> None:
    table.table.switch(lamp=_truth(deed))


def _bump(table: DemoPlayground, deed: Deed) -> None:
    del deed
    table.table.bump()


def _hand(table: DemoPlayground, deed: Deed) -> None:
    if _truth(deed):
        table.table.reach_in(_number(deed, "x"), _number(deed, "y"))
    else:
        table.table.reach_out()


def _button(deed: Deed) -> Button:
    name = _text(deed, "button")
    if name not in set(Button):
        raise Refusal("malformed", None, f"The buttons are: {', '.join(Button)}.", field="button")
    return Button(name)


def _press(table: DemoPlayground, deed: Deed) -> None:
    table.fingers.down(_button(deed))


def _release(table: DemoPlayground, deed: Deed) -> None:
    table.fingers.up(_button(deed))


def _help(table: DemoPlayground, deed: Deed) -> None:
    table.help(wanted=_truth(deed))


def _again(table: DemoPlayground, deed: Deed) -> None:
    del deed
    table.again.set()


DEEDS: Final[dict[str, Callable[[DemoPlayground, Deed], None]]] = {
    "again": _again,
    "bump": _bump,
    "cock": _cock,
    "carry": _carry,
    "cover": _cover,
    "hand": _hand,
    "help": _help,
    "home": _home,
    "lamp": _lamp,
    "lay": _lay,
    "move": _move,
    "press": _press,
    "release": _release,
    "shove": _shove,
    "throw": _throw,
    "tip": _tip,
}
