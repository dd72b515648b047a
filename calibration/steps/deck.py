"""A deck in a minute: cards laid side by side, a few photographs, and only the doubtful ones are asked."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Final

import cv2
import numpy as np

from calibration.measuring.card_names import SAME, CardGuess, blank_share, same_card
from calibration.measuring.measures import blur_of, dazzled_share, grey_of
from calibration.measuring.papers import jpeg, titles_of
from calibration.measuring.title_reader import LEFT, SCALE, TitleReader, in_row, title_row
from calibration.steps.columns import corrected_pack, overlay_beside
from calibration.steps.enrolment import BLANK, BLURRED, GLARING, CardStep, WaitingCard
from calibration.steps.step import AMBER, GREEN, RED, Mark, Note, fault, fine, hint
from companion.cards.loader import builtin_names
from companion.vision.cards.card_grid import find_cards
from companion.vision.cards.tags import TagFinder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from calibration.measuring.title_reader import TitleGuess, TitleRow
    from companion.vision.arrays import Array
    from companion.vision.cards.card_grid import FoundCard
    from companion.vision.cards.tags import Tag
    from companion.vision.profile import Profile

TRIED: Final = 8
"""Cards whose titles tell which kind they are, where all on a photograph have one size."""
WHOLE_STICKER: Final = 0.6
"""Of the shorter side, from which on a sticker is no sticker of that card."""
AHEAD: Final = 0.2
"""How much more alike a title must be than that of another doubtful card that may have the same name."""
LARGEST: Final = 4096
"""Pixels of a photograph's longer side that are looked at."""


@dataclass(frozen=True, slots=True)
class _Named:
    found: FoundCard | None
    """Where it lies on the photograph; None for a doubtful one of an earlier photograph."""
    size: tuple[float, float]
    picture: Array
    guess: CardGuess | None


@dataclass
class DeckStep(CardStep):
    """Takes every card of a photograph, wherever it was taken: no mat and no sticker is needed."""

    pack: str = ""
    name: ClassVar[str] = "deck"
    _queue: list[WaitingCard] = field(default_factory=list)
    _left: list[Array] = field(default_factory=list)
    """Pictures that somebody left out: the same card is not asked again."""
    _answers: list[tuple[Array, str]] = field(default_factory=list)
    """Pictures that somebody has named."""
    _reader: TitleReader | None = None
    _rows: dict[tuple[float, float], TitleRow] = field(default_factory=dict)
    """The row of the titles of each size of cards, as they were read last."""

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        profile = self.file.profile()
        if not profile.cards:
            return [fault("no_cards_known")]
        if max(picture.shape[:2]) > LARGEST:
            factor = LARGEST / max(picture.shape[:2])
            picture = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
        found = find_cards(picture, [profile.card, profile.threat])
        tags = self._tags(picture, profile)
        found = [card for card in found if not any(_is_sticker(card, tag) for tag in tags)]
        if not found:
            return [fault("deck_no_cards")]
        found = self._of_their_kind(picture, found, tags, profile)
        titles = self._titles_on(picture, found, profile)
        cards = [self._name(picture, card, tags, profile, title) for card, title in zip(found, titles, strict=True)]
        poor, taken = self._keep(self._left_over(self._told_apart([*cards, *self._asked_before(cards)]), profile))
        notes = [fine("deck_seen", found=len(found), count=taken, light=self.light)]
        if poor:
            notes.append(fault("deck_poor", count=poor))
        if self.waiting is not None:
            notes.append(hint("deck_asks", left=1 + len(self._queue)))
        left = self.deck.missing(profile, self.light)
        if self.waiting is None:
            notes.append(hint("deck_left", left=len(left)) if left else fine("deck_whole", of=len(profile.cards)))
        return notes

    def _tags(self, picture: Array, profile: Profile) -> list[Tag]:
        owners = profile.card_of_tag()
        if not owners:
            return []
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        return TagFinder(profile.dictionary, tuple(owners)).find(grey, max(picture.shape[:2]))

    def _of_their_kind(
        self, picture: Array, found: list[FoundCard], tags: list[Tag], profile: Profile
    ) -> list[FoundCard]:
        """Return the cards as threats where all have one size, and their stickers or titles are threats'.

        A threat is as long for its width as a room: alone on a photograph they cannot be told apart by their outlines.
        """
        if any(card.size != profile.card for card in found):
            return found
        as_threats = [type(card)(np.roll(card.corners, -1, axis=0), profile.threat) for card in found]
        by_sticker = [profile.card_of_tag()[tag.id].kind == "threat" for tag in tags]
        if by_sticker:
            return as_threats if 2 * sum(by_sticker) > len(by_sticker) else found
        votes = 0
        for room, threat in list(zip(found, as_threats, strict=True))[:: max(1, len(found) // TRIED)]:
            ways = [self._lines(picture, card, profile) for card in (room, threat)]
            scores = [lines[0].score if lines else -99.0 for lines in ways]
            votes += int(np.sign(scores[1] - scores[0]))
        return as_threats if votes > 0 else found

    def _lines(
        self, picture: Array, card: FoundCard, profile: Profile, row: TitleRow | None = None
    ) -> list[TitleGuess]:
        is_threat = card.size == profile.threat
        kinds = {one.name for one in profile.cards.values() if (one.kind == "threat") == is_threat}
        return self.reader.read(card.straightened(picture, SCALE), kinds, row)

    def _titles_on(self, picture: Array, found: list[FoundCard], profile: Profile) -> list[CardGuess | None]:
        """Read the title of every card of a photograph, in the row where the titles of its kind stand."""
        read = [self._lines(picture, card, profile) for card in found]
        for size in {card.size for card in found}:
            row = title_row(lines for card, lines in zip(found, read, strict=True) if card.size == size)
            if row is not None:
                self._rows[size] = row
        titles = []
        for card, lines in zip(found, read, strict=True):
            row = self._rows.get(card.size)
            title = (lines[0] if lines else None) if row is None else in_row(lines, row)
            if row is not None and (title is None or not title.sure):
                title = in_row([*self._lines(picture, card, profile, row), *lines], row)
            titles.append(title)
        return [
            None
            if title is None
            else CardGuess(
                title.card, "title", title.sure, (title.card, *title.others), title.head_down, title.score, title
            )
            for title in titles
        ]

    def _name(
        self, picture: Array, card: FoundCard, tags: list[Tag], profile: Profile, title: CardGuess | None
    ) -> _Named:
        """Name a card by its sticker, by pictures that are known already, or by its title."""
        straight = card.straightened(picture)
        mine = [tag for tag in tags if card.holds(tag.centre)]
        guess = self.namer.by_sticker(tag.id for tag in mine)
        if guess is not None:
            up = mine[0].corners[:2].sum(axis=0) - mine[0].corners[2:].sum(axis=0)
            own = card.corners[:2].sum(axis=0) - card.corners[2:].sum(axis=0)
            if float(up @ own) < 0:
                straight = np.ascontiguousarray(straight[::-1, ::-1])
            return _Named(card, card.size, straight, guess)
        for way in (straight, np.ascontiguousarray(straight[::-1, ::-1])):  # it may have been kept head up
            told = next((name for shown, name in self._answers if same_card(way, shown)), None)
            if told is not None:
                return _Named(card, card.size, way, CardGuess(told, "you", sure=True))
        guess, pictured = title, self.namer.by_picture(straight, card.size)
        if pictured is not None and pictured.sure and (guess is None or not guess.sure):
            # While pictures are missing a card looks like another of its style: then only the very same picture counts.
            is_known = not self._any_missing(profile) or pictured.score > SAME
            guess = pictured if is_known else guess
        if guess is not None and guess.head_down:
            straight = np.ascontiguousarray(straight[::-1, ::-1])
        return _Named(card, card.size, straight, guess)

    def _asked_before(self, cards: list[_Named]) -> list[_Named]:
        """Return the doubtful cards of earlier photographs that are not on this one: they have fewer rivals by now."""
        waiting = [*([self.waiting] if self.waiting is not None else []), *self._queue]
        return [
            _Named(None, one.size, one.picture, self._in_row(one.name, one.size))
            for one in waiting
            if not any(same_card(one.picture, card.picture) for card in cards)
        ]

    def _in_row(self, guess: CardGuess | None, size: tuple[float, float]) -> CardGuess | None:
        """Return a title's guess where the row of the titles has become known."""
        if guess is None or guess.title is None or size not in self._rows:
            return guess
        title = in_row([guess.title], self._rows[size])
        return guess if title is None else replace(guess, sure=title.sure, title=title)

    def _left_over(self, named: list[_Named], profile: Profile) -> list[_Named]:
        """Name the doubtful ones whose rivals are other cards of this deck, or were taken before in this light."""
        enrolled = set(profile.cards) - set(self.deck.missing(profile, self.light))
        while True:
            taken = enrolled | {one.guess.card for one in named if one.guess is not None and one.guess.sure}
            left = {id(one): _left_of(one.guess, taken) for one in named if one.guess is not None}
            clear = {key: guess for key, guess in left.items() if guess is not None and guess.sure}
            clear = {key: guess for key, guess in clear.items() if not _is_claimed(guess, left.values())}
            if not clear:
                return named
            named = [replace(one, guess=clear.get(id(one), one.guess)) for one in named]

    @staticmethod
    def _told_apart(named: list[_Named]) -> list[_Named]:
        """Ask for cards that have one name and do not look alike: one of them was read wrongly."""
        unsure: set[int] = set()
        for index, one in enumerate(named):
            for other in named[:index]:
                if one.guess is None or other.guess is None or not (one.guess.sure and other.guess.sure):
                    continue
                if one.guess.card == other.guess.card and not same_card(one.picture, other.picture):
                    unsure |= {id(card) for card in (one, other) if card.guess and card.guess.by != "sticker"}
        return [
            replace(one, guess=one.guess.doubted()) if id(one) in unsure and one.guess is not None else one
            for one in named
        ]

    def _keep(self, named: list[_Named]) -> tuple[int, int]:
        """Keep the cards that have a name and are seen well; return how many are seen badly, and how many were kept."""
        poor, taken = 0, set[str]()
        self._queue, self.waiting = [], None
        for one in named:
            if _is_poor(one.picture):
                poor += 1
                self._mark(one, RED, "?")
            elif one.guess is not None and one.guess.sure:
                if one.guess.card not in taken:
                    self.deck.put(one.guess.card, self.light, one.picture)
                taken.add(one.guess.card)
                self.last = one.guess.card
                self._mark(one, GREEN, one.guess.card)
            elif not any(same_card(one.picture, other) for other in self._left):
                self._queue.append(WaitingCard(one.picture, one.size, one.guess))
                self._mark(one, AMBER, "?")
        self._namer = None
        self._taught.extend(taken)
        self._next()
        return poor, len(taken)

    def _mark(self, one: _Named, colour: tuple[int, int, int], label: str) -> None:
        if one.found is not None:
            self.marks.append(Mark(one.found.corners, colour, label))

    def _next(self) -> None:
        if self.waiting is None and self._queue:
            self.waiting = self._queue.pop(0)

    def act(self, action: str, fields: Mapping[str, str]) -> None:
        """Name the card that waits, or leave it; then the next doubtful one waits."""
        if action == "leave" and self.waiting is not None:
            self._left.append(self.waiting.picture)
        shown = self.waiting
        super().act(action, fields)
        if action == "name" and shown is not None:
            self._answers.append((shown.picture, self.last))
        self._next()
        if action in {"name", "leave"} and self.waiting is not None:
            self.notes = [*self.notes, hint("deck_asks", left=1 + len(self._queue))]

    def _any_missing(self, profile: Profile) -> bool:
        return any(not self.deck.lights(name) for name in profile.cards)

    @property
    def reader(self) -> TitleReader:
        """What reads the titles of the pack's cards."""
        if self._reader is None:
            known = set(self.file.profile().cards)
            self._reader = TitleReader({card: names for card, names in self._titles().items() if card in known})
        return self._reader

    def _titles(self) -> dict[str, list[str]]:
        """Return the titles that the cards may have; the pack is the one that most of the profile's cards are of."""
        known = set(self.file.profile().cards)
        best: dict[str, list[str]] = {}
        for pack in dict.fromkeys((*([self.pack] if self.pack else []), *builtin_names())):
            titles = titles_of(corrected_pack(pack, overlay_beside(pack, self.file.folder)))
            if len(known & titles.keys()) > len(known & best.keys()):
                best = titles
        return best

    def details(self) -> dict[str, object]:
        """Return what the step of cards returns, with the picture of the card that waits and how many do."""
        shown = "" if self.waiting is None else b64encode(jpeg(self.waiting.picture)).decode()
        return {**super().details(), "picture": shown, "queue": len(self._queue)}


def _left_of(guess: CardGuess, taken: set[str]) -> CardGuess | None:
    """Return what a doubtful title says among the cards that are not taken."""
    if guess.sure or guess.title is None:
        return None
    title = guess.title.without(taken)
    if title is None:
        return None
    sure = title.sure and title.score > LEFT
    return replace(
        guess, card=title.card, sure=sure, offered=(title.card, *title.others), score=title.score, title=title
    )


def _is_claimed(guess: CardGuess, others: Iterable[CardGuess | None]) -> bool:
    """Return whether another doubtful card may be this one nearly as well."""
    return any(
        other is not None and other is not guess and other.card == guess.card and other.score > guess.score - AHEAD
        for other in others
    )


def _is_sticker(card: FoundCard, tag: Tag) -> bool:
    """Return whether what was found is a sticker on a card, not the card."""
    first, second, third = card.corners[:3]
    side = min(float(np.linalg.norm(second - first)), float(np.linalg.norm(third - second)))
    return card.holds(tag.centre) and float(np.linalg.norm(tag.corners[1] - tag.corners[0])) > WHOLE_STICKER * side


def _is_poor(card: Array) -> bool:
    """Return whether a card is seen too badly to be known by: blurred, in glare, or showing nothing."""
    blur = blur_of([grey_of(card)])
    return (blur is not None and blur > 2 * BLURRED) or dazzled_share(card) > GLARING or blank_share(card) > BLANK
