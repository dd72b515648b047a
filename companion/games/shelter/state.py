"""The state as others read it: the contract's JSON, worked out from a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

from companion.cards.evenings.house_calls import effect_as_json
from companion.cards.together import AIMS, CRISES, DIFFICULTIES
from companion.games.fields import called
from companion.games.shelter import call
from companion.games.shelter.board import tracks
from companion.games.shelter.together import aims
from companion.games.shelter.turn import choices, rounds
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import (
    COLOURS,
    COLUMNS,
    DWELLERS,
    ELEVATOR_COLUMN,
    INJURED,
    NO_CARD,
    NOBODY,
    PHASES,
    PILES,
    PLAIN,
    RESOURCES,
    ROOMS,
    ROOMS_A_LEVEL,
    SPACE_NAMES,
    THREATS,
    UNKNOWN,
)

if TYPE_CHECKING:
    from companion.cards.evenings.house_calls import HouseCall
    from companion.games.shelter.board.vault import GameResult, Spawned
    from companion.games.shelter.position import ShelterPosition
    from companion.games.shelter.together.aims import Together


class ItemState(TypedDict):
    id: str
    exhausted: bool


class ShelterPlayer(TypedDict):
    name: str
    bot: NotRequired[str | None]
    """Added by the table, where bots may play."""
    level: int
    happiness: int
    if_ended_now: int
    resources: dict[str, int]
    available: list[str]
    """Dwellers: `plain`, `injured`, a letter, or `injured+S`."""
    arriving: int
    arriving_at: list[str]
    total: int
    items: list[ItemState]
    passed: bool


class ShelterChoice(TypedDict):
    id: int
    by: str | None
    kind: str
    options: list[str]
    clause: str


class LevelState(TypedDict):
    owner: str | None
    rooms: dict[str, str]


class PlacedState(TypedDict):
    by: str
    dwellers: list[str]


class SpawnedState(TypedDict):
    level: int
    dice: list[int]
    column: int
    space: str | None
    threat: str | None
    why_not: str | None


class ShelterOptions(TypedDict):
    pack: str
    cards: str
    """`companion` or `table`: who deals."""
    house_rules: dict[str, bool]


class ScoreState(TypedDict):
    happiness: int
    threats: int
    items: int


class ShelterResult(TypedDict):
    winners: list[str]
    decided_by: str
    scores: dict[str, ScoreState]


class AimState(TypedDict):
    id: str
    have: int
    goal: int
    most: bool
    """Whether the goal is the most there may be."""
    met: bool


class TogetherState(TypedDict):
    difficulty: str
    rounds: int
    crisis: str | None
    breaches: int
    limit: int
    defeated: int
    aims: list[AimState]


class CallState(TypedDict):
    """The house call of the evening; `now` are the places of the effects that hold in this round (W1)."""

    id: str
    names: dict[str, str]
    """By language; empty where the companion brought it."""
    effects: list[dict[str, object]]
    now: list[int]
    rolls: list[int]
    """The levels that a threat step of this round rolls for (W6)."""


class ShelterState(TypedDict):
    """The rules' part of section 4 of the contract; spaces, levels and cards stand by their ids."""

    game: str
    round: int
    phase: str
    turn: str | None
    first: str
    order: list[str]
    options: ShelterOptions
    last_round: bool
    pending: list[ShelterChoice]
    players: dict[str, ShelterPlayer]
    levels: dict[str, LevelState]
    placed: dict[str, PlacedState]
    threats: dict[str, str]
    spawned: list[SpawnedState]
    tracks: dict[str, list[str]]
    decks: dict[str, int]
    discards: dict[str, int]
    result: ShelterResult | None
    together: NotRequired[TogetherState]
    """There in co-operative play alone (U)."""
    house_call: NotRequired[CallState]
    """There on an evening with a house call alone (W)."""


def state_of(game: ShelterPosition) -> ShelterState:
    """Return the rules' part of the state; the table adds version, devices and disagreements."""
    state: ShelterState = {
        "game": "shelter",
        "round": game.round,
        "phase": PHASES[game.phase],
        "turn": _colour(game.turn),
        "first": COLOURS[game.first],
        "order": [COLOURS[colour] for colour in game.seats],
        "options": {
            "pack": game.box.pack_id,
            "cards": "table" if game.real_decks else "companion",
            "house_rules": game.rules.as_json(),
        },
        "last_round": game.last_round,
        "pending": [_choice(game, number) for number in range(len(game.pending))],
        "players": {COLOURS[colour]: _player(game, colour) for colour in game.seats},
        "levels": {str(level + 1): _level(game, level) for level in range(len(game.owners))},
        "placed": {
            SPACE_NAMES[space]: {
                "by": COLOURS[standing.colour],
                "dwellers": [DWELLERS[dweller] for dweller in standing.dwellers],
            }
            for space, standing in game.placed.items()
        },
        "threats": {SPACE_NAMES[space]: card_name(game, THREATS, kind) for space, kind in game.vault.threats.items()},
        "spawned": [_spawned(game, one) for one in game.spawned],
        "tracks": {
            PILES[pile]: [card_name(game, pile, card) for card in game.tracks[pile]] for pile in range(len(game.tracks))
        },
        "decks": {name: tracks.left_in_deck(game, pile) for pile, name in enumerate(PILES)},
        "discards": {name: len(game.discards[pile]) for pile, name in enumerate(PILES)},
        "result": None if game.result is None else _result(game.result),
    }
    if game.together is not None:
        state["together"] = _together(game, game.together)
    if game.call is not None:
        state["house_call"] = _house_call(game, game.call)
    return state


def _house_call(game: ShelterPosition, drawn: HouseCall) -> CallState:
    """Return the house call with what holds now (W1, W6)."""
    return {
        "id": drawn.id,
        "names": dict(drawn.names),
        "effects": [effect_as_json(effect) for effect in drawn.effects],
        "now": [number for number, effect in enumerate(drawn.effects) if call.holds(effect, game.round)],
        "rolls": [level + 1 for level in call.levels_to_roll(game)],
    }


def _together(game: ShelterPosition, together: Together) -> TogetherState:
    """Return the shared aims as they stand, the crisis and the break-ins (U2, U3, U6)."""
    crisis = aims.crisis_of(game, together)
    return {
        "difficulty": DIFFICULTIES[together.difficulty],
        "rounds": together.rounds,
        "crisis": None if crisis == NO_CARD else CRISES[crisis].key,
        "breaches": together.breaches,
        "limit": together.limit,
        "defeated": together.defeated,
        "aims": [
            {
                "id": AIMS[number].key,
                "have": aims.have(game, together, number),
                "goal": aims.goal_of(game, together, number),
                "most": AIMS[number].most,
                "met": aims.is_met(game, together, number),
            }
            for number in together.aims
        ],
    }


def card_name(game: ShelterPosition, pile: int, card: int) -> str:
    """Return a card's id, or `unknown` where nobody has named it."""
    return "unknown" if card == UNKNOWN else game.box.names[pile][card]


def _colour(colour: int) -> str | None:
    return None if colour == NOBODY else COLOURS[colour]


def _choice(game: ShelterPosition, number: int) -> ShelterChoice:
    choice = game.pending[number]
    return {
        "id": choice.id,
        "by": _colour(choice.by),
        "kind": choice.kind,
        "options": list(choices.options(game, choice)),
        "clause": choice.clause,
    }


def _player(game: ShelterPosition, colour: int) -> ShelterPlayer:
    arriving = game.arriving[colour]
    return {
        "name": called(game.names, COLOURS[colour]),
        "level": game.levels[colour] + 1,
        "happiness": game.happiness[colour],
        "if_ended_now": (
            game.happiness[colour] if game.result is not None else rounds.score_if_ended_now(game, colour).happiness
        ),
        "resources": dict(zip(RESOURCES, game.cubes[3 * colour : 3 * colour + 3], strict=True)),
        "available": available(game, colour),
        "arriving": len(arriving),
        "arriving_at": [SPACE_NAMES[space] for space in arriving if space >= 0],
        "total": dwellers_of(game, colour),
        "items": [
            {"id": game.box.items[card >> 1].name, "exhausted": bool(card & 1)} for card in game.hands[colour].cards
        ],
        "passed": bool(game.passed >> colour & 1),
    }


def available(game: ShelterPosition, colour: int) -> list[str]:
    """Return the available dwellers: plain, trained, injured."""
    trained = [DWELLERS[kind] for kind in range(len(DWELLERS)) if game.trained[colour] >> kind & 1]
    return [DWELLERS[PLAIN]] * game.plain[colour] + trained + [DWELLERS[INJURED]] * game.hurt[colour]


def _level(game: ShelterPosition, level: int) -> LevelState:
    rooms = game.vault.rooms[level * ROOMS_A_LEVEL : (level + 1) * ROOMS_A_LEVEL]
    return {
        "owner": _colour(game.owners[level]),
        "rooms": {
            COLUMNS[column]: card_name(game, ROOMS, kind)
            for column, kind in enumerate(rooms)
            if kind != NO_CARD and column != ELEVATOR_COLUMN
        },
    }


def _spawned(game: ShelterPosition, one: Spawned) -> SpawnedState:
    return {
        "level": one.level + 1,
        "dice": list(one.dice),
        "column": sum(one.dice),
        "space": SPACE_NAMES[one.space] if one.space >= 0 else None,
        "threat": None if one.threat == NO_CARD else card_name(game, THREATS, one.threat),
        "why_not": one.why_not or None,
    }


def _result(result: GameResult) -> ShelterResult:
    return {
        "winners": [COLOURS[colour] for colour in result.winners],
        "decided_by": result.decided_by,
        "scores": {
            COLOURS[colour]: {"happiness": score.happiness, "threats": score.threats, "items": score.items}
            for colour, score in result.scores.items()
        },
    }
