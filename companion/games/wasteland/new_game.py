"""The beginning of a game: the supply sorted, the decks shuffled, the first player drawn (W-SETUP)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import CardDeck, EncounterIcon, EnemyType
from companion.games import fields
from companion.games.wasteland import game as making
from companion.games.wasteland import readers
from companion.games.wasteland.box import is_faction
from companion.games.wasteland.events import PlainEvent
from companion.games.wasteland.flow.decks import MoveChance
from companion.games.wasteland.flow.step_stack import push
from companion.games.wasteland.game import WastelandGame
from companion.games.wasteland.position import Pile
from companion.games.wasteland.reminders import remind
from companion.games.wasteland.words import COLOURS, NO_CARD, NOBODY
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.wasteland.box import WastelandBox


def new_game(box: WastelandBox, table: WastelandTable, chance: Chance) -> WastelandGame:
    """A game ready for its first choice (W-SETUP-1)."""
    if not 1 <= len(table.players) <= len(COLOURS) or len(set(table.players)) != len(table.players):
        raise Refusal("impossible", "W-SETUP-1", "One to four different colours play.")
    sheet = box.scenarios.get(table.scenario) if table.scenario else next(iter(box.scenarios.values()))
    if sheet is None:
        raise Refusal("no_such_scenario", "W-SETUP-1", f"There is no scenario {table.scenario[:60]!r}.")
    game = WastelandGame(box, sheet, table.players)
    drawn = MoveChance(game, chance)
    game.table_dice = table.table_dice or not box.dice
    game.table_cards = table.table_cards
    _sort_the_supply(game, drawn)
    _arrange(game, table)
    game.first = table.first if table.first != NOBODY else game.seats[drawn.pick(len(game.seats))]
    if game.first not in game.seats:
        raise Refusal("not_playing", "W-SETUP-8", "The first player is nobody who plays.", field="first")
    game.events.append(PlainEvent("first_player", game.first))
    _prepare(game, table)
    making.go_on(game, drawn)
    return game


def _sort_the_supply(game: WastelandGame, chance: MoveChance) -> None:
    """Stacks and decks, shuffled (W-SETUP-3 to 6); solo and small tables leave agendas out."""
    box = game.box
    game.supply = list(box.settings.special_supply)
    game.stacks = {kind: Pile(chance.shuffle(box.stack(kind))) for kind in EnemyType if not is_faction(kind)}
    game.agendas = Pile(chance.shuffle(box.agenda_deck(len(game.seats))))
    game.loot = Pile(chance.shuffle(box.deck(CardDeck.LOOT)))
    game.assets = Pile(chance.shuffle(box.deck(CardDeck.ASSET)))
    game.uniques = box.deck(CardDeck.UNIQUE)
    game.perks = box.perk_deck()
    stars = [number for number, card in enumerate(box.encounters) if card.number == 0]
    for icon in (EncounterIcon.SETTLEMENT, EncounterIcon.WASTELAND):
        game.decks_of[icon] = chance.shuffle([number for number in stars if box.encounters[number].back is icon])
    for key in ("build-map", "sort-supply", "encounter-decks"):
        remind(game, key, NOBODY)


def _arrange(game: WastelandGame, table: WastelandTable) -> None:
    """Decks that somebody arranged: named cards on top, or nothing but them and the rest discarded."""
    box = game.box
    cards, foes = [card.id for card in box.cards], [enemy.id for enemy in box.enemies]
    piles = {"agendas": (game.agendas, [card.id for card in box.agendas])}
    piles |= {"loot": (game.loot, cards), "assets": (game.assets, cards)}
    piles |= {kind.value: (pile, foes) for kind, pile in game.stacks.items()}
    encounters = [card.id for card in box.encounters]
    piles |= {f"{icon.value}-encounters": (Pile(deck), encounters) for icon, deck in game.decks_of.items()}
    for name, tops in table.tops.items():
        if name not in piles:
            raise Refusal("malformed", None, f"There is no deck {name[:60]!r}.", field="decks")
        pile, names = piles[name]
        for top in reversed(tops):
            place = next((one for one in range(len(pile.cards)) if names[pile.cards[one]] == top), NO_CARD)
            if place == NO_CARD:
                raise Refusal("not_in_deck", "W-LIMIT-2", f"{top[:60]!r} is not in {name}.", field="decks")
            pile.cards.append(pile.cards.pop(place))
        if name in table.only:
            rest = len(pile.cards) - len(tops)
            pile.discards += pile.cards[:rest]
            del pile.cards[:rest]


def _prepare(game: WastelandGame, table: WastelandTable) -> None:
    """From the first player clockwise: survivors, boards, starting effects, the first turn."""
    push(game, "first-turn", NOBODY)
    push(game, "starting-effects", NOBODY)
    order = game.from_first()
    for seat in reversed(order):
        push(game, "prepare-board", seat)
    for seat in reversed(order):
        push(game, "choose-survivor", seat, table.survivors.get(seat, ""))
    push(game, "reset-shop", NOBODY)


def with_cards(game: WastelandGame, box: WastelandBox) -> WastelandGame:
    """The same position with cards whose print was corrected; the same cards lie in the same places."""
    if box.what_lies_in_it() != game.box.what_lies_in_it() or game.scenario.id not in box.scenarios:
        raise Refusal("other_cards", None, "That pack has other cards; a game keeps the cards it began with.")
    changed = game.copy()
    changed.box, changed.scenario = box, box.scenarios[game.scenario.id]
    changed.table_dice = game.table_dice or not box.dice
    return changed


KEYS: Final = frozenset({"players", "scenario", "first", "survivors", "options", "decks"})


class WastelandTable:
    """What is agreed before the game: who plays where, which scenario, and whatever lies ready by hand."""

    def __init__(self, players: tuple[int, ...], scenario: str = "", first: int = NOBODY) -> None:
        self.players = players  # clockwise
        self.scenario = scenario
        self.first = first
        self.survivors: dict[int, str] = {}
        self.table_dice = False
        self.table_cards = False
        self.tops: dict[str, list[str]] = {}  # the top cards of a deck, the topmost first
        self.only: set[str] = set()  # decks whose other cards lie on the discard pile


def table_from_json(raw: dict[str, object]) -> WastelandTable:
    """Who plays, which scenario, and what lies ready."""
    for key in raw:
        if key not in KEYS:
            raise fields.malformed("setup", key, "one of " + ", ".join(sorted(KEYS)))
    players = tuple(readers.colour(name, "players") for name in fields.a_list(raw.get("players"), "players"))
    first = NOBODY if raw.get("first") is None else readers.colour(raw["first"], "first")
    scenario = "" if raw.get("scenario") is None else fields.text(raw["scenario"], "scenario")
    table = WastelandTable(players, scenario, first)
    survivors = fields.an_object(raw.get("survivors", {}), "survivors")
    table.survivors = {readers.colour(name, "survivors"): fields.text(one, name) for name, one in survivors.items()}
    options = fields.an_object(raw.get("options", {}), "options")
    if set(options) - {"dice", "cards"}:
        raise fields.malformed("options", options, "dice and cards")
    table.table_dice = fields.by_table(options.get("dice", "companion"), "dice")
    table.table_cards = fields.by_table(options.get("cards", "companion"), "cards")
    decks = fields.an_object(raw.get("decks", {}), "decks")
    table.only = {name for name, cards in decks.items() if isinstance(cards, dict)}
    named = {name: cards.get("only") if isinstance(cards, dict) else cards for name, cards in decks.items()}
    table.tops = {name: fields.texts(cards, name) for name, cards in named.items()}
    return table
