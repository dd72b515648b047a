"""Name all cards in a view: by sticker, by half a sticker that the picture confirms, and by picture alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.vision.cards.card_match_fine import FineMatch
from companion.vision.cards.placing import CardPlacement, Stickers, learn_stickers, place_tags
from companion.vision.places import Slot, slot_of

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.cards.recognise import Guess, PartialDeckCheck, Recogniser
    from companion.vision.cards.reread import Rereader, RereadTag
    from companion.vision.cards.tags import Tag
    from companion.vision.profile import CardProfile, Profile
    from companion.vision.scene.scene import Fitted, SceneBuilder

AGREED_SCORE = 0.4
HARDLY = 0.1
FINE, FINE_AGREED = 5.0, 1.0  # strength of evidence; cards that no profile knows reach 3.5, wrong ones 3


@dataclass(frozen=True, slots=True)
class StickerHint:
    """A card that half a sticker suggests; `firm` if little is missing."""

    placement: CardPlacement
    firm: bool


StickerHints = dict[str, StickerHint]
PlacedMatch = tuple[FineMatch, CardPlacement]


def names_agree(guess: Guess | None, hint: StickerHint, *, firmly: bool = False) -> bool:
    """Return whether half a sticker and the picture name the same card; `firmly` where nothing else can confirm it."""
    if guess is None or guess.placement.card != hint.placement.card:
        return False
    return guess.sure_threat if firmly else guess.score > AGREED_SCORE


def is_trusted(guess: Guess | None, hint: StickerHint) -> bool:
    """Return whether to trust a hint: the picture names the same card or, where the hint is firm, hardly another."""
    if names_agree(guess, hint):
        return True
    return hint.firm and (guess is None or guess.hinted > guess.score - HARDLY)


def contradicts(named: PlacedMatch | None, hint: StickerHint) -> bool:
    """Return whether the fine match contradicts half a sticker, whatever the coarse match says."""
    return named is not None and named[0].card != hint.placement.card and named[0].strength > FINE_AGREED


def fine_name(named: PlacedMatch | None, hint: StickerHint | None) -> CardPlacement | None:
    """Return the card that the fine match names: never against most of a sticker, more readily if both agree."""
    if named is None:
        return None
    found, placement = named
    if hint is not None and hint.placement.card == found.card:
        return hint.placement if found.strength > FINE_AGREED else None
    return placement if found.strength > FINE and (hint is None or not hint.firm) else None


LIFT_SCORE, LIFT_LEAD = 0.5, 0.015
LONE_SCORE, LONE_MARGIN, LONE_LEAD = 0.65, 0.12, 0.24  # the last over rooms: threats have .35, dark rooms .05 to .13
AS_EXPECTED, AS_PICTURED, UNLIKE = 0.5, 0.7, 0.42
ALIKE, HEADED = 0.8, 0.35  # of a threat's place, and of its sticker's: what a room that looks like the threat explains
SHADED, CLEARLY = 0.6, 0.05  # of a threat's place: what its room explains in a light of its own; more than the threat
BETTER = 0.2


@dataclass(frozen=True, slots=True)
class CardView:
    """One picture, and the same from above: in grey, in linear light, as it is, and small."""

    grey: Array
    pose: Pose
    seen: Array
    above: Array
    small: Array
    mat: Array | None = None
    """The empty mat, small too, where its picture is known."""


@dataclass(slots=True)
class CardFindings:
    """Placements, places where tags contradict each other, bare slots, and places with an unknown card."""

    placements: list[CardPlacement]
    doubted: set[str]
    bare: set[str]
    unknown: set[str]
    stickers: Stickers | None = None
    fitted: Fitted | None = None
    seen: dict[int, CardProfile] = field(default_factory=dict)
    """The cards whose stickers were seen, wherever they lie: none of them lies in another place too."""

    def taken(self, *, threats: bool) -> set[str]:
        """Return the places that have a room (or a threat) or are in doubt."""
        return {p.place for p in self.placements if (p.card.kind == "threat") == threats} | self.doubted

    def put(self, placement: CardPlacement | None, place: str) -> None:
        """Add a card, or an unknown one where it has no name."""
        if placement is None:
            self.unknown.add(place)
        else:
            self.placements.append(placement)

    def used_up(self) -> frozenset[str]:
        """Return the cards with as many stickers seen as there are copies: no copy is left to be found."""
        by_tag = self.seen | {p.sticker: p.card for p in self.placements if p.tag is not None}
        copies = {card.name: max(1, len(card.tags)) for card in by_tag.values()}
        counted = Counter(card.name for card in by_tag.values())
        return frozenset(name for name, count in counted.items() if count >= copies[name])


class CardReader:
    def __init__(
        self,
        profile: Profile,
        builder: SceneBuilder,
        recogniser: Recogniser,
        rereader: Rereader,
        closer: PartialDeckCheck,
    ) -> None:
        self._profile, self._builder, self._closer = profile, builder, closer
        self._recogniser, self._rereader = recogniser, rereader
        self._owners = profile.card_of_tag()

    def read(self, tags: list[Tag], view: CardView, outside: set[str], known: Stickers | None = None) -> CardFindings:
        """Name every card that can be named.

        `outside` are slots that the picture does not show whole, `known` is what an earlier look learned of stickers.
        """
        mine = self._builder.slots if known else None
        placements, doubted = place_tags(tags, view.pose, self._profile, within=mine)
        stickers = known or learn_stickers(placements, self._profile)
        with_stickers = known is not None or any(p.tag is not None for p in placements)
        placements = [p for p in placements if p.slot in self._builder.slots]
        left = [s for s in self._builder.slots.values() if s.name not in {p.place for p in placements} | doubted]
        cut_off = {slot.name for slot in left} & outside
        left = [slot for slot in left if slot.name not in outside]
        bare = {slot.name for slot in left if self._recogniser.is_bare(view.small, slot, view.mat)}
        doubted = {place for place in doubted if slot_of(place) in self._builder.slots}
        cards = CardFindings(placements, doubted, bare, cut_off, stickers if with_stickers else None)
        cards.seen = {tag.id: self._owners[tag.id] for tag in tags if tag.id in self._owners}
        open_slots = [slot for slot in left if slot.name not in bare]
        hints = self._reread(view, open_slots, stickers, cards) if with_stickers else {}
        self._by_picture(view, open_slots, cards, hints)
        self._align(view, cards)
        self._look_closer(view, cards)
        fitted = self._builder.fit(view.seen, cards.placements)
        self._threats(view, cards, fitted)
        self._lone_threats(view, cards, outside)
        cards.fitted = self._builder.extend(view.seen, fitted, cards.placements)
        return cards

    def _align(self, view: CardView, cards: CardFindings) -> None:
        """Align cards that no sticker located with what is seen."""
        loose = [p for p in cards.placements if p.tag is None]
        placed = [p for p in cards.placements if p.tag is not None]
        cards.placements[:] = placed + self._builder.align(view.seen, loose)

    def _look_closer(self, view: CardView, cards: CardFindings) -> None:
        """Drop names that a close comparison does not confirm, while some rooms have no picture yet."""
        if not self._closer.needed:
            return
        frame = self._builder.frame
        borne_out = [p for p in cards.placements if self._closer.bears_out(view.seen, p, frame)]
        cards.unknown |= {p.place for p in cards.placements} - {p.place for p in borne_out}
        cards.placements[:] = borne_out

    def _reread(self, view: CardView, open_slots: list[Slot], stickers: Stickers, cards: CardFindings) -> StickerHints:
        """Read stickers again that the detector missed; return hints for those that are not certain."""
        hints: StickerHints = {}
        for slot in open_slots:
            found = self._rereader.room(view.grey, view.pose, slot, stickers)
            if found is not None:
                self._take(found, view, stickers, cards, hints)
        return hints

    def _take(
        self, found: RereadTag, view: CardView, stickers: Stickers, cards: CardFindings, hints: StickerHints
    ) -> bool:
        """Add a card whose sticker was read again, or keep it as a hint; never one whose sticker was seen elsewhere."""
        used = {p.sticker for p in cards.placements} | set(cards.seen)
        fresh, _ = place_tags([found.tag], view.pose, self._profile, stickers.size)
        new = [p for p in fresh if p.sticker not in used]
        if found.sure:
            cards.placements += new
        else:
            hints.update({p.place: StickerHint(p, found.firm) for p in new})
        return found.sure and bool(new)

    def _by_picture(self, view: CardView, open_slots: list[Slot], cards: CardFindings, hints: StickerHints) -> None:
        """Name rooms by picture where no sticker did."""
        taken = cards.taken(threats=False)
        for slot in open_slots:
            if slot.name in taken:
                continue
            hidden = [p.place[-1] for p in cards.placements if p.card.kind == "threat" and p.slot == slot.name]
            hint = hints.get(slot.name)
            guess = self._recogniser.room(
                view.small,
                slot,
                hidden[0] if len(hidden) == 1 else "",
                cards.used_up(),
                hint.placement.card.name if hint else "",
            )
            clear = guess is not None and _is_sure_alone(guess, slot)
            named = None if clear else self._finely(view, slot, "", cards)
            if hint is not None and is_trusted(guess, hint) and not contradicts(named, hint):
                cards.placements.append(hint.placement)
            elif clear and guess is not None:
                cards.placements.append(guess.placement)
            else:
                cards.put(fine_name(named, hint), slot.name)

    def _finely(self, view: CardView, slot: Slot, side: str, cards: CardFindings) -> PlacedMatch | None:
        """Run the fine match where the coarse one is in doubt: a room, or the threat on a side of it."""
        if slot.is_elevator:
            return None
        threats = [] if side else [p for p in cards.placements if p.card.kind == "threat" and p.slot == slot.name]
        sticker = cards.stickers.size if cards.stickers else 0.0
        return self._recogniser.finely(view.above, slot, side, cards.used_up(), threats, sticker)

    def _threats(self, view: CardView, cards: CardFindings, fitted: Fitted) -> None:
        """Look for threats where a room's picture does not explain what is seen."""
        taken, guesses, glued, headless = cards.taken(threats=True), [], {}, set()
        enough = AS_PICTURED if cards.stickers is None else AS_EXPECTED
        for index, room in enumerate(fitted.placements):
            if room.card.kind != "room":
                continue
            slot, explained = self._builder.slots[room.slot], fitted.explained(index)
            for side in ("a", "b"):
                share = float(explained[self._builder.footprint(side)].mean())
                hidden = share < ALIKE and self._hides_sticker(explained, side, cards)
                if slot.name + side in taken or (share > enough and not hidden):
                    continue
                hints: StickerHints = {}
                if self._threat_tag(view, slot, side, cards, hints, askew=share < UNLIKE):
                    continue
                guess = self._recogniser.threat(view.small, slot, side, cards.used_up())
                hint = hints.get(slot.name + side)
                headless |= {slot.name + side} if hidden else set()
                weighable = self._builder.knows(room)
                if guess is not None and hint is not None and names_agree(guess, hint, firmly=not weighable):
                    guesses.append((guess, share))
                    glued[guess.placement.place] = hint.placement
                elif guess is not None and self._likely(guess, weighable=weighable):
                    guesses.append((guess, share))
                else:
                    doubted = share < UNLIKE or (share <= enough and guess is not None and guess.sure_threat)
                    self._put_finely(view, slot.name + side, cards, hint, asked=hidden, doubted=doubted)
        left = self._weigh(
            view, [(replace(g, placement=glued.get(g.placement.place, g.placement)), s) for g, s in guesses], cards
        )
        # Half a sticker locates badly: what does not fit there is weighed where its picture has it.
        unread = {guess.placement.place for guess, _ in left} & glued.keys()
        left = [one for one in left if one[0].placement.place not in unread]
        left += self._weigh(view, [one for one in guesses if one[0].placement.place in unread], cards)
        for guess, share in left:
            place, doubted = guess.placement.place, share < UNLIKE or share > enough
            self._put_finely(view, place, cards, None, asked=place in headless, doubted=doubted)

    def _put_finely(
        self, view: CardView, place: str, cards: CardFindings, hint: StickerHint | None, *, asked: bool, doubted: bool
    ) -> None:
        """Add the threat that the fine match names, or an unknown one where it is `doubted` that there is none."""
        if not asked and not doubted:
            return
        named = fine_name(self._finely(view, self._builder.slots[slot_of(place)], place[-1], cards), hint)
        if named is not None or doubted:
            cards.put(named, place)

    def _hides_sticker(self, explained: Array, side: str, cards: CardFindings) -> bool:
        """Return whether something hides the place where a threat has its sticker: a room may look like the rest."""
        if cards.stickers is None:
            return False
        place = explained[self._builder.sticker_of_threat(side)]
        return place.size > 0 and float(place.mean()) < HEADED

    def _likely(self, guess: Guess, *, weighable: bool) -> bool:
        """Return whether to weigh a threat against its room; if pictures are missing the match must be clear."""
        return guess.sure_threat if weighable and self._recogniser.knows_every("threat") else guess.clear_threat

    def _threat_tag(
        self, view: CardView, slot: Slot, side: str, cards: CardFindings, hints: StickerHints, *, askew: bool = False
    ) -> bool:
        if cards.stickers is None:
            return False
        found = self._rereader.threat(view.grey, view.pose, slot, side, cards.stickers, askew=askew)
        return found is not None and self._take(found, view, cards.stickers, cards, hints)

    def _weigh(
        self, view: CardView, guesses: list[tuple[Guess, float]], cards: CardFindings
    ) -> list[tuple[Guess, float]]:
        """Accept threats that explain their places clearly better than the bare room does; return the others."""
        if not guesses:
            return []
        left = []
        fitted = self._builder.fit(view.seen, [guess.placement for guess, _ in guesses])
        shaded = self._as_shaded_rooms(view, guesses, cards)
        for index, (guess, before) in enumerate(guesses):
            mine = float((fitted.expected.owner == index + 1).sum()) / self._builder.stride**2
            after = float(fitted.explained(index).sum()) / max(mine, 1.0)
            as_room = shaded.get(guess.placement.place, 0.0)
            if as_room > max(SHADED, after + CLEARLY):  # the shadow of a hand lies on the room
                continue
            if as_room <= after + CLEARLY and (after > before + BETTER or guess.clear_threat):
                cards.placements.append(guess.placement)
            else:
                left.append((guess, before))
        return left

    def _as_shaded_rooms(
        self, view: CardView, guesses: list[tuple[Guess, float]], cards: CardFindings
    ) -> dict[str, float]:
        """Return how much of each guessed place its room explains in a light of its own."""
        rooms = {p.slot: p for p in cards.placements if p.card.kind == "room" and self._builder.knows(p)}
        sides = [(guess.placement.place, rooms.get(guess.placement.slot)) for guess, _ in guesses]
        there = [(place, room) for place, room in sides if room is not None]
        shares = self._builder.explained_by_rooms(view.seen, [(room, place[-1]) for place, room in there])
        return {place: share for (place, _), share in zip(there, shares, strict=True)}

    def _lone_threats(self, view: CardView, cards: CardFindings, outside: set[str]) -> None:
        """Look for threats on rooms that have no name themselves."""
        taken = cards.taken(threats=True)
        for name in sorted(cards.unknown):
            slot = self._builder.slots.get(name)
            if slot is None or slot.is_elevator or name in outside:
                continue
            for side in ("a", "b"):
                if slot.name + side in taken:
                    continue
                hints: StickerHints = {}
                if self._threat_tag(view, slot, side, cards, hints):
                    continue
                guess = self._recogniser.threat(view.small, slot, side, cards.used_up())
                if guess is not None and self._stands_alone(guess) and self._is_no_room(view, slot, guess, cards):
                    cards.placements.append(guess.placement)

    def _stands_alone(self, guess: Guess) -> bool:
        """Return whether a threat's picture suffices where its room has no name; stricter if rivals have no picture."""
        if not self._recogniser.knows_every("threat") and not guess.clear_threat:
            return False
        return guess.score > LONE_SCORE and guess.margin > LONE_MARGIN

    def _is_no_room(self, view: CardView, slot: Slot, guess: Guess, cards: CardFindings) -> bool:
        """Return whether a threat is clearly more similar than the room that is most like this half."""
        other = "b" if guess.placement.place[-1] == "a" else "a"
        room = self._recogniser.room(view.small, slot, other, cards.used_up())
        return room is None or guess.score > room.score + LONE_LEAD


def _is_sure_alone(guess: Guess, slot: Slot) -> bool:
    """Return whether a picture alone suffices; in the middle lies an elevator, if only it is clear which one."""
    if slot.is_elevator:
        return guess.score > LIFT_SCORE and guess.margin > LIFT_LEAD
    return guess.sure or guess.sure_half
