"""What hands owe the table: what lies there by the record, and has not been laid as far as anybody said or saw."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from companion.canonical import text_of
from companion.games.mat import LYING, STANDING, UNKNOWN, HandAct, HandTask, PieceKind
from companion.refusal import Refusal
from companion.table.outside import read_object
from companion.table.record.data_folder import put
from companion.table.sight.difference import CARDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from pathlib import Path

    from companion.games.mat import Difference, MatLayout, MatPiece

FILE: Final = "hands.json"
T = TypeVar("T")


class LaidFigures(NamedTuple):
    """Figures of one colour on a space."""

    by: str
    poses: tuple[str, ...]


@dataclass(slots=True)
class Laid:
    """What lies on the table: cards and figures by their places."""

    cards: dict[str, str] = field(default_factory=dict)
    figures: dict[str, LaidFigures] = field(default_factory=dict)

    def follow(self, wanted: Laid, places: Iterable[str]) -> None:
        """Take over some places as they should be."""
        for place in places:
            _put(self.cards, place, wanted.cards.get(place))
            _put(self.figures, place, wanted.figures.get(place))


def _put(things: dict[str, T], place: str, what: T | None) -> None:
    if what is None:
        things.pop(place, None)
    else:
        things[place] = what


def laid_of(pieces: Iterable[MatPiece]) -> Laid:
    """Return a table on which these pieces lie."""
    laid = Laid()
    for piece in pieces:
        if piece.kind is PieceKind.CARD:
            laid.cards[piece.place] = piece.what
        else:
            before = laid.figures[piece.place].poses if piece.place in laid.figures else ()
            laid.figures[piece.place] = LaidFigures(piece.by or "", (*before, piece.pose))
    return laid


def seen(layout: MatLayout, todo: Iterable[Difference]) -> Laid:
    """Return the table as the camera sees it: as the record has it, but for what it has still to follow."""
    laid = laid_of(layout.pieces)
    for one in todo:
        if one.kind in CARDS:
            _put(laid.cards, one.place, one.seen)
        elif one.kind == "missing":
            stand = laid.figures.pop(one.place)
            if one.count < len(stand.poses):
                laid.figures[one.place] = LaidFigures(stand.by, stand.poses[one.count :])
        elif one.kind == "pose":
            laid.figures[one.place] = LaidFigures(one.by or "", tuple(str(one.seen).split(",")))
        else:
            before = laid.figures.get(one.place)
            own = before.poses if before is not None and before.by == one.seen else ()
            laid.figures[one.place] = LaidFigures(str(one.seen), (*own, *(STANDING,) * one.count))
    return laid


def owed(laid: Laid, layout: MatLayout, told: Collection[str]) -> list[HandTask]:
    """Return what is still to be done, in the order in which it is best done.

    `told` are the colours whose figures others move: whoever sits at the table has moved their own.
    """
    wanted = laid_of(layout.pieces)
    return [
        *_figures_off(laid, wanted, layout, told),
        *_figures_on(laid, layout, told),
        *_cards_off(laid, wanted, layout),
        *_cards_on(laid, layout),
    ]


def _figures_off(laid: Laid, wanted: Laid, layout: MatLayout, told: Collection[str]) -> Iterator[HandTask]:
    for place, stand in laid.figures.items():
        should = wanted.figures.get(place)
        staying = len(should.poses) if should is not None and should.by == stand.by else 0
        if stand.by in told:
            yield from (HandTask(HandAct.TAKE, *layout.figure(pose), place, stand.by) for pose in stand.poses[staying:])


def _cards_off(laid: Laid, wanted: Laid, layout: MatLayout) -> Iterator[HandTask]:
    """A card that is to lie elsewhere goes there, and one that makes room for another goes by itself."""
    needed = {card for place, card in wanted.cards.items() if laid.cards.get(place) != card}
    for place, card in laid.cards.items():
        if place not in wanted.cards and card not in needed:
            yield HandTask(HandAct.TAKE, layout.sort(place), card, place, layout.whose(place))


def _cards_on(laid: Laid, layout: MatLayout) -> Iterator[HandTask]:
    for piece in layout.pieces:
        if piece.kind is PieceKind.CARD and laid.cards.get(piece.place) != piece.what:
            yield HandTask(HandAct.LAY, layout.sort(piece.place), piece.what, piece.place, piece.by)


def _figures_on(laid: Laid, layout: MatLayout, told: Collection[str]) -> Iterator[HandTask]:
    left = {place: list(stand.poses) for place, stand in laid.figures.items()}
    later = []
    for piece in layout.pieces:
        if piece.kind is not PieceKind.FIGURE or piece.by not in told:
            continue
        stand = laid.figures.get(piece.place)
        poses = left[piece.place] if stand is not None and stand.by == piece.by else []
        if piece.pose in poses:
            poses.remove(piece.pose)
        else:
            later.append((piece, poses))
    for piece, poses in later:
        do = HandAct.MOVE if not poses else HandAct.TIP if piece.pose == LYING else HandAct.STAND
        if poses:
            poses.pop()
        yield HandTask(do, *layout.figure(piece.pose), piece.place, piece.by)


class Hands:
    """What hands have laid in the game that is played, and who is not at the table; kept in a file beside the record.

    Losing the file costs a few ticks and no move: so a disk that does not take it stops nobody.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = None if folder is None else folder / FILE
        self.laid = Laid()
        self.away: frozenset[str] = frozenset()
        self._game = ""

    def begin(self, game: str, layout: MatLayout | None) -> None:
        """Start with the box laid out for a new game."""
        self._game, self.away = game, frozenset()
        self.laid = Laid() if layout is None else laid_of(layout.set_up)
        self._keep()

    def take_up(self, game: str, layout: MatLayout | None) -> None:
        """Go on with a game: with what was kept of it, else with everything laid."""
        self._game, self.away = game, frozenset()
        self.laid = Laid() if layout is None else laid_of(layout.pieces)
        if not self._is_read():
            self._keep()

    def _is_read(self) -> bool:
        """Read what was kept; whether it was this game's and sound."""
        if self._path is None or not self._path.exists():
            return False
        with suppress(OSError, Refusal, LookupError, TypeError, ValueError, AttributeError):
            return self._take(read_object(self._path.read_bytes(), FILE))
        return False

    def _take(self, kept: dict[str, Any]) -> bool:
        if kept["game"] != self._game:
            return False
        cards = {str(place): str(card) for place, card in kept["cards"].items()}
        figures = {
            str(place): LaidFigures(str(by), tuple(map(str, poses))) for place, (by, poses) in kept["figures"].items()
        }
        self.laid, self.away = Laid(cards, figures), frozenset(map(str, kept["away"]))
        return True

    def _keep(self) -> None:
        if self._path is None:
            return
        kept = {"game": self._game, "cards": self.laid.cards, "figures": self.laid.figures, "away": sorted(self.away)}
        with suppress(OSError):
            put(self._path, text_of(kept).encode())

    def go(self, colour: str, *, away: bool) -> None:
        """Note that somebody has left the table, or is back."""
        self.away = self.away | {colour} if away else self.away - {colour}
        self._keep()

    def follow(self, before: MatLayout, layout: MatLayout, told: Collection[str]) -> None:
        """Take over what needs no word: whoever sits at the table has moved their own figures.

        What a figure was put on lies there; so does a card of a real deck once somebody has named it.
        """
        wanted, was, cards = laid_of(layout.pieces), laid_of(before.pieces), dict(self.laid.cards)
        for place in self.laid.figures.keys() | wanted.figures.keys():
            stand, should = self.laid.figures.get(place), wanted.figures.get(place)
            if (stand is not None and stand.by in told) or (should is not None and should.by in told):
                continue
            if should is not None and stand is None:
                for under in layout.under(place):
                    _put(self.laid.cards, under, wanted.cards.get(under))
            _put(self.laid.figures, place, should)
        for place, card in wanted.cards.items():
            if card != UNKNOWN and was.cards.get(place) == UNKNOWN:
                self.laid.cards[place] = card
        if self.laid.cards != cards:
            self._keep()

    def tick(self, places: Iterable[str], layout: MatLayout) -> None:
        """Note that these places are as they should be: somebody says so."""
        self.laid.follow(laid_of(layout.pieces), places)
        self._keep()

    def saw(self, layout: MatLayout, todo: Iterable[Difference], unsure: Collection[str]) -> None:
        """Take over what the camera sees; where it is not sure, things are as they were."""
        before, self.laid = self.laid, seen(layout, todo)
        self.laid.follow(before, unsure)
        if self.laid != before:
            self._keep()
