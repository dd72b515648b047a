"""A position: everything that lies on the table in a game of Fallout Shelter, the house rules it is played by."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from companion.games.shelter import readings
from companion.games.shelter.cards.hand import Hand
from companion.games.shelter.words import COLOURS, NOBODY
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.evenings.house_calls import HouseCall
    from companion.games.shelter.board.vault import (
        GameResult,
        OngoingPlacement,
        PendingShelterChoice,
        Spawned,
        Standing,
        Vault,
    )
    from companion.games.shelter.cards.box import Contents
    from companion.games.shelter.events import Event
    from companion.games.shelter.together.aims import Together


FIELDS: Final = (
    "after", "arriving", "box", "call", "cubes", "decks", "discards", "events", "first", "hands", "happiness", "hurt",
    "last_round", "letters", "levels", "names", "next_choice", "owners", "passed", "pending", "phase",
    "placed", "placement", "plain", "priced", "prices", "real_decks", "result", "rolls", "round", "rules", "seats",
    "shuffles",
    "spawned", "taken", "together", "tools", "tracks", "trained", "turn", "unknown", "vault",
)  # fmt: skip


class ShelterPosition:
    """Everything that lies on the table, whose turn it is, and the open choices."""

    __slots__ = FIELDS

    box: Contents
    rules: HouseRules
    real_decks: bool
    seats: tuple[int, ...]  # clockwise
    owners: tuple[int, ...]  # by level, NOBODY for the top one
    after: tuple[int, ...]  # who sits next, by colour
    levels: tuple[int, ...]  # whose is where, by colour
    round: int
    phase: int
    turn: int
    first: int
    last_round: bool
    cubes: list[int]
    happiness: list[int]
    plain: list[int]  # available dwellers: plain,
    hurt: list[int]  # ... injured,
    trained: list[int]  # ... and trained, as a mask of kinds
    arriving: list[tuple[int, ...]]
    hands: list[Hand]
    tools: int  # colours that hold a ready item for any time
    passed: int
    vault: Vault
    taken: int
    placed: dict[int, Standing]
    tracks: list[tuple[int, ...]]
    priced: tuple[int, ...]  # see paying.states_that_pay
    prices: int
    decks: list[list[int]]
    discards: list[list[int]]
    unknown: list[int]
    names: dict[str, str]  # that a correction has given, by colour
    pending: list[PendingShelterChoice]
    next_choice: int
    placement: OngoingPlacement | None
    letters: tuple[tuple[int, bool], ...]
    spawned: tuple[Spawned, ...]
    rolls: int
    shuffles: int
    result: GameResult | None
    together: Together | None
    """Co-operative play (U); None where everybody plays for themselves."""
    call: HouseCall | None
    """The house call of the evening (W), if there is one."""
    events: list[Event]

    def __init__(self, box: Contents) -> None:
        self.box = box

    def lay_out(self, seats: tuple[int, ...], owners: tuple[int, ...], vault: Vault) -> None:
        """Reset to an empty table: nothing dealt, nobody's turn."""
        self.real_decks = False
        self.seats = seats
        self.owners = owners
        self.after = _clockwise(seats)
        self.levels = tuple(owners.index(colour) if colour in owners else 0 for colour in range(len(COLOURS)))
        self.round = 1
        self.phase = 0
        self.turn = NOBODY
        self.first = seats[0]
        self.last_round = False
        self.cubes = [0] * (3 * len(COLOURS))
        self.happiness = [0] * len(COLOURS)
        self.plain = [0] * len(COLOURS)
        self.hurt = [0] * len(COLOURS)
        self.trained = [0] * len(COLOURS)
        self.arriving = [()] * len(COLOURS)
        self.hands = [Hand(self.box, ())] * len(COLOURS)
        self.tools = 0
        self.passed = 0
        self.vault = vault
        self.taken = 0
        self.placed = {}
        self.tracks = [(), ()]
        self.priced = ()
        self.prices = 0
        self.decks = [[], [], []]
        self.discards = [[], [], []]
        self.unknown = [0, 0, 0]
        self.names = {}
        self.pending = []
        self.next_choice = 1
        self.placement = None
        self.letters = ()
        self.spawned = ()
        self.rolls = 0
        self.shuffles = 0
        self.result = None
        self.together = None
        self.call = None
        self.events = []

    def copy_to(self, twin: ShelterPosition) -> None:
        """Copy everything to another position, and share nothing that changes."""
        twin.rules, twin.real_decks = self.rules, self.real_decks
        twin.seats, twin.owners, twin.after = self.seats, self.owners, self.after
        twin.levels, twin.tools = self.levels, self.tools
        twin.round, twin.phase, twin.turn, twin.first = self.round, self.phase, self.turn, self.first
        twin.last_round, twin.passed = self.last_round, self.passed
        twin.cubes, twin.happiness = self.cubes.copy(), self.happiness.copy()
        twin.plain, twin.hurt, twin.trained = self.plain.copy(), self.hurt.copy(), self.trained.copy()
        twin.arriving, twin.hands = self.arriving.copy(), self.hands.copy()
        twin.vault, twin.taken, twin.placed = self.vault, self.taken, self.placed.copy()
        twin.tracks, twin.priced, twin.prices = self.tracks.copy(), self.priced, self.prices
        items_deck, rooms_deck, threats_deck = self.decks
        twin.decks = [items_deck.copy(), rooms_deck.copy(), threats_deck.copy()]
        items_gone, rooms_gone, threats_gone = self.discards
        twin.discards = [items_gone.copy(), rooms_gone.copy(), threats_gone.copy()]
        twin.unknown, twin.names = self.unknown.copy(), self.names
        twin.pending, twin.next_choice = self.pending.copy(), self.next_choice
        twin.placement = None if self.placement is None else self.placement.copy()
        twin.letters, twin.spawned, twin.result = self.letters, self.spawned, self.result
        twin.together, twin.call = self.together, self.call
        twin.rolls, twin.shuffles, twin.events = self.rolls, self.shuffles, []

    def copy(self) -> ShelterPosition:
        twin = ShelterPosition(self.box)
        self.copy_to(twin)
        return twin

    def copy_from(self, other: ShelterPosition) -> None:
        for name in FIELDS:
            setattr(self, name, getattr(other, name))


def _clockwise(seats: tuple[int, ...]) -> tuple[int, ...]:
    """Return for every colour the one that sits next to it, clockwise."""
    after = [NOBODY] * len(COLOURS)
    for place, colour in enumerate(seats):
        after[colour] = seats[(place + 1) % len(seats)]
    return tuple(after)


@dataclass(eq=False)
class HouseRules:
    """One field an option; its clause, group and books are in `readings`, its words are `rule_<name>` of the pages."""

    income_automatic: bool = False
    """Income is always taken, and never asked."""
    build_always_paid: bool = False
    """Every build is paid for, those that a card gives as well."""
    income_per_dweller: bool = False
    """Two dwellers on a linked space bring their host income twice."""
    happiness_limited: bool = False
    """Happiness ends with the tokens of the box."""
    linked_loss_injures_one: bool = False
    """A fight that two dwellers lose injures one of them."""
    income_late: bool = False
    """Income may be answered until the recall, and lapses there."""
    second_room_free: bool = False
    """The pay icon pays for one room; a second one of the same placement costs nothing."""
    new_room_next_round: bool = False
    """A new room's spaces can be used from the next round on."""
    healed_leaves_threat: bool = False
    """A dweller injured on a threat does not defeat it, though it is healed before the recall."""
    one_unhurt_defeats: bool = False
    """One uninjured dweller of two is enough to defeat a threat."""
    fight_for_each_reward: bool = False
    """A doubled fight is rolled once for each reward."""
    passes_are_said: bool = False
    """A player without an available dweller has to pass too."""
    linked_never_doubled: bool = False
    """A linked space gives its reward once, whoever stands there."""
    training_replaces: bool = False
    """A dweller trained in a letter that is taken takes it over; the other is untrained again."""
    injured_not_trained: bool = False
    """A dweller that comes back injured is not trained."""
    exchange_all_turn: bool = False
    """An exchange stays open for the whole turn, also where nothing can be paid yet."""
    ready_item_pays: bool = False
    """A cost of an item takes a ready one alone."""
    reward_must_fit: bool = False
    """No dweller is placed where a new dweller, an item or a room could not be taken."""
    items_after_threats: bool = False
    """Items score after the threats have cost their happiness."""
    even_seats: bool = False
    """Each begins with what the pack gives to the seat, because the first to place is ahead in most packs (S3)."""
    began_late: bool = False
    """No house rule: the game was begun when `income_late` was the rule, and goes on by it without saying so."""

    def as_json(self) -> dict[str, bool]:
        """Return the rules that are on, as they were agreed on."""
        return {name: True for name in HOUSE_RULES if getattr(self, name) and (name, self.began_late) != UNSAID}

    def changed(self, raw: dict[str, object]) -> HouseRules:
        """Return these rules with those that somebody has set anew."""
        rules = read_house_rules({**self.as_json(), **raw})
        return rules if "income_late" in raw or not self.began_late else as_begun_before_income_was_due(rules)


HOUSE_RULES = tuple(field.name for field in fields(HouseRules) if field.name != "began_late")
UNSAID = ("income_late", True)


def as_begun_before_income_was_due(rules: HouseRules) -> HouseRules:
    """Return the rules of a game of the rules' first version: its incomes lapse, and its state never said so."""
    rules.income_late = rules.began_late = True
    return rules


def read_house_rules(raw: object) -> HouseRules:
    rules = HouseRules()
    if not isinstance(raw, dict):
        raise Refusal("malformed", None, "house_rules is not an object", field="house_rules")
    for name, value in raw.items():
        if name not in HOUSE_RULES or not isinstance(value, bool):
            raise Refusal(
                "unknown_house_rule",
                None,
                f"{str(name)[:60]!r} is not a house rule that is true or false; there are: {', '.join(HOUSE_RULES)}",
                field="house_rules",
                found=str(name)[:60],
            )
        setattr(rules, name, value)
    both = readings.contradiction(frozenset(rules.as_json()))
    if both is not None:
        one, other = both
        raise Refusal(
            "rules_contradict",
            readings.CLAUSE_OF[other],
            f"{one} and {other} contradict each other; choose one of them.",
            field="house_rules",
            one=one,
            other=other,
        )
    return rules
