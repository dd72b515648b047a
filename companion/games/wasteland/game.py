"""A game in the wasteland: begun as agreed, played move by move, carried on until it waits for somebody."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import CardDeck, EncounterIcon, EnemyType
from companion.games import fields
from companion.games.wasteland import legal, moves
from companion.games.wasteland.box import COLOURS, NO_CARD, NOBODY, is_faction
from companion.games.wasteland.corrections import correcting
from companion.games.wasteland.events import PlainEvent
from companion.games.wasteland.fight import dice, fights
from companion.games.wasteland.flow import ending, results, sequence, setup
from companion.games.wasteland.flow.decks import MoveChance
from companion.games.wasteland.flow.sequence import push
from companion.games.wasteland.flow.ways import LuckyAgendas, OwnFaction, Together, Ways
from companion.games.wasteland.map import actions, activation, enemies, exploring
from companion.games.wasteland.moves import refuse_unless_playing
from companion.games.wasteland.position import NEWEST, Pile, WastelandPosition, remind
from companion.games.wasteland.story import agendas, encounters, learning, quests
from companion.games.wasteland.survivor import abilities, camp, hp, items, pegs
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.wasteland.box import WastelandBox
    from companion.games.wasteland.events import WastelandEvent
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import PendingStep


Make = Callable[["WastelandPosition", "MoveChance", "WastelandMove"], None]
Do = Callable[["WastelandPosition", "MoveChance", "PendingStep"], None]

MOVES: Final[dict[str, Make]] = {
    "choose": legal.answer_open_choice,
    "end": sequence.end,
    "move": actions.move,
    "step": actions.step,
    "walk": actions.walk,
    "explore": exploring.explore,
    "encounter": encounters.encounter,
    "fight": actions.fight,
    "quest": quests.quest,
    "trigger": quests.trigger,
    "camp": camp.camp,
    "equip": items.equip,
    "unequip": items.unequip,
    "loyalty": agendas.declare_loyalty,
    "perk": abilities.use_perk,
    "use": abilities.use,
    "offer": camp.offer_trade,
    "show": camp.show,
    "answer": agendas.answer_manual,
    "claim": ending.claim,
    "reveal": activation.reveal,
    "enemy": enemies.place_by_hand,
    "result": encounters.result,
    "test": encounters.keyed_test,
    "draw-fight": encounters.keyed_fight,
    "learn": learning.learn,
    "correct": correcting.correct,
}

STEPS: Final[dict[str, Do]] = {
    "ask": lambda game, _chance, step: sequence.ask_now(game, step),
    "choose-survivor": setup.choose_survivor,
    "prepare-board": setup.prepare_board,
    "starting-effects": setup.starting_effects,
    "first-turn": setup.first_turn,
    "end-turn": sequence.end_turn,
    "next-round": sequence.next_round,
    "discard-revealed": activation.discard_revealed,
    "agenda-away": learning.agenda_away,
    "activate-type": activation.activate_type,
    "next-enemy": activation.next_enemy,
    "act": activation.act,
    "wake": activation.wake,
    "walk": actions.walk_on,
    "flip": exploring.flip,
    "random-enemy": exploring.random_enemy,
    "place-enemy": enemies.place_step,
    "replace-enemy": enemies.replace,
    "forced-fights": fights.forced,
    "fight": fights.start,
    "draw-and-fight": fights.draw_and_fight,
    "throw": dice.throw,
    "die": dice.ask_die,
    "reroll": fights.ask_reroll,
    "enemy-hits": fights.enemy_hits,
    "during-fight": fights.ask_during,
    "fight-hits": fights.fight_hits,
    "test": fights.start_test,
    "test-result": fights.judge_test,
    "killed": hp.killed,
    "factions-grow": agendas.grow_by_death,
    "level-up": pegs.level_up,
    "gain-perk": pegs.gain_perk,
    "agendas": agendas.gain,
    "agenda-limit": agendas.limit,
    "draw-cards": items.draw_cards,
    "gain-card": items.gain_card,
    "inventory-limit": items.limit,
    "results": results.next_result,
    "judge": quests.judge_task,
    "open-encounter": encounters.open_card,
    "end-visit": encounters.close,
    "turn-cards": abilities.turn_cards,
    "unexhaust": camp.unexhaust,
    "shop": camp.shop,
    "reset-shop": camp.reset_shop,
    "judge-all": ending.judge_all,
}


SETS_RIGHT: Final = frozenset({"correct", "enemy", "result"})
"""Moves that tell what lies on the table: no turn ends because of them."""


def make(game: WastelandPosition, chance: MoveChance, move: WastelandMove) -> None:
    """Make a move and go on until somebody is asked or nothing is left to do."""
    if move.by != NOBODY:
        refuse_unless_playing(game.seats, move.by)
    MOVES[move.do](game, chance, move)
    go_on(game, chance)
    if game.by_itself and move.do not in SETS_RIGHT and not game.pending and legal.nothing_left(game):
        push(game, "end-turn", game.turn)
        go_on(game, chance)


def go_on(game: WastelandPosition, chance: MoveChance) -> None:
    """Carry out steps until somebody is asked; a choice with one answer is taken, one without any is dropped."""
    while True:
        if game.pending:
            choice = game.pending[0]
            offered = legal.options(game, choice)
            only = legal.only_answer(game, choice, offered)
            if not offered:
                game.pending.remove(choice)
            elif only is not None:
                legal.answer(game, chance, choice, only)
            else:
                return
        elif game.steps:
            sequence.do_next(game, chance, STEPS)
        else:
            return


class WastelandGame(WastelandPosition):
    """A game that lists its moves, plays one and copies itself; it touches nothing outside."""

    __slots__ = ()

    def legal_moves(self, seat: int | None = None) -> list[WastelandMove]:
        """Return every legal move; with a seat also what only that seat may know of."""
        return legal.legal_moves(self, seat)

    def play(self, move: WastelandMove, chance: Chance) -> list[WastelandEvent]:
        """Make a move. A refusal leaves the game as it was."""
        before = self.copy()
        self.events, self.reminders = [], ()
        try:
            make(self, MoveChance(self, chance, move.dice, move.drawn), move)
        except Refusal:
            self.become(before)
            raise
        return self.events


def new_game(box: WastelandBox, table: WastelandTable, chance: Chance, version: int = NEWEST) -> WastelandGame:
    """Return a game ready for its first choice (W-SETUP-1)."""
    if not 1 <= len(table.players) <= len(COLOURS) or len(set(table.players)) != len(table.players):
        raise Refusal("impossible", "W-SETUP-1", "One to four different colours play.")
    sheet = box.scenarios.get(table.scenario) if table.scenario else next(iter(box.scenarios.values()))
    if sheet is None:
        raise Refusal("no_such_scenario", "W-SETUP-1", f"There is no scenario {table.scenario[:60]!r}.")
    game = WastelandGame(box, sheet, table.players)
    game.version = version
    drawn = MoveChance(game, chance)
    game.table_dice = table.table_dice or not box.dice
    game.table_cards, game.ways = table.table_cards or box.has_blanks, table.ways
    _sort_the_supply(game, drawn)
    _arrange(game, table)
    game.first = table.first if table.first != NOBODY else game.seats[drawn.pick(len(game.seats))]
    if game.first not in game.seats:
        raise Refusal("not_playing", "W-SETUP-8", "The first player is nobody who plays.", field="first")
    game.events.append(PlainEvent("first_player", game.first))
    _prepare(game, table)
    go_on(game, drawn)
    return game


def _sort_the_supply(game: WastelandGame, chance: MoveChance) -> None:
    """Shuffle stacks and decks (W-SETUP-3 to 6); solo and small tables leave agendas out."""
    box = game.box
    game.supply = list(box.settings.special_supply)
    game.stacks = {kind: Pile(chance.shuffle(box.stack(kind))) for kind in EnemyType if not is_faction(kind)}
    game.agendas = Pile(chance.shuffle(box.agenda_deck(len(game.seats))))
    game.loot = Pile(chance.shuffle(box.deck(CardDeck.LOOT)))
    game.assets = Pile(chance.shuffle(box.deck(CardDeck.ASSET)))
    game.uniques = box.deck(CardDeck.UNIQUE)
    game.perks = box.perk_deck()
    for icon in (EncounterIcon.SETTLEMENT, EncounterIcon.WASTELAND):
        game.decks_of[icon] = chance.shuffle(box.star_deck(icon))
    exploring.lay_out(game, chance)
    for key in ("build-map", "sort-supply", "encounter-decks"):
        remind(game, key, NOBODY)


def _arrange(game: WastelandGame, table: WastelandTable) -> None:
    """Arrange decks: named cards on top, or nothing but them and the rest discarded."""
    box = game.box
    cards, foes = [card.id for card in box.cards], [enemy.id for enemy in box.enemies]
    piles = {"agendas": (game.agendas, [card.id for card in box.agendas])}
    piles |= {"loot": (game.loot, cards), "assets": (game.assets, cards)}
    piles |= {kind.value: (pile, foes) for kind, pile in game.stacks.items()}
    encounters = [card.id for card in box.encounters]
    piles |= {f"{icon.value}-encounters": (Pile(deck), encounters) for icon, deck in game.decks_of.items()}
    tiles = [tile.id for tile in box.tiles]
    piles |= {exploring.stack_name(back): (Pile(stack), tiles) for back, stack in game.tile_stacks.items()}
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
    """Push survivors, boards, starting effects and the first turn, from the first player clockwise."""
    push(game, "first-turn", NOBODY)
    push(game, "starting-effects", NOBODY)
    order = game.from_first()
    for seat in reversed(order):
        push(game, "prepare-board", seat)
    for seat in reversed(order):
        push(game, "choose-survivor", seat, table.survivors.get(seat, ""))
    push(game, "reset-shop", NOBODY)


def with_cards(game: WastelandGame, box: WastelandBox) -> WastelandGame:
    """Return the same position with cards whose print was corrected."""
    if box.what_lies_in_it() != game.box.what_lies_in_it() or game.scenario.id not in box.scenarios:
        raise Refusal("other_cards", None, "That pack has other cards; a game keeps the cards it began with.")
    if box.scenarios[game.scenario.id].layout != game.scenario.layout:
        raise Refusal("other_cards", None, "That pack has another map; a game keeps the map it began with.")
    changed = game.copy()
    changed.box, changed.scenario = box, box.scenarios[game.scenario.id]
    changed.table_dice = game.table_dice or not box.dice
    return changed


SETUP_KEYS: Final = frozenset({"players", "scenario", "first", "survivors", "options", "decks"})


class WastelandTable:
    """What is agreed before the game: players, scenario, survivors, options, arranged decks."""

    def __init__(self, players: tuple[int, ...], scenario: str = "", first: int = NOBODY) -> None:
        self.players = players  # clockwise
        self.scenario = scenario
        self.first = first
        self.survivors: dict[int, str] = {}
        self.table_dice = False
        self.table_cards = False
        self.ways = Ways()
        self.tops: dict[str, list[str]] = {}  # the top cards of a deck, the topmost first
        self.only: set[str] = set()  # decks whose other cards lie on the discard pile


def table_from_json(raw: dict[str, object]) -> WastelandTable:
    for key in raw:
        if key not in SETUP_KEYS:
            raise fields.malformed("setup", key, "one of " + ", ".join(sorted(SETUP_KEYS)))
    players = tuple(moves.colour(name, "players") for name in fields.a_list(raw.get("players"), "players"))
    first = NOBODY if raw.get("first") is None else moves.colour(raw["first"], "first")
    scenario = "" if raw.get("scenario") is None else fields.text(raw["scenario"], "scenario")
    table = WastelandTable(players, scenario, first)
    survivors = fields.an_object(raw.get("survivors", {}), "survivors")
    table.survivors = {moves.colour(name, "survivors"): fields.text(one, name) for name, one in survivors.items()}
    options = fields.an_object(raw.get("options", {}), "options")
    if set(options) - {"dice", "cards", "together", "agendas", "own"}:
        raise fields.malformed("options", options, "dice, cards, together, agendas and own")
    table.table_dice = fields.by_table(options.get("dice", "companion"), "dice")
    table.table_cards = fields.by_table(options.get("cards", "companion"), "cards")
    table.ways = Ways(
        Together(fields.one_of(options.get("together", Together.NO), "together", tuple(Together))),
        LuckyAgendas(fields.one_of(options.get("agendas", LuckyAgendas.BOOK), "agendas", tuple(LuckyAgendas))),
        OwnFaction(fields.one_of(options.get("own", OwnFaction.FIGHTS), "own", tuple(OwnFaction))),
    )
    decks = fields.an_object(raw.get("decks", {}), "decks")
    table.only = {name for name, cards in decks.items() if isinstance(cards, dict)}
    named = {name: cards.get("only") if isinstance(cards, dict) else cards for name, cards in decks.items()}
    table.tops = {name: fields.texts(cards, name) for name, cards in named.items()}
    return table
