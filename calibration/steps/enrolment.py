"""Cards: enrol a deck card by card. Lay one down, it is taken when it lies still; then the next."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from calibration.measuring.card_names import CardGuess, CardNamer, LyingCards, blank_share, same_card
from calibration.measuring.measures import Located, Locator, blur_of, dazzled_share, grey_of
from calibration.measuring.outline import Outline, crop, find_outline, turned, window
from calibration.profiles import LIGHTS, EnrolledDeck
from calibration.steps.aim import lens_seen
from calibration.steps.step import AMBER, GREEN, CalibrationStep, Mark, Note, StepError, StepPace, fault, fine, hint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.pieces.sheets.printed_profile import ProfileJson
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.profile import Profile

PLACE: Final = (0.0, 0.0)
"""Where cards are laid to be taken: the middle of the mat."""
BLURRED: Final = 2.4
GLARING: Final = 0.12  # of a card's picture
BLANK: Final = 0.5  # of a card's picture that shows nothing of it: a lamp or a window is mirrored there
SOME: Final = 4  # cards that a note names
ON_MAT: Final = 3  # cards with stickers on the mat from which on they are taken where they lie


@dataclass
class WaitingCard:
    """A card that was taken and has no name yet."""

    picture: Array
    size: tuple[float, float]
    name: CardGuess | None


@dataclass
class CardStep(CalibrationStep):
    """Takes pictures of cards and keeps each at once: it can be left and resumed at any card."""

    light: str = LIGHTS[0]
    waiting: WaitingCard | None = None
    last: str = ""
    name: ClassVar[str] = "cards"
    pace: ClassVar[StepPace] = StepPace.NEW
    saves_itself: ClassVar[bool] = True
    _empty: Array | None = None
    _taken: Array | None = None
    _namer: CardNamer | None = None
    _lying: LyingCards = field(default_factory=LyingCards)
    _taught: list[str] = field(default_factory=list)

    def _see(self, picture: Array, label: str) -> list[Note]:
        profile = self.file.profile()
        if not profile.cards:
            return [fault("no_cards_known")]
        located = Locator(profile).locate(picture)
        if located.other_lens is not None:
            return [fault("lens_differs", **lens_seen(located, profile))]
        if located.pose is None:
            return [fault("no_table", seen=len(located.tags), of=len(profile.mat_tags))]
        stickers = located.seen(profile.card_of_tag())
        if len(stickers) >= ON_MAT:
            return self._whole_table(picture, located, located.pose, profile)
        patch = window(picture, located.pose, PLACE)
        if patch is None:
            return [fault("place_cut_off")]
        outline = find_outline(patch, self._empty, PLACE, [profile.threat, profile.card])
        if outline is None:
            return self._nothing(patch, profile)
        return self._card(picture, outline, located, located.pose, label)

    def _nothing(self, patch: Array, profile: Profile) -> list[Note]:
        """Return the notes for an empty place, or for something there that is no card."""
        if blur_of([grey_of(patch)[40:-40, 40:-40]]) is None:
            self._empty, self._taken = patch, None
        return [hint("lay_a_card", left=len(self.deck.missing(profile, self.light)), light=self.light)]

    def _card(self, picture: Array, outline: Outline, located: Located, pose: Pose, label: str) -> list[Note]:
        corners = outline.pixels(pose)
        self.marks = [Mark(corners, AMBER)]
        mine = [tag for tag in located.tags if _within(pose.ground(tag.centre[None])[0], outline)]
        outline = turned(outline, pose.ground(mine[0].corners) if mine else None)
        taken = crop(picture, pose, outline)
        low, high = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
        blur = blur_of([grey_of(picture)[low[1] : high[1], low[0] : high[0]]])
        if taken is None:
            return [fault("place_cut_off")]
        if blur is not None and blur > BLURRED:
            return [fault("card_blurred", px=round(blur, 1))]
        if self._taken is not None and same_card(taken, self._taken):
            return [hint("next_card", card=self.last)] if self.waiting is None else [hint("which_card")]
        glare = dazzled_share(taken)
        if glare > GLARING:
            return [fault("card_glares", percent=round(100 * glare))]
        blank = blank_share(taken)
        if blank > BLANK:
            return [fault("card_blank", percent=round(100 * blank))]
        self._taken = taken
        name = self.namer.by_sticker(tag.id for tag in mine) or self.namer.by_file(label)
        name = name or self.namer.by_picture(taken, outline.size)
        if name is not None and name.head_down:
            taken = np.ascontiguousarray(taken[::-1, ::-1])
        if name is None or not name.sure:
            self.waiting = WaitingCard(taken, outline.size, name)
            return [hint("which_card")]
        self._teach(name.card, taken)
        self.marks = [Mark(corners, GREEN, name.card)]
        return [fine("card_taken", card=name.card, by=name.by, light=self.light)]

    def _whole_table(self, picture: Array, located: Located, pose: Pose, profile: Profile) -> list[Note]:
        """Take cards with stickers where they lie on the mat, once two pictures of each agree."""
        wanted = set(self.deck.missing(profile, self.light))
        settled = self._lying.see(picture, located, pose, profile, wanted)
        blank = sorted(card for card, taken in settled.items() if blank_share(taken) > BLANK)
        for card, taken in settled.items():
            if card not in blank:
                self._teach(card, taken)
        taken_now = len(settled) - len(blank)
        notes = [fine("cards_taken", count=taken_now, light=self.light)] if taken_now else []
        if blank:
            notes.append(fault("cards_blank", count=len(blank), some=", ".join(blank[:SOME])))
        if self._lying.open:
            notes.append(hint("cards_once", count=self._lying.open))
        return notes or [hint("nothing_new")]

    def _teach(self, card: str, picture: Array) -> None:
        self.deck.put(card, self.light, picture)
        self.last, self.waiting, self._namer = card, None, None
        self._taught.append(card)

    @property
    def deck(self) -> EnrolledDeck:
        """The pictures so far."""
        return EnrolledDeck(self.file)

    @property
    def namer(self) -> CardNamer:
        """What names cards by the pictures so far."""
        if self._namer is None:
            self._namer = CardNamer(self.file.profile())
        return self._namer

    @property
    def progress(self) -> tuple[int, int]:
        """Cards with a picture in this light, of all."""
        profile = self.file.profile()
        return (len(profile.cards) - len(self.deck.missing(profile, self.light)), len(profile.cards))

    def patch(self) -> ProfileJson:
        """Return an empty patch: every card was kept at once."""
        return {}

    def act(self, action: str, fields: Mapping[str, str]) -> None:
        """Name the card that waits, leave it, take a card again, or go on in another light."""
        if action == "name" and self.waiting is not None:
            self._teach(fields.get("card", ""), self.waiting.picture)
            self.notes = [fine("card_taken", card=self.last, by="you", light=self.light)]
        elif action == "leave":
            self.waiting = None
        elif action == "again":
            self.deck.forget(fields.get("card", ""))
            self._taken, self._namer = None, None
        elif action == "light" and fields.get("light") in LIGHTS:
            self.light, self._taken, self._empty = fields["light"], None, None
        else:
            raise StepError(fault("no_such_action", action=action[:40]))

    def likely(self) -> list[str]:
        """Return what the card that waits may be by its picture, the likeliest first."""
        return [] if self.waiting is None or self.waiting.name is None else list(self.waiting.name.offered)

    def fitting(self) -> list[str]:
        """Return the cards of the size of the one that waits, those without a picture in this light first."""
        if self.waiting is None:
            return []
        profile = self.file.profile()
        names = [card.name for card in profile.cards.values() if self._fits(card.kind, profile)]
        return sorted(names, key=lambda card: (self.light in self.deck.lights(card), card))

    def details(self) -> dict[str, object]:
        """Return the light, what waits for a name, and which cards are done in which light."""
        profile = self.file.profile()
        cards = [{"id": c.name, "kind": c.kind, "lights": self.deck.lights(c.name)} for c in profile.cards.values()]
        return {
            "light": self.light,
            "lights": {light: len(cards) - len(self.deck.missing(profile, light)) for light in LIGHTS},
            "cards": cards,
            "waiting": self.waiting is not None,
            "likely": self.likely(),
            "fitting": self.fitting(),
            "last": self.last,
        }

    def _fits(self, kind: str, profile: Profile) -> bool:
        return self.waiting is not None and (kind == "threat") == (self.waiting.size == profile.threat)


def _within(spot: Array, outline: Outline) -> bool:
    """Return whether a point of the table (mm) lies on a card."""
    across, along = outline.corners[1] - outline.corners[0], outline.corners[3] - outline.corners[0]
    off = spot - outline.corners[0]
    u, v = float(off @ across / (across @ across)), float(off @ along / (along @ along))
    return 0 < u < 1 and 0 < v < 1
