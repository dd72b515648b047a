"""The state as everybody may see it, and what only a seat may see of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from companion.cards.wasteland.words import LETTERS
from companion.games.wasteland import legal
from companion.games.wasteland.box import (
    APPAREL,
    COLOURS,
    COMPANION,
    FACTIONS,
    NO_CARD,
    NOBODY,
    OVER,
    PHASES,
    START_HOLE,
    TRAITS,
    WEAPON,
    card_of,
    is_exhausted,
    letters_of,
)
from companion.games.wasteland.fight import dice
from companion.games.wasteland.flow import ending, sequence
from companion.games.wasteland.map import enemies, tokens
from companion.games.wasteland.position import REMINDERS
from companion.games.wasteland.story import agendas
from companion.games.wasteland.survivor.camp import shown

if TYPE_CHECKING:
    from companion.games.wasteland.position import AskedChoice, Reminder, WastelandPosition
    from companion.games.wasteland.state_types import (
        ActivatingState,
        ChoiceAbout,
        ContestState,
        EncounterState,
        EnemyState,
        HeldCard,
        ReminderState,
        SurvivorState,
        TileState,
        WastelandChoice,
        WastelandEnd,
        WastelandPrivate,
        WastelandState,
    )


def state_of(game: WastelandPosition) -> WastelandState:
    """Return the state as everybody may see it."""
    piles = {"agendas": game.agendas, "loot": game.loot, "assets": game.assets}
    state: WastelandState = {
        "game": "wasteland",
        "round": game.round,
        "phase": PHASES[game.phase],
        "turn": _colour(game.turn),
        "first": COLOURS[game.first],
        "order": [COLOURS[seat] for seat in game.seats],
        "options": {
            "pack": game.box.pack_id,
            "scenario": game.scenario.id,
            "dice": "table" if game.table_dice else "companion",
            "cards": "table" if game.table_cards else "companion",
            "together": game.ways.together.value,
            "agendas": game.ways.agendas.value,
            "own": game.ways.own.value,
        },
        "actions": {
            "left": game.actions,
            "points": game.points,
            "encountered": game.encountered,
            "start_of_turn": game.at_start_of_turn,
        },
        "pending": [_choice(game, choice) for choice in game.pending],
        "players": {COLOURS[seat]: _player(game, seat) for seat in game.seats},
        "power": {faction.value: game.power[number] for number, faction in enumerate(FACTIONS)},
        "track": len(game.scenario.track),
        "needed": ending.needed(game),
        "shop": [game.box.cards[card].id for card in game.shop],
        "quests": list(game.quests),
        "enemies": {str(number): _enemy(game, number) for number in game.enemies},
        "contest": _contest(game),
        "encounter": _visit(game),
        "reminders": [_reminder(one) for one in game.reminders],
        "revealed": None if game.revealed_agenda == NO_CARD else game.box.agendas[game.revealed_agenda].id,
        "activating": _activating(game),
        "decks": {name: len(pile.cards) for name, pile in piles.items()} | {"uniques": len(game.uniques)},
        "discards": {name: len(pile.discards) for name, pile in piles.items()} | {"uniques": len(game.uniques_out)},
        "stacks": {kind.value: len(pile.cards) for kind, pile in game.stacks.items()},
        "fallen": {kind.value: len(pile.discards) for kind, pile in game.stacks.items()},
        "encounters": {icon.value: len(deck) for icon, deck in game.decks_of.items()},
        "library": {str(number): icon for number, icon in sorted(library_of(game).items())},
        "letters": {letter: game.supply[number] for number, letter in enumerate(LETTERS)},
        "perks": sorted(game.box.perks[perk].id for perk in game.perks),
        "result": _result(game),
    }
    if game.map is not None:
        state["map"] = _map(game)
    if any(game.scenario.tokens):
        state["tokens"] = tokens.by_faction(game)
    if game.ways.shared:
        state["together"] = {
            "influence": ending.influence(game, game.first),
            "needed": ending.needed(game),
            "hands": _hands(game),
        }
    if not game.by_itself:
        _leave_out_what_came_later(cast("dict[str, Any]", state))
    return state


def _leave_out_what_came_later(state: dict[str, Any]) -> None:
    """Leave out the fields since version 3: the exports of a game stay what they were when it was played."""
    for key in ("needed", "library"):
        del state[key]
    for key in ("together", "agendas", "own"):
        del state["options"][key]
    for player in state["players"].values():
        del player["influence"]
    for key in ("reader", "says"):
        (state["encounter"] or {}).pop(key, None)


def library_of(game: WastelandPosition) -> dict[int, str]:
    """Return the numbered encounter cards that are in the game, each with its deck: everybody saw them added."""
    cards = [(card, icon) for icon, deck in game.decks_of.items() for card in deck]
    cards += [(game.visit.card, game.visit.icon)] if game.visit is not None and game.visit.card != NO_CARD else []
    kinds = game.box.encounters
    return {kinds[card].number: icon.value for card, icon in cards if kinds[card].number}


def _hands(game: WastelandPosition) -> dict[str, list[str]]:
    return {COLOURS[seat]: [game.box.agendas[card].id for card in game.survivors[seat].hand] for seat in game.seats}


def _map(game: WastelandPosition) -> list[TileState]:
    """Return the tiles in the order of the layout; what lies facedown is nobody's to know."""
    return [
        {
            "column": one.column,
            "row": one.row,
            "tile": game.box.tiles[game.laid[place]].id if place in game.laid else None,
            "back": one.back.value if one.back is not None and place not in game.laid else None,
        }
        for place, one in enumerate(game.scenario.layout, 1)
    ]


def _reminder(reminder: Reminder) -> ReminderState:
    clauses = list(REMINDERS[reminder.key])
    return {"key": reminder.key, "clauses": clauses, "by": _colour(reminder.by), **reminder.fields}


def _activating(game: WastelandPosition) -> ActivatingState | None:
    """Return where the enemy phase stands: the agenda's types, which acts now, which enemy, and who waits."""
    if game.revealed_agenda == NO_CARD:
        return None
    types = game.box.agendas[game.revealed_agenda].activates
    still = sum(step.do == "activate-type" for step in game.steps)
    waiting = [one for step in game.steps if step.do == "next-enemy" for one in step.data[0]]
    waiting += [one for choice in game.pending if choice.kind == "enemy-order" for one in choice.data[0]]
    asked = [choice.data[0] for choice in game.pending if choice.kind in ("adjacent", "nearest", "moved-to")]
    fought = [game.contest.number] if game.contest is not None and game.contest.number else []
    return {
        "types": [kind.value for kind in types],
        "now": len(types) - still - 1,
        "enemy": next(iter([*asked, *fought]), None),
        "waiting": sorted(waiting),
    }


def _colour(seat: int) -> str | None:
    return None if seat == NOBODY else COLOURS[seat]


def _choice(game: WastelandPosition, choice: AskedChoice) -> WastelandChoice:
    return {
        "id": choice.id,
        "by": _colour(choice.by),
        "kind": choice.kind,
        "options": legal.options(game, choice),
        "clause": choice.clause,
        "about": about(choice),
    }


def about(choice: AskedChoice) -> ChoiceAbout:
    """Return what a page needs to put the question."""
    match choice.kind:
        case "offer":
            by, give, take = choice.data
            return {"from": COLOURS[by], "give": shown(give), "take": shown(take)}
        case "by-hand" | "manual-step":
            return {"words": choice.data[0]}
        case "stay":
            return {"words": choice.data[1]}
        case "die":
            return {"die": choice.data[0] + 1}
        case "adjacent" | "nearest" | "moved-to" | "put-on-tile":
            return {"enemy": choice.data[0]}
        case "replacement":
            return {"type": choice.data[0].value, "at": choice.data[1] or None}
        case "drawn":
            whose = COLOURS[choice.data[3]] if choice.data[3] != NOBODY else None
            return {"pile": choice.data[0], "whose": whose}
        case "influence":
            return {"agenda": choice.data[0] + 1}
        case "shop" | "quest-card":
            return {"left": choice.data[0]} if choice.kind == "shop" else {"quest": choice.data[0]}
        case _:
            return {}


def _held(game: WastelandPosition, held: int) -> HeldCard | None:
    return None if held == NO_CARD else _card(game, held)


def _card(game: WastelandPosition, held: int) -> HeldCard:
    return {"id": game.box.cards[card_of(held)].id, "exhausted": is_exhausted(held)}


def _player(game: WastelandPosition, seat: int) -> SurvivorState:
    survivor = game.survivors[seat]
    loyal = agendas.loyalty_of(game, seat)
    board: SurvivorState = {
        "survivor": None if survivor.character == NO_CARD else game.box.characters[survivor.character].id,
        "hp": survivor.hp,
        "hp_max": survivor.hp_max,
        "rads": survivor.rads,
        "remaining": survivor.remaining,
        "xp": "start" if survivor.hole == START_HOLE else LETTERS[survivor.hole],
        "letters": letters_of(survivor.letters),
        "traits": [trait.value for trait in TRAITS if trait in survivor.traits],
        "caps": survivor.caps,
        "agendas": len(survivor.hand),
        "influence": ending.public_influence(game, seat),
        "loyal": None if loyal is None else loyal.value,
        "revealed": _revealed(game, seat),
        "weapon": _held(game, survivor.slots[WEAPON]),
        "apparel": _held(game, survivor.slots[APPAREL]),
        "companion": _held(game, survivor.slots[COMPANION]),
        "inventory": [_card(game, held) for held in survivor.inventory],
        "character_card": _held(game, survivor.beside),
        "perks": [game.box.perks[perk].id for perk in survivor.perks],
        "space": survivor.at or None,
        "eliminated": survivor.eliminated,
    }
    if survivor.locked:
        board["locked"] = [trait.value for trait in TRAITS if trait in survivor.locked]
    return board


def _revealed(game: WastelandPosition, seat: int) -> str | None:
    survivor = game.survivors[seat]
    return None if survivor.revealed == NO_CARD else game.box.agendas[survivor.hand[survivor.revealed]].id


def _enemy(game: WastelandPosition, number: int) -> EnemyState:
    token, enemy = game.enemies[number], enemies.enemy_of(game, number)
    return {
        "type": enemy.type.value,
        "active": token.active,
        "space": token.at or None,
        "id": enemy.id if token.active else None,
        "level": agendas.level_of(game, enemy) if token.active else None,
    }


def _contest(game: WastelandPosition) -> ContestState | None:
    contest = game.contest
    if contest is None:
        return None
    return {
        "by": COLOURS[contest.seat],
        "kind": "fight" if contest.is_fight else "test",
        "enemy": game.box.enemies[contest.kind].id if contest.is_fight else None,
        "number": contest.number or None,
        "adjacent": contest.adjacent,
        "letters": contest.letters,
        "difficulty": None if contest.is_fight else contest.difficulty,
        "dice": dice.shown(contest),
        "rerolls": contest.rerolls,
        "hits": contest.hits,
    }


def _visit(game: WastelandPosition) -> EncounterState | None:
    visit = game.visit
    if visit is None:
        return None
    printed = None if visit.card == NO_CARD else game.box.encounters[visit.card]
    told = [] if printed is None else [printed.note, *(option.text for option in printed.options)]
    alone = game.turn == NOBODY or len(game.alive()) == 1
    return {
        "icon": visit.icon.value,
        "level": visit.level if visit.level >= 0 else None,
        "card": None if printed is None else printed.id,
        "says": [text for text in told if text],
        "reader": None if alone else COLOURS[sequence.right_hand_neighbour(game, game.turn)],
    }


def _result(game: WastelandPosition) -> WastelandEnd | None:
    """Show the hands at the end (W-END-1)."""
    if game.phase != OVER or game.result is None:
        return None
    return {
        "winners": [COLOURS[seat] for seat in game.result.winners],
        "decided_by": game.result.decided_by,
        "influence": {COLOURS[seat]: total for seat, total in game.result.influence},
        "hands": _hands(game),
    }


def private_of(game: WastelandPosition, seat: int) -> WastelandPrivate:
    """Return what this seat alone may see."""
    survivor = game.survivors[seat]
    held = zip(survivor.hand, survivor.answers, ending.worths(game, seat), strict=True)
    return {
        "hand": [
            {
                "agenda": place,
                "id": game.box.agendas[card].id,
                "influence": worth,
                "answer": answer,
                "revealed": place - 1 == survivor.revealed,
                "ask": ending.question(game.box.agendas[card]),
            }
            for place, (card, answer, worth) in enumerate(held, 1)
        ],
        "influence": ending.influence(game, seat),
        "needed": ending.needed(game),
        "may_claim": legal.may_claim(game, seat),
        "revealable": legal.revealable(game, seat),
        "shown": [
            {"by": COLOURS[owner], "id": game.box.agendas[game.survivors[owner].hand[place]].id}
            for owner, to, place in game.shown
            if to == seat
        ],
    }
