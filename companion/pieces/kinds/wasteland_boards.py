"""Boards of a wasteland pack on paper: survivor boards, and scenario sheets with power track and layout."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import lattice
from companion.cards.wasteland.words import Faction, TileBack
from companion.pieces.drawing.pen import INK, INKS, PAPER
from companion.pieces.kinds.wasteland_tokens import draw_faction

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Character, MapTile, Scenario, TilePlace, WastelandPack
    from companion.pieces.drawing.pen import Pen
    from companion.pieces.kinds.wasteland_cards import CardWords

SURVIVOR: Final = (190.0, 62.0)
SCENARIO: Final = (190.0, 118.0)
LEFT: Final = 4.0
LETTERS: Final = "SPECIAL"
SLOTS: Final = ("wkind_weapon", "wkind_apparel", "wkind_companion", "winventory")


def draw_survivor(pen: Pen, words: CardWords, one: Character, track: int, most: int) -> None:
    """Draw a survivor board: name, one track for both pegs, the letters with the XP peg, and where cards are laid.

    The track is as long as the longest, so that boards are alike; holes beyond this survivor's `most` are grey.
    """
    width, height = SURVIVOR
    pen.box(0, 0, width, height, fill=PAPER, line=INK, corner=2)
    title = words.told(one.name)
    pen.fitted((LEFT, height - 12, 84, 9), title, 7, bold=True)
    traits = ", ".join(words.text(f"wtrait_{each.value.replace('-', '_')}") for each in one.start_traits)
    begins = [words.text("printed-begins", what=words.of(one.start_card))] if one.start_card else []
    begins += [traits] if traits else []
    pen.fitted((92, height - 12, width - 96, 9), " · ".join(begins) or " ", 3.6, align="right", lines=2)
    holes = track + 1
    side = (width - 2 * LEFT - 18) / holes
    pen.fitted((LEFT, height - 24, 16, 9), words.text("printed-pegs"), 3, bold=True, lines=2)
    for hole in range(holes):
        x = LEFT + 18 + hole * side
        beyond = hole > most
        pen.box(x, height - 24, side - 0.8, 10, fill=INKS["stone" if beyond else "cream"], line=INK, corner=1)
        pen.text(x + side / 2 - 0.4, height - 20.6, str(hole), 3.6, colour=INKS["dark"], align="middle")
    wide = (width - 2 * LEFT - 18) / 8
    pen.fitted((LEFT, height - 40, 16, 9), words.text("printed-xp"), 3, bold=True, lines=2)
    for nth, letter in enumerate(("", *LETTERS)):
        x = LEFT + 18 + nth * wide
        own = letter and letter == one.letter
        pen.box(x, height - 42, wide - 1, 15.4, fill=INKS["mint" if own else "paper"], line=INK, corner=1)
        pen.text(x + wide / 2 - 0.5, height - 37.4, letter or "→", 8, colour=INKS["grey"], bold=True, align="middle")
    wide = (width - 2 * LEFT) / 4
    for nth, slot in enumerate(SLOTS):
        x = LEFT + nth * wide
        pen.box(x, 3, wide - 1.5, 13, fill=INKS["paper"], line=INKS["grey"], corner=1)
        pen.fitted((x + 2, 4, wide - 6, 11), words.text(slot), 4, bold=True, align="middle")


def draw_scenario(pen: Pen, words: CardWords, one: Scenario, pack: WastelandPack) -> None:
    """Draw a scenario sheet: names, first quests, the power track with what X and Y are worth, tokens and layout."""
    width, height = SCENARIO
    pen.box(0, 0, width, height, fill=PAPER, line=INK, corner=2)
    pen.fitted((LEFT, height - 13, 112, 10), words.told(one.name), 8, bold=True)
    quests = words.text("printed-first-quests", what=", ".join(map(str, one.opening_quests)))
    pen.fitted((LEFT, height - 21, 112, 6), quests, 3.6)
    _power(pen, words, one, height - 24)
    found = [(words.text("printed-token-at", what=words.kind(token.type.value), at=words.space(token.at)), False)
             for token in one.enemies]  # fmt: skip
    found += [(f"{words.faction(faction.value)}: {words.told(means)}", False)
              for faction, means in zip(Faction, one.tokens, strict=True) if means]  # fmt: skip
    if not one.layout:
        for key, spaces in (("printed-start", one.start_spaces), ("printed-spaces", one.spaces)):
            found.append((words.text(key, what=", ".join(words.space(each) for each in spaces)), False))
    found += [(words.told(note), False) for note in one.setup_notes]
    if found:
        pen.column((LEFT, 3, 112, height - 68), found, 3.2)
    if one.layout:
        _layout(pen, words, one, pack)


def _power(pen: Pen, words: CardWords, one: Scenario, top: float) -> None:
    """Draw the track: a row for each faction, and above it what its letter is worth in each space."""
    spaces = len(one.track)
    side = min(12.0, 78.0 / spaces)
    for row, (faction, letter) in enumerate(zip(Faction, "XY", strict=True)):
        low = top - 19 * (row + 1) + 2
        draw_faction(pen, faction, (LEFT + 3, low + 6), 3)
        pen.fitted((LEFT + 7, low, 24, 12), words.faction(faction.value), 3.6, bold=True, lines=2)
        for nth, space in enumerate(one.track):
            x = LEFT + 33 + nth * side
            pen.box(x, low, side - 0.6, 12, fill=INKS["cream"], line=INK, corner=1)
            pen.text(x + side / 2 - 0.3, low + 2, str(nth), 5, bold=True, align="middle")
            worth = space.x if faction is Faction.STAR else space.y
            pen.text(x + side / 2 - 0.3, low + 8.4, f"{letter} {worth}", 2.4, align="middle")


def _layout(pen: Pen, words: CardWords, one: Scenario, pack: WastelandPack) -> None:
    """Draw where tiles lie: columns from the left, rows from the top, odd columns half a tile lower."""
    left, low, wide, high = 122.0, 4.0, SCENARIO[0] - 126.0, SCENARIO[1] - 8.0
    columns = max(place.column for place in one.layout) + 1
    depth = max(place.row + place.column % 2 / 2 for place in one.layout) + 1
    radius = min(wide / (1.5 * columns + 0.5), high / (sqrt(3) * depth))
    tiles = {tile.id: tile for tile in pack.tiles}
    top = low + (high + sqrt(3) * radius * depth) / 2
    for place in one.layout:
        x = left + radius * (1 + 1.5 * place.column)
        y = top - sqrt(3) * radius * (0.5 + place.row + place.column % 2 / 2)
        rim = [(x + radius * a, y + radius * b) for a, b in (lattice.on_paper(each) for each in lattice.CORNERS)]
        fill = INKS["stone"] if place.back else INKS["mint" if place.tile == one.start_tile else "cream"]
        pen.shape(rim, fill=fill, line=INK, thick=0.4)
        name = _tile_name(words, place, tiles)
        pen.fitted((x - radius * 0.86, y - radius * 0.5, radius * 1.72, radius), name, 3, align="middle", lines=3)


def _tile_name(words: CardWords, place: TilePlace, tiles: dict[str, MapTile]) -> str:
    if place.back is not None:
        return words.text(f"back-{TileBack(place.back).value}")
    tile = tiles.get(place.tile)
    return place.tile if tile is None else tile.names.get(words.language) or tile.name
