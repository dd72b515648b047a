"""What a reading means for the game: moves that explain it, a question for a seat, disagreements, or nothing yet.

Pure: a reading, a position and what is remembered go in; a verdict comes out. The session does what it says.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.mat import STANDING, Difference, FigurePlacement, Waits
from companion.refusal import Refusal
from companion.table.sight.difference import CARD, DRAWN, differences
from companion.table.sight.reading import Figure

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from companion.games.json_types import MoveJson
    from companion.games.mat import GamePosition
    from companion.table.sight.reading import Reading


MOST: Final = 4
MOST_NEWCOMERS: Final = 8
"""With more figures than these nobody can tell what came after what."""


class Newcomer(NamedTuple):
    """Figures of one colour that stand on a space and are not recorded there."""

    figures: FigurePlacement
    difference: Difference


class PlacementStep(NamedTuple):
    """One newcomer explained: the ways in which it may have been placed, the likeliest first."""

    newcomer: Newcomer
    ways: tuple[MoveJson, ...]
    asked: bool
    """Whether only a person can say which way it was."""


Explanation = tuple[PlacementStep, ...]


def explanations(position: GamePosition, newcomers: Sequence[Newcomer], most: int = MOST) -> list[Explanation]:
    """Return the rows of placements that explain all newcomers, in the order of the turns; else the longest ones.

    A row that ends in an open choice explains all as well: the rest has to wait for the answer.
    """
    if not newcomers or len(newcomers) > MOST_NEWCOMERS:
        return []
    found = [(row, whole) for row, whole in _rows(position, tuple(newcomers), most) if row]
    if any(whole for _, whole in found):
        return [row for row, whole in found if whole]
    longest = max((len(row) for row, _ in found), default=0)
    return [row for row, _ in found if len(row) == longest]


def _rows(position: GamePosition, left: tuple[Newcomer, ...], most: int) -> list[tuple[Explanation, bool]]:
    if not left or not most:
        return [((), not left)]
    mat, legal = position.mat, position.legal()
    if not mat.awaits_figures(legal):
        return [((), True)]
    placements = [(mat.placement(move), move) for move in legal]
    rows: list[tuple[Explanation, bool]] = []
    for newcomer in left:
        ways = mat.likely([move for placement, move in placements if placement == newcomer.figures])
        if not ways:
            continue
        step = PlacementStep(newcomer, ways, asked=mat.needs_word(position, ways))
        rest = tuple(one for one in left if one is not newcomer)
        rows += [((step, *row), whole) for row, whole in _rows(position.after(ways[0]), rest, most - 1)]
    return rows or [((), False)]


def why_not(position: GamePosition, figures: FigurePlacement) -> Refusal | None:
    """Return what stands in the way of figures that no legal move explains."""
    for move in position.mat.attempts(figures):
        try:
            position.after(move)
        except Refusal as refusal:
            return refusal
    return None


def settle_pose(reading: Reading, position: GamePosition) -> Reading:
    """Return the reading with the pose of a figure that the rules leave one way for: a newcomer, one at a time.

    Both poses were likely to the camera, so this is never against what is seen. What is recorded there already holds.
    """
    taken = position.lies().spaces
    doubts = {space: player for space, player in reading.unposed.items() if space in reading.unsure - taken}
    if not doubts:
        return reading
    ways: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for move in position.legal():
        placement = position.mat.placement(move)
        if placement is not None and doubts.get(placement.space) == placement.colour and len(placement.poses) == 1:
            ways.setdefault((placement.space, placement.colour), set()).add(placement.poses)
    fitting = [Figure(*where, *poses) for where, several in ways.items() if len(several) == 1 for poses in several]
    if len(fitting) != 1:
        return reading
    figures = tuple(sorted((*reading.dwellers, *fitting), key=lambda one: (one.space, one.player, one.pose)))
    return replace(reading, dwellers=figures, unsure=reading.unsure - {fitting[0].space})


def newcomer_of(difference: Difference, reading: Reading) -> Newcomer:
    poses = poses_at(reading, difference.place, difference.seen)
    return Newcomer(
        FigurePlacement(difference.place, str(difference.seen), tuple(sorted(poses)) or (STANDING,)), difference
    )


def corrections(position: GamePosition, difference: Difference, reading: Reading) -> list[MoveJson]:
    """Return the moves that make the record follow a difference, because somebody says that the table is right."""
    poses = poses_at(reading, difference.place, difference.by)
    return position.mat.correction(position, difference, poses)


def poses_at(reading: Reading, space: str, colour: str | None) -> list[str]:
    return [figure.pose for figure in reading.dwellers if (figure.space, figure.player) == (space, colour)]


WATCHING, HAND, UNSURE, LOST, OFF = "watching", "hand", "unsure", "lost", "off"
RESOLUTIONS: Final = ("moved", "right", "ignore")
SEVERAL: Final = 2


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of differences: those that the record has made and the table has still to follow, and the rest."""

    todo: frozenset[str] = frozenset()
    """Made by the record's own steps (a card to lay, an undone move's figure): nothing is played from them."""
    ignored: frozenset[str] = frozenset()
    compared: frozenset[str] = frozenset()
    """Found when record and table were compared at the start: said, and played only on somebody's word."""
    fresh: bool = False
    """Whether the layout is still being laid, so that what is missing is no disagreement."""

    def ignoring(self, keys: Collection[str]) -> Memory:
        """Return the same, but for differences that somebody has put right by word."""
        return replace(self, todo=self.todo.difference(keys), ignored=self.ignored.union(keys))


@dataclass(frozen=True, slots=True)
class Question:
    """Something that only a seat can say about a figure: each option and the move that it stands for."""

    by: str
    place: str
    ways: tuple[tuple[str, MoveJson], ...]

    @property
    def options(self) -> list[str]:
        return [option for option, _ in self.ways]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reading means."""

    camera: str = WATCHING
    plays: tuple[MoveJson, ...] = ()
    question: Question | None = None
    disagreements: tuple[Difference, ...] = ()
    todo: tuple[Difference, ...] = ()
    held: frozenset[str] = field(default_factory=frozenset)
    """Figures that wait for an open choice, a second figure or a question."""
    picking_up: bool = False
    offer_recall: bool = False


def reconcile(
    reading: Reading,
    position: GamePosition,
    memory: Memory,
    only: str | None = None,
    found: Sequence[Difference] | None = None,
) -> Verdict:
    """Return what a reading means. `only` is the colour whose button was pressed: others are not moved for.

    `found` are the differences of the reading and the position, where somebody has them already.
    """
    if reading.table != "found":
        return Verdict(camera=LOST)
    if reading.hand:
        return Verdict(camera=HAND)
    found = differences(reading, position.lies()) if found is None else found
    known = memory.todo | memory.ignored
    todo = tuple(one for one in found if one.kind != DRAWN and (one.key in memory.todo or memory.fresh))
    fresh = [] if memory.fresh else [one for one in found if one.key not in known]
    camera = UNSURE if reading.unsure else WATCHING
    base = Verdict(camera=camera, todo=todo)
    built = [one for one in fresh if one.key not in memory.compared]
    answers = _cards_named(position, found) or _card_laid(reading, position, built)
    if answers:
        return replace(base, plays=answers)
    gone = None if any(one.key in memory.compared for one in fresh) else _picked_up(reading, position, found, fresh)
    if gone is not None:
        return _recall(position, fresh, replace(base, picking_up=True), all_gone=gone)
    said = [one for one in fresh if one.key in memory.compared]
    verdict = _figures(reading, position, [one for one in fresh if one not in said], base, only)
    taken = (_taken(position, one) for one in said)
    return replace(verdict, disagreements=(*taken, *verdict.disagreements))


# --- cards that the camera names --------------------------------------------------------------------------------------


def _cards_named(position: GamePosition, found: Iterable[Difference]) -> tuple[MoveJson, ...]:
    """Name the cards of real decks that the camera has recognised (section 5 of the contract)."""
    drawn = [one for one in found if one.kind == DRAWN]
    asked = position.mat.unknown_cards(position.game) if drawn else {}
    for one in drawn:
        if one.place not in asked or one.seen is None:
            continue
        move: MoveJson = {"do": "choose", "id": asked[one.place], "option": one.seen}
        try:
            position.after(move)
        except Refusal:
            continue
        return (move,)
    return ()


def _card_laid(reading: Reading, position: GamePosition, fresh: Sequence[Difference]) -> tuple[MoveJson, ...]:
    """A card laid on the mat answers the open choice of what to lay, if one answer alone lays it there."""
    laid = {one.place for one in fresh if one.kind == CARD and one.expected is None and one.seen is not None}
    if not laid:
        return ()
    answers: list[MoveJson] = []
    for choice in position.state()["pending"]:
        for option in choice["options"] if position.mat.lays_card(choice) else ():
            move: MoveJson = {"do": "choose", "by": choice["by"], "id": choice["id"], "option": option}
            if not laid & {one.place for one in differences(reading, position.after(move).lies())}:
                answers.append(move)
    return (answers[0],) if len(answers) == 1 else ()


# --- the recall -------------------------------------------------------------------------------------------------------


def _picked_up(
    reading: Reading, position: GamePosition, found: Sequence[Difference], fresh: Sequence[Difference]
) -> bool | None:
    """Whether dwellers are being picked up: None if not, False while some still stand, True when all have gone."""
    missing = [one for one in found if one.kind == "missing"]
    if not missing or any(one.kind == "extra" for one in fresh):
        return None
    if not any(one.kind == "missing" for one in fresh):
        return None
    taken = position.lies().spaces
    if reading.unsure & taken:
        all_gone = False
    else:
        all_gone = len(missing) == len(taken) and all(one.seen is None for one in missing)
    if position.mat.recall_is_due(position.state()):
        return all_gone
    if position.mat.before_recall(position.state()) is None or len(missing) < SEVERAL:
        return None
    return all_gone


def _recall(position: GamePosition, fresh: Sequence[Difference], base: Verdict, *, all_gone: bool) -> Verdict:
    """The empty mat is the recall; before everybody has passed, their passes are offered with it."""
    rest = tuple(one for one in fresh if one.kind not in ("missing", "pose"))
    base = replace(base, disagreements=rest)
    if not all_gone:
        return base
    if position.mat.before_recall(position.state()) is not None:
        return replace(base, offer_recall=True)
    try:
        position.after(position.mat.recall)
    except Refusal:
        return base
    return replace(base, plays=(position.mat.recall,))


# --- figures ----------------------------------------------------------------------------------------------------------


def _figures(
    reading: Reading, position: GamePosition, fresh: Sequence[Difference], base: Verdict, only: str | None
) -> Verdict:
    moved = {one.by for one in fresh if one.kind == "missing"}
    newcomers = [newcomer_of(one, reading) for one in fresh if _is_newcomer(one) and one.seen not in moved]
    rest = [_taken(position, one) for one in fresh if one.kind != DRAWN and (one.by in moved or not _is_newcomer(one))]
    mine = [one for one in newcomers if only in (None, one.figures.colour)]
    waiting = frozenset(one.difference.key for one in newcomers if one not in mine)
    rows = explanations(position, mine)
    if not rows:
        return _unexplained(position, mine, rest, replace(base, held=waiting))
    order = _order_question(position, rows)
    if order is not None or rows[0][0].asked:
        question = order or _placement_question(position, rows[0])
        held = frozenset(one.difference.key for one in newcomers)
        return replace(base, question=question, held=held, disagreements=tuple(rest))
    plays = []
    for step in rows[0]:
        if step.asked:
            break
        plays.append(step.ways[0])
    return replace(base, plays=tuple(plays), held=waiting, disagreements=tuple(rest))


def _taken(position: GamePosition, one: Difference) -> Difference:
    """A figure too many on a space that is taken breaks a rule."""
    if one.kind == "extra" and one.expected is not None:
        return replace(one, clause=position.mat.taken_clause)
    return one


def _is_newcomer(one: Difference) -> bool:
    return one.kind == "extra" and one.expected is None


def _placement_question(position: GamePosition, row: Explanation) -> Question:
    figures, named = row[0].newcomer.figures, position.mat.option
    ways = {named(way): way for way in reversed(row[0].ways)}
    options = tuple((option, ways[option]) for option in dict.fromkeys(named(way) for way in row[0].ways))
    return Question(figures.colour, figures.space, options)


def _order_question(position: GamePosition, rows: Sequence[Explanation]) -> Question | None:
    """Which of several figures came first, where that makes a difference."""
    firsts = {row[0].newcomer.figures.space: row[0].ways[0] for row in rows}
    if len(firsts) == 1:
        return None
    ends = []
    for row in rows:
        here = position
        for step in row:
            here = here.after(step.ways[0])
        ends.append(here.state())
    if all(end == ends[0] for end in ends):
        return None
    colour = rows[0][0].newcomer.figures.colour
    return Question(colour, ",".join(sorted(firsts)), tuple(sorted(firsts.items())))


def _unexplained(
    position: GamePosition, newcomers: Sequence[Newcomer], rest: Sequence[Difference], base: Verdict
) -> Verdict:
    """No legal move explains them: each says which clause stands in the way, unless it only has to wait."""
    held = set(base.held)
    disagreements = list(rest)
    for newcomer in newcomers:
        refusal = why_not(position, newcomer.figures)
        one = newcomer.difference
        if refusal is None:
            disagreements.append(one)
        elif _has_to_wait(position, position.mat.waits(refusal)):
            held.add(one.key)
        else:
            called = position.mat.called(refusal)
            disagreements.append(replace(one, called=called, clause=refusal.clause, refusal=refusal))
    return replace(base, held=frozenset(held), disagreements=tuple(disagreements))


def _has_to_wait(position: GamePosition, waits: Waits) -> bool:
    if waits is not Waits.CHOICE:
        return waits is Waits.SIGHT
    state = position.state()
    is_asked = any(choice["by"] == state["turn"] for choice in state["pending"])
    return is_asked and not position.mat.awaits_figures(position.legal())
