"""Everything that is printed: every piece of a pack, by the sheet it is on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.cards.loader import builtin, builtin_names, load_pack
from companion.cards.pack import ItemCard, RoomCard, ThreatCard
from companion.cards.together import AIMS, CRISES
from companion.pieces.drawing.pen import PLAYERS
from companion.pieces.drawing.raster import PrintedPiece, drawn
from companion.pieces.drawing.signs import PrintedWords
from companion.pieces.kinds import figures, together
from companion.pieces.kinds.cards import CardFace, draw_elevator, draw_item, draw_room, draw_threat
from companion.pieces.kinds.deck import FIRST_TAG, LAST_TAG, TaggedCard, deck_of
from companion.pieces.kinds.mat import CARD, MAT, THREAT, TRACK, TRACKS, draw_mat, draw_track
from companion.pieces.sheets import leaflets

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards.pack import Pack
    from companion.pieces.drawing.pen import Pen

SHEETS: Final = ("guide", "mat", "cards", "tokens", "tags", "together")
DWELLERS: Final = 7
MARKERS: Final = 12
COINS: Final = {1: 32, 5: 10}
"""Tokens of happiness by their worth: 42 tokens, 82 points."""
ELEVATOR_NUMBER: Final = 7


@dataclass(frozen=True, slots=True)
class PrintedBox:
    """What is printed: a pack in a language, and the address that the stand shows."""

    pack: Pack
    language: str
    address: str
    sheets: tuple[str, ...] = SHEETS

    @property
    def title(self) -> str:
        return self.pack.id

    @property
    def words(self) -> PrintedWords:
        """The words on the pieces; a name that the language lacks is English."""
        return PrintedWords.of(self.language, self.pack.names)

    def pieces(self, sheet: str) -> tuple[PrintedPiece, ...]:
        made: dict[str, Callable[[], tuple[PrintedPiece, ...]]] = {
            "guide": self._guide,
            "mat": self._mat,
            "cards": self._cards,
            "tokens": self._tokens,
            "tags": self._tags,
            "together": self._together,
        }
        return made[sheet]()

    def all_pieces(self) -> tuple[PrintedPiece, ...]:
        return tuple(piece for sheet in SHEETS for piece in self.pieces(sheet))

    def _guide(self) -> tuple[PrintedPiece, ...]:
        words = self.words
        return (
            PrintedPiece("guide", "guide", leaflets.GUIDE, drawn(leaflets.draw_guide, words)),
            PrintedPiece("qr-stand", "stand", leaflets.STAND, drawn(leaflets.draw_stand, words, self.address)),
        )

    def _mat(self) -> tuple[PrintedPiece, ...]:
        words = self.words
        strips = (PrintedPiece(f"track-{track}", "track", TRACK, drawn(draw_track, words, track)) for track in TRACKS)
        return (PrintedPiece("mat", "mat", MAT, drawn(draw_mat, words, self.pack.columns)), *strips)

    def _cards(self) -> tuple[PrintedPiece, ...]:
        words = self.words
        return tuple(self._card(carried, words) for carried in deck_of(self.pack))

    def card(self, card: RoomCard | ThreatCard | ItemCard, name: str) -> PrintedPiece:
        """Return the piece of one card of the pack as it is given here, under a name: somebody may be editing it.

        One that the pack does not have gets the tag behind the last.
        """
        deck = deck_of(self.pack)
        beyond = min(FIRST_TAG + len(deck), LAST_TAG)
        kind = "threat" if isinstance(card, ThreatCard) else "item" if isinstance(card, ItemCard) else "room"
        carried = next((one for one in deck if one.id == card.id), TaggedCard(card.id, kind, beyond, 1, card))
        return self._card(replace(carried, card=card), replace(self.words, names={card.id: name}))

    def _card(self, carried: TaggedCard, words: PrintedWords) -> PrintedPiece:
        size = THREAT if carried.kind == "threat" else CARD
        draw = partial(self._draw_card, carried, words)
        return PrintedPiece(carried.id, carried.kind, size, draw, carried.tag, carried.copy)

    def _draw_card(self, carried: TaggedCard, words: PrintedWords, pen: Pen) -> None:
        face, pack = CardFace(carried.id, carried.tag, words), self.pack
        match carried.card:
            case RoomCard() as room:
                places = [card.id for card in pack.top_level]
                first = 2 * places.index(room.id) if room.id in places else None
                numbers = () if first is None else pack.columns[first : first + 2]
                draw_room(pen, face, room, numbers)
            case ThreatCard() as threat:
                draw_threat(pen, face, threat)
            case ItemCard() as item:
                draw_item(pen, face, item)
            case None:
                player = carried.player
                draw_elevator(pen, face, pack.elevator_of(player), player, ELEVATOR_NUMBER if player is None else None)

    def _tokens(self) -> tuple[PrintedPiece, ...]:
        words = self.words
        found = [
            PrintedPiece(f"figure-{player}", "figure", figures.NET, drawn(figures.draw_figure, player), count=DWELLERS)
            for player in PLAYERS
        ]
        found += [
            PrintedPiece(f"tracker-{player}", "tracker", figures.TRACKER, drawn(figures.draw_tracker, player, words))
            for player in PLAYERS
        ]
        coin = (figures.COIN, figures.COIN)
        found += [
            PrintedPiece(f"happiness-{worth}", "token", coin, drawn(figures.draw_happiness, worth), count=count)
            for worth, count in COINS.items()
        ]
        found.append(
            PrintedPiece("marker", "token", (figures.MARKER, figures.MARKER), figures.draw_marker, count=MARKERS)
        )
        found.append(PrintedPiece("first-player", "token", figures.FLAG, drawn(figures.draw_first, words)))
        return tuple(found)

    def _together(self) -> tuple[PrintedPiece, ...]:
        words = self.words
        strip = PrintedPiece("together-strip", "together", together.STRIP, drawn(together.draw_strip, words))
        aims = [
            PrintedPiece(f"aim-{aim.key}", "aim", together.CARD, drawn(together.draw_aim, words, aim)) for aim in AIMS
        ]
        crises = [
            PrintedPiece(f"crisis-{crisis.key}", "crisis", together.CARD, drawn(together.draw_crisis, words, crisis))
            for crisis in CRISES
        ]
        return (strip, *aims, *crises)

    def _tags(self) -> tuple[PrintedPiece, ...]:
        words, stickers = self.words, []
        for carried in deck_of(self.pack):
            name = words.name("elevator") if carried.kind == "elevator" else words.name(carried.id)
            if carried.player is not None:
                name = f"{name} ({words.say(f'colour-{carried.player}')})"
            draw = drawn(leaflets.draw_sticker, carried.tag, name)
            stickers.append(PrintedPiece(f"tag-{carried.tag}", "sticker", leaflets.STICKER, draw, carried.tag))
        return (
            PrintedPiece("charuco-board", "calibration", leaflets.BOARD, drawn(leaflets.draw_charuco, words)),
            PrintedPiece("colour-circles", "calibration", leaflets.CIRCLES, drawn(leaflets.draw_circles, words)),
            *stickers,
        )


def printed(pack: str, language: str, address: str) -> PrintedBox:
    """Return what is printed of a pack, by its name or folder; PackFaults tells all that is wrong with it."""
    return PrintedBox(builtin(pack) if pack in builtin_names() else load_pack(pack), language, address)
