"""Cards of a wasteland pack on paper: items, companions, perks, agendas, quests and encounters, with their words."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import in_words
from companion.cards.wasteland.types import Agenda, Encounter, Perk, QuestCard, WastelandCard
from companion.cards.wasteland.words import EncounterIcon, Faction
from companion.languages import catalogues
from companion.pieces.drawing.pen import INK, INKS, PAPER
from companion.pieces.drawing.signs import PrintedWords
from companion.pieces.kinds.deck import draw_tag, side_with_quiet
from companion.pieces.kinds.mat import CARD_TAG

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards.wasteland.types import WastelandPack
    from companion.pieces.drawing.pen import Pen

StoryCard = WastelandCard | Perk | Agenda | QuestCard | Encounter
CARD: Final = (62.0, 80.0)
"""Nine of them on a sheet of either paper."""
LEFT: Final = 3.0
BAND: Final = 6.5
"""The strip at the top that says which deck the card is of."""
FREE: Final = side_with_quiet(CARD_TAG) + 1.0
"""What the tag takes of a card's upper right corner, below the strip."""
FOOT: Final = 8.0
TEXT: Final = 3.0
BANDS: Final = {
    "loot": "straw",
    "asset": "sky",
    "unique": "lilac",
    "character": "rose",
    "perk": "mint",
    "agenda": "coral",
    "quest": "cream",
    EncounterIcon.SETTLEMENT.value: "teal",
    EncounterIcon.WASTELAND.value: "plum",
    EncounterIcon.VAULT84.value: "night",
    EncounterIcon.VAULT109.value: "night",
}
"""Each deck has its own colour: cards of one back are sorted at a glance."""
DARK: Final = ("night", "plum", "teal")
"""Strips on which letters are light."""
OVER: Final = 2.0
"""Millimetres that a back is drawn beyond its card: a sheet cuts it off halfway to the next."""
RINGS: Final = 2
Lines = list[tuple[str, bool]]


class CardWords:
    """The words and names of a pack's pieces in one language; what is not translated stands as it was typed in."""

    def __init__(self, pack: WastelandPack, language: str) -> None:
        texts = PrintedWords.of(language, {}).texts
        self.printed = PrintedWords(language, {**texts, "what-tokens": texts["what-wasteland-tokens"]}, {})
        self.language = language
        self._told = catalogues.card_texts(language, in_words.CATALOGUE)
        piles = (pack.agendas, pack.enemies, pack.cards, pack.perks, pack.encounters, pack.characters)
        self._names = {one.id: one.name for pile in piles for one in pile}
        self._spaces = {space.id: (tile, space) for tile in pack.tiles for space in tile.spaces}
        factions = {one.factions for one in pack.scenarios}
        self._factions = next(iter(factions)) if len(factions) == 1 else ("", "")

    def text(self, key: str, **fields: object) -> str:
        return self.printed.say(key, **fields)

    def count(self, key: str, number: int) -> str:
        return self.printed.count(key, number)

    def told(self, text: str) -> str:
        return self._told.get(text, text)

    def of(self, thing: str | None) -> str:
        return self.told(self._names.get(thing or "", "")) or (thing or "").replace("-", " ")

    def faction(self, faction: str) -> str:
        """Return the name that a faction has in every scenario; else its mark in words: the letters have no star."""
        named = self._factions[list(Faction).index(Faction(faction))]
        return self.told(named) or self.text(f"printed-{faction}")

    def kind(self, kind: str) -> str:
        return self.faction(kind) if kind in list(Faction) else self.text(f"wtype_{kind.replace('-', '_')}")

    def space(self, name: str | None) -> str:
        """Return a space by its own name, or by its tile and its number there."""
        if name not in self._spaces:
            return (name or "").replace("-", " ").capitalize()
        tile, space = self._spaces[name]
        own = space.names.get(self.language) or space.name
        return own or f"{tile.names.get(self.language) or tile.name} {tile.spaces.index(space) + 1}"

    def deck_name(self, deck: str) -> str:
        """Return what stands on the back of a deck."""
        places = [one.value for one in EncounterIcon]
        return self.text(f"wopt_{deck}") if deck in places else self.text(f"printed-deck-{deck}")

    def deck(self, card: StoryCard) -> tuple[str, str]:
        """Return which deck a card is of, and what stands on its strip."""
        match card:
            case WastelandCard():
                kind = self.text(f"wkind_{card.kind.value}")
                return card.deck.value, f"{self.text(f'printed-deck-{card.deck.value}')} · {kind}"
            case Perk():
                return "perk", self.text("printed-deck-perk")
            case Agenda():
                return "agenda", self.text("printed-deck-agenda")
            case QuestCard():
                return "quest", self.text("printed-deck-quest")
            case Encounter():
                return card.back.value, self.text(f"wopt_{card.back.value}")

    def lines(self, card: StoryCard) -> Lines:
        """Return what stands on a card below its name, paragraph by paragraph, and which are set in bold."""
        match card:
            case WastelandCard():
                return self._of_item(card)
            case Perk():
                when = [(self.text("printed-in-action"), False)] if card.inside_action else []
                return [(in_words.results(self, self, card.effects), False), *when]
            case Agenda():
                return self._of_agenda(card)
            case QuestCard():
                return self._of_quest(card)
            case Encounter():
                return self._of_encounter(card)

    def _of_item(self, card: WastelandCard) -> Lines:
        found = [self.text("wability_ranged")] if card.ranged else []
        found += [self.text("warmor", n=card.armor)] if card.armor else []
        found += [in_words.ability(self, self, each) for each in card.abilities]
        found += [in_words.results(self, self, card.effects)] if card.effects else []
        if card.recruit_if is not None:
            found.append(self.text("wrecruit_if", what=in_words.condition(self, self, card.recruit_if)))
        if card.stay_if is not None:
            found.append(self.text("wstays_if", what=in_words.condition(self, self, card.stay_if)))
        if card.unexhaust_price is not None:
            found.append(self.text("printed-unexhaust", caps=self.count("wcaps", card.unexhaust_price)))
        return [(line, False) for line in (*found, *self._noted(card.note))]

    def _of_agenda(self, card: Agenda) -> Lines:
        mark = [(self.faction(card.faction.value), True)] if card.faction else []
        bonuses = [(in_words.bonus(self, self, line), False) for line in card.bonuses]
        acts = (
            (self.text("printed-activates"), True),
            (", ".join(self.kind(one.value) for one in card.activates), False),
        )
        few = [(self.text("printed-players", n=card.min_players), False)] if card.min_players > 1 else []
        return [
            *mark,
            (f"+{card.base}", True),
            *bonuses,
            *acts,
            *few,
            *((one, False) for one in self._noted(card.note)),
        ]

    def _of_quest(self, card: QuestCard) -> Lines:
        found: Lines = [(line, False) for line in self._noted(card.note)]
        if card.on_stage:
            staged = in_words.results(self, self, card.on_stage)
            found.append((self.text("printed-on-stage", what=staged), True))
        return found + [(f"• {in_words.objective(self, self, one)}", False) for one in card.objectives]

    def _of_encounter(self, card: Encounter) -> Lines:
        found: Lines = [(line, False) for line in self._noted(card.note)]
        for arrow in card.options:
            takes = in_words.option(self, self, arrow)
            found.append((f"• {self.told(arrow.text)}" if arrow.text else f"• {takes}", True))
            said = [takes] if arrow.text else []
            found.append((". ".join([*said, *in_words.follows(self, self, arrow)]), False))
        return found

    def _noted(self, note: str) -> list[str]:
        return [self.told(note)] if note else []


def draw_wasteland_card(pen: Pen, words: CardWords, card: StoryCard, tag: int) -> None:
    """Draw a card: its deck's strip, its name, its number or letters, its tag, its words, and what it costs."""
    width, height = CARD
    deck, strip = words.deck(card)
    pen.box(0, 0, width, height, fill=PAPER, line=INK, corner=2.5)
    pen.box(0.15, height - BAND, width - 0.3, BAND - 0.15, fill=INKS[BANDS[deck]], corner=2.3)
    colour = PAPER if BANDS[deck] in DARK else INK
    pen.fitted((LEFT, height - BAND, width - 2 * LEFT, BAND), strip, 3.2, bold=True, colour=colour)
    top = height - BAND - FREE
    draw_tag(pen, tag, (width - FREE / 2, height - BAND - FREE / 2), CARD_TAG)
    number = _number(card)
    pen.fitted((LEFT, top + 6, width - FREE - LEFT - 1, FREE - 7), words.told(card.name), 5, bold=True, lines=3)
    if number:
        pen.fitted((LEFT, top, width - FREE - LEFT - 1, 6), number, 5, bold=True)
    foot = _foot(words, card)
    low = LEFT + (FOOT if foot else 0.0)
    pen.line([(LEFT, top - 1), (width - LEFT, top - 1)], INKS["stone"], 0.3)
    paragraphs = words.lines(card)
    if paragraphs:
        pen.column((LEFT, low, width - 2 * LEFT, top - 2.5 - low), paragraphs, TEXT)
    if foot:
        pen.line([(LEFT, FOOT + 1.5), (width - LEFT, FOOT + 1.5)], INKS["stone"], 0.3)
        pen.fitted((LEFT, 2, width - 2 * LEFT, FOOT - 2), foot, 3.2, bold=True)


def draw_card_back(pen: Pen, words: CardWords, deck: str) -> None:
    """Draw what all cards of a deck show when they lie facedown: the same whichever way a card is turned."""
    width, height = CARD
    ink = BANDS[deck]
    pen.box(-OVER, -OVER, width + 2 * OVER, height + 2 * OVER, fill=INKS[ink])
    colour = PAPER if ink in DARK else INK
    for step in range(1, RINGS + 1):
        gap = 3.0 + 2.2 * step
        pen.box(gap, gap, width - 2 * gap, height - 2 * gap, line=colour, thick=0.25, corner=2.5)
    middle, rays = (width / 2, height / 2), 2 * (1 + list(BANDS).index(deck))
    for ray in range(rays):
        angle = 2 * pi * ray / rays
        far = (middle[0] + 17 * cos(angle), middle[1] + 17 * sin(angle))
        pen.line([middle, far], colour, 0.6)
        pen.disc(*far, 1.6, fill=INKS[ink], line=colour, thick=0.5)
    pen.disc(*middle, 8.5, fill=INKS[ink], line=colour, thick=0.8)
    for x, y, turn in ((0.0, 0.0, 0.0), (width, height, 180.0)):
        with pen.at(x, y, turn=turn):
            pen.fitted((12, 11.5, width - 24, 6), words.deck_name(deck), 4, align="middle", bold=True, colour=colour)


def _number(card: StoryCard) -> str:
    match card:
        case QuestCard():
            return str(card.number)
        case Encounter():
            return str(card.number or "")
        case WastelandCard() | Perk():
            return " ".join(card.letters)
        case _:
            return ""


def _foot(words: CardWords, card: StoryCard) -> str:
    """Return what a card costs, and what it is sold for."""
    if not isinstance(card, WastelandCard):
        return ""
    cost = [words.text("printed-cost", caps=words.count("wcaps", card.cost))] if card.cost is not None else []
    value = [words.text("printed-value", caps=words.count("wcaps", card.value))] if card.value is not None else []
    return " · ".join([*cost, *value])


def wasteland_deck(pack: WastelandPack) -> Sequence[tuple[str, str, StoryCard, int]]:
    """Return every card of a pack by its id and kind, with how many there are of it."""
    piles: tuple[tuple[str, Sequence[StoryCard]], ...] = (
        ("card", pack.cards),
        ("perk", pack.perks),
        ("agenda", pack.agendas),
        ("quest", pack.quests),
        ("encounter", pack.encounters),
    )
    return [
        (f"quest-{card.number}" if isinstance(card, QuestCard) else card.id, kind, card, getattr(card, "count", 1))
        for kind, pile in piles
        for card in pile
    ]
