"""What is printed of the wasteland: guide, cards, boards, tokens and dice of a pack, its map tiles and their backs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.corner import CORNER
from companion.cards.wasteland.loader import pack_of, pack_text
from companion.cards.wasteland.notation import face_name
from companion.cards.wasteland.types import Asks
from companion.cards.wasteland.words import LETTERS, Faction, TileBack, Trait
from companion.pieces.drawing.pen import PLAYERS
from companion.pieces.drawing.raster import PrintedPiece, drawn
from companion.pieces.kinds import figures, wasteland_boards, wasteland_tokens
from companion.pieces.kinds.deck import FIRST_TAG, LAST_TAG, TooManyCardsError
from companion.pieces.kinds.map_tiles import TILE, draw_map_back, draw_map_tile
from companion.pieces.kinds.wasteland_cards import (
    BANDS,
    CARD,
    CardWords,
    draw_card_back,
    draw_wasteland_card,
    wasteland_deck,
)
from companion.pieces.sheets import leaflets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.cards.wasteland.types import WastelandPack
    from companion.pieces.drawing.signs import PrintedWords

SHEETS: Final = ("guide", "boards", "cards", "tokens", "dice", "corner", "tiles", "backs")
CAPS: Final = {1: 24, 5: 10}
SETS: Final = len(PLAYERS)
"""Trait tokens of each kind: one for each survivor."""
TRAITS: Final = (
    (Trait.IDOLIZED, Trait.VILIFIED),
    (Trait.SYNTH, Trait.SUPER_MUTANT),
    (Trait.WELL_RESTED, Trait.ADDICTED),
)
"""The two sides of each token (W-TRAIT-1)."""
PEGS: Final = ("hp", "rads", "xp")
GUIDE: Final = {
    "print": "drawing-board",
    "cards": "recipe-book",
    "tokens": "people",
    "dice": "again",
    "map": "map-of-the-burrow",
    "boards": "periscope-post",
    "start": "first",
    "play": "build",
}
"""The steps of the guide, each with its picture."""


@dataclass(frozen=True)
class PrintedWasteland:
    """A pack in a language."""

    pack: WastelandPack
    language: str
    address: str = ""
    sheets: tuple[str, ...] = SHEETS

    @property
    def title(self) -> str:
        return self.pack.id

    @cached_property
    def card_words(self) -> CardWords:
        return CardWords(self.pack, self.language)

    @property
    def words(self) -> PrintedWords:
        return self.card_words.printed

    def pieces(self, sheet: str) -> tuple[PrintedPiece, ...]:
        match sheet:
            case "guide":
                return tuple(self._guide())
            case "boards":
                return tuple(self._boards())
            case "cards":
                return tuple(self._cards())
            case "tokens":
                return tuple(self._tokens())
            case "dice":
                return tuple(self._dice())
            case "corner":
                return (PrintedPiece("corner", "corner", CORNER.size, drawn(leaflets.draw_corner, self.words)),)
            case "tiles":
                return tuple(self._tiles())
            case _:
                return tuple(self._backs())

    def tags(self) -> dict[int, str]:
        """Return the card that each tag names; copies of a card share one."""
        names = [name for name, *_ in wasteland_deck(self.pack)]
        if FIRST_TAG + len(names) > LAST_TAG + 1:
            raise TooManyCardsError(f"{len(names)} cards; there are tags for {LAST_TAG + 1 - FIRST_TAG}")
        return dict(enumerate(names, FIRST_TAG))

    def sides(self) -> list[tuple[int, str, PrintedPiece]]:
        """Return every side of the dice: which die, what the side is called, and how it is printed."""
        found = []
        for number, face in [(number, face) for number, die in enumerate(self.pack.dice) for face in die]:
            draw = drawn(wasteland_tokens.draw_face, number + 1, face)
            piece = PrintedPiece("side", "die", (wasteland_tokens.FACE, wasteland_tokens.FACE), draw)
            found.append((number, face_name(face), piece))
        return found

    def _guide(self) -> Iterator[PrintedPiece]:
        draw = drawn(leaflets.draw_steps, self.words, "wguide", GUIDE)
        yield PrintedPiece("guide", "guide", leaflets.GUIDE, draw)
        stand = drawn(leaflets.draw_stand, self.words, self.address)
        yield PrintedPiece("qr-stand", "stand", leaflets.STAND, stand)

    def _boards(self) -> Iterator[PrintedPiece]:
        track = max([self.pack.settings.hp_max, *(one.hp_max for one in self.pack.characters)])
        for one in self.pack.characters:
            most = one.hp_max or self.pack.settings.hp_max
            draw = drawn(wasteland_boards.draw_survivor, self.card_words, one, track, most)
            yield PrintedPiece(f"board-{one.id}", "board", wasteland_boards.SURVIVOR, draw)
        for sheet in self.pack.scenarios:
            draw = drawn(wasteland_boards.draw_scenario, self.card_words, sheet, self.pack)
            yield PrintedPiece(f"scenario-{sheet.id}", "scenario", wasteland_boards.SCENARIO, draw)

    def _cards(self) -> Iterator[PrintedPiece]:
        tags = {name: tag for tag, name in self.tags().items()}
        draws = {deck: drawn(draw_card_back, self.card_words, deck) for deck in BANDS}
        backs = {deck: PrintedPiece(f"back-{deck}", "back", CARD, draw) for deck, draw in draws.items()}
        for name, kind, card, count in wasteland_deck(self.pack):
            draw = drawn(draw_wasteland_card, self.card_words, card, tags[name])
            back = backs[self.card_words.deck(card)[0]]
            yield PrintedPiece(name, kind, CARD, draw, tags[name], count=count, back=back)

    def _tokens(self) -> Iterator[PrintedPiece]:
        for enemy in self.pack.enemies:
            draw = drawn(wasteland_tokens.draw_enemy, self.card_words, enemy)
            yield PrintedPiece(f"enemy-{enemy.id}", "token", wasteland_tokens.ENEMY, draw, count=enemy.count)
        for letter, count in zip(LETTERS, self.pack.settings.special_supply, strict=True):
            draw = drawn(wasteland_tokens.draw_letter, letter)
            yield PrintedPiece(f"letter-{letter}", "token", wasteland_tokens.LETTER, draw, count=count)
        for one in self.pack.characters:
            if one.letter:
                draw = drawn(wasteland_tokens.draw_letter, one.letter, "mint")
                yield PrintedPiece(f"letter-of-{one.id}", "token", wasteland_tokens.LETTER, draw)
        yield from self._traits()
        for worth, count in CAPS.items():
            draw = drawn(wasteland_tokens.draw_cap, worth)
            yield PrintedPiece(f"caps-{worth}", "token", (wasteland_tokens.CAP,) * 2, draw, count=count)
        marker = (wasteland_tokens.MARKER,) * 2
        for quest in self.pack.quests:
            places = sum(each.asks is Asks.SPACE for one in quest.objectives for each in one.requires)
            draw = drawn(wasteland_tokens.draw_quest_marker, quest.number)
            yield PrintedPiece(f"quest-marker-{quest.number}", "token", marker, draw, count=max(1, places))
        for faction in Faction:
            draw = drawn(wasteland_tokens.draw_power_marker, faction)
            yield PrintedPiece(f"power-{faction.value}", "token", marker, draw)
        yield from self._of_players()

    def _traits(self) -> Iterator[PrintedPiece]:
        for one, other in TRAITS:
            draw = drawn(wasteland_tokens.draw_trait, self.card_words, (one.value, other.value))
            yield PrintedPiece(f"trait-{one.value}", "token", wasteland_tokens.TRAIT, draw, count=SETS)
        for survivor in self.pack.characters:
            for trait in survivor.locked_traits:
                sides = next(pair for pair in TRAITS if trait in pair)
                both = (sides[0].value, sides[1].value)
                draw = drawn(wasteland_tokens.draw_trait, self.card_words, both, trait.value)
                yield PrintedPiece(f"trait-{trait.value}-of-{survivor.id}", "token", wasteland_tokens.TRAIT, draw)

    def _of_players(self) -> Iterator[PrintedPiece]:
        """Yield what each player has: a figure, and three pegs."""
        for player in PLAYERS:
            draw = drawn(figures.draw_figure, player)
            yield PrintedPiece(f"figure-{player}", "figure", figures.NET, draw)
        for player in PLAYERS:
            for peg in PEGS:
                draw = drawn(wasteland_tokens.draw_peg, player, self.words.say(f"printed-peg-{peg}"))
                yield PrintedPiece(f"peg-{player}-{peg}", "token", wasteland_tokens.PEG, draw)
        yield PrintedPiece("first-player", "token", figures.FLAG, drawn(figures.draw_first, self.words))

    def _dice(self) -> Iterator[PrintedPiece]:
        for number, faces in enumerate(self.pack.dice, 1):
            draw = drawn(wasteland_tokens.draw_die, number, faces)
            yield PrintedPiece(f"die-{number}", "die", wasteland_tokens.DIE, draw)

    def _tiles(self) -> Iterator[PrintedPiece]:
        for tile in self.pack.tiles:
            yield PrintedPiece(tile.id, "tile", TILE, drawn(draw_map_tile, self.words, tile))

    def _backs(self) -> Iterator[PrintedPiece]:
        for back in TileBack:
            count = sum(tile.back is back for tile in self.pack.tiles)
            if count:
                yield PrintedPiece(
                    f"back-{back.value}", "tile", TILE, drawn(draw_map_back, self.words, back), count=count
                )


def printed(pack: str, language: str, address: str) -> PrintedWasteland:
    """Return what is printed of a pack, by its name, folder or file; PackFaults tells all that is wrong with it."""
    return PrintedWasteland(pack_of(pack_text(pack)), language, address)
