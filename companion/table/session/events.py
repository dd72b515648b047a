"""What happens at the table beside the rules: one type an event, and their JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict, assert_never, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.bots.policy.reason_texts import Reason
    from companion.games.json_types import MoveJson
    from companion.refusal import Refusal


class DeviceReported(NamedTuple):
    device: str
    state: str
    hint: str


class SettingsChanged(NamedTuple):
    settings: dict[str, object]


class MoveRefused(NamedTuple):
    """A refusal that nobody waits for as an answer: of a button, of what the camera saw."""

    refusal: Refusal
    button: str | None = None


class DiceThrown(NamedTuple):
    """Real dice that lie there for a level's roll, or for somebody's (`by`)."""

    dice: tuple[int, ...]
    level: int | None = None
    by: str | None = None


class DiceUnsure(NamedTuple):
    """Real dice that cannot be read."""

    by: str | None


class MoveUndone(NamedTuple):
    to: int | None


class MoveRedone(NamedTuple):
    pass


class DisagreementResolved(NamedTuple):
    by: str | None
    id: int
    option: str


class BotSeated(NamedTuple):
    by: str
    character: str


class BotLeft(NamedTuple):
    by: str


class BotSuggested(NamedTuple):
    """A bot's placement for people to make."""

    by: str
    move: MoveJson
    reason: Reason


class BotExplained(NamedTuple):
    """Why a bot made the move that was just played."""

    by: str | None
    reason: Reason


class SeatLeft(NamedTuple):
    """Somebody is not at the table: other hands do what they place."""

    by: str


class SeatReturned(NamedTuple):
    by: str


class HandsAsked(NamedTuple):
    """A placement by a seat that is not at the table: other hands make it."""

    by: str
    move: MoveJson


class GameStarted(NamedTuple):
    game: str


class GameChosen(NamedTuple):
    game: str


class GameFrozen(NamedTuple):
    pass


class GameThawed(NamedTuple):
    pass


class CardsEdited(NamedTuple):
    pass


class TroubleDecided(NamedTuple):
    """The host's word on an entry that cannot be replayed, or on a damaged record."""

    option: str


TableEvent = (
    DeviceReported | SettingsChanged | MoveRefused | DiceThrown | DiceUnsure | MoveUndone | MoveRedone
    | DisagreementResolved | BotSeated | BotLeft | BotSuggested | BotExplained | SeatLeft | SeatReturned | HandsAsked
    | GameStarted | GameChosen | GameFrozen
    | GameThawed | CardsEdited | TroubleDecided
)  # fmt: skip

NAMES: Final[dict[type[TableEvent], str]] = {
    DeviceReported: "device",
    SettingsChanged: "settings",
    MoveRefused: "refused",
    DiceThrown: "thrown",
    DiceUnsure: "dice_unsure",
    MoveUndone: "undone",
    MoveRedone: "redone",
    DisagreementResolved: "resolved",
    BotSeated: "bot_seated",
    BotLeft: "bot_left",
    BotSuggested: "suggested",
    BotExplained: "reason",
    SeatLeft: "away",
    SeatReturned: "back",
    HandsAsked: "asked",
    GameStarted: "started",
    GameChosen: "chosen",
    GameFrozen: "frozen",
    GameThawed: "thawed",
    CardsEdited: "cards_edited",
    TroubleDecided: "decided",
}
"""How the contract calls them."""


def by(event: TableEvent) -> str | None:
    """Return the colour whose event this is."""
    match event:
        case (
            DiceThrown() | DiceUnsure() | DisagreementResolved() | BotSeated() | BotLeft() | BotSuggested()
            | BotExplained() | SeatLeft() | SeatReturned() | HandsAsked()
        ):  # fmt: skip
            return event.by
        case _:
            return None


class EventFields(TypedDict, total=False):
    """What is said of an event of the table, whichever it is; settings that were changed are there by their names."""

    by: str | None
    what: Sequence[object]
    device: str
    state: str
    hint: str
    button: str
    code: str
    clause: str
    message: str
    fields: dict[str, object]
    to: int | None
    game: str
    option: str


class TableEventJson(EventFields):
    """An `EventJson` of the table."""

    event: str


def serialize(event: TableEvent) -> TableEventJson:
    """Return the event as JSON."""
    return {"event": NAMES[type(event)], **_fields(event)}


def _fields(event: TableEvent) -> EventFields:  # noqa: C901, PLR0912 - one case an event
    match event:
        case DeviceReported(device, state, hint):
            return {"device": device, "state": state, "hint": hint}
        case SettingsChanged(settings):
            return cast("EventFields", settings)
        case MoveRefused(refusal, button):
            why = refusal.as_json()
            return cast("EventFields", why if button is None else {"button": button, **why})
        case DiceThrown(dice, None, whose):
            return {"by": whose, "what": [None, list(dice)]}
        case DiceThrown(dice, level):
            return {"what": [level, list(dice)]}
        case DiceUnsure(whose):
            return {"by": whose}
        case MoveUndone(to):
            return {"to": to}
        case DisagreementResolved(whose, number, option):
            return {"by": whose, "what": [number, option]}
        case BotSeated(whose, character):
            return {"by": whose, "what": [character]}
        case BotLeft(whose):
            return {"by": whose, "what": [None]}
        case BotSuggested(whose, move, reason):
            return {"by": whose, "what": [move, reason]}
        case BotExplained(whose, reason):
            return {"by": whose, "what": [reason]}
        case HandsAsked(whose, move):
            return {"by": whose, "what": [move]}
        case SeatLeft(whose) | SeatReturned(whose):
            return {"by": whose}
        case GameStarted(game) | GameChosen(game):
            return {"game": game}
        case MoveRedone() | GameFrozen() | GameThawed() | CardsEdited():
            return {}
        case TroubleDecided(option):
            return {"option": option}
        case _:
            assert_never(event)
