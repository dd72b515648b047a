"""W-SETUP: the preparation of a game for one to four players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import LETTERS, CardDeck, EnemyType, Icon
from companion.games.refusal import Refusal
from companion.games.wasteland import enemies, items, making, quests, rounds, shop, xp
from companion.games.wasteland.agendas import draw_agenda
from companion.games.wasteland.box import is_faction
from companion.games.wasteland.fate import Fate
from companion.games.wasteland.game import Game
from companion.games.wasteland.piles import Pile
from companion.games.wasteland.telling import remind, tell
from companion.games.wasteland.words import COLOURS, LETTER_NUMBER, NO_CARD, NOBODY, START_HOLE, turned
from companion.games.wasteland.work import ask, push

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.wasteland.box import Box
    from companion.games.wasteland.work import Choice, Step


class Table:
    """What is agreed before the game: who plays where, which scenario, and whatever lies ready by hand."""

    def __init__(self, players: tuple[int, ...], scenario: str = "", first: int = NOBODY) -> None:
        self.players = players  # clockwise
        self.scenario = scenario
        self.first = first
        self.survivors: dict[int, str] = {}
        self.table_dice = False
        self.tops: dict[str, list[str]] = {}  # the top cards of a deck, the topmost first


def new_game(box: Box, table: Table, chance: Chance) -> Game:
    """A game ready for its first choice (W-SETUP-1)."""
    if not 1 <= len(table.players) <= len(COLOURS) or len(set(table.players)) != len(table.players):
        raise Refusal("impossible", "W-SETUP-1", "One to four different colours play.")
    sheet = box.scenarios.get(table.scenario) if table.scenario else next(iter(box.scenarios.values()))
    if sheet is None:
        raise Refusal("no_such_scenario", "W-SETUP-1", f"There is no scenario {table.scenario[:60]!r}.")
    game = Game(box, sheet, table.players)
    fate = Fate(game, chance)
    game.table_dice = table.table_dice or not box.dice
    _sort_the_supply(game, fate)
    _put_on_top(game, table)
    shop.open_shop(game, fate)
    game.first = table.first if table.first != NOBODY else game.seats[fate.pick(len(game.seats))]
    if game.first not in game.seats:
        raise Refusal("not_playing", "W-SETUP-8", "The first player is nobody who plays.", field="first")
    tell(game, "first_player", game.first)
    _prepare(game, table)
    making.go_on(game, fate)
    return game


def _sort_the_supply(game: Game, fate: Fate) -> None:
    """Stacks and decks, shuffled (W-SETUP-3 to 6); solo and small tables leave agendas out."""
    box = game.box
    game.supply = list(box.settings.special_supply)
    game.stacks = {kind: Pile(fate.shuffle(box.stack(kind))) for kind in EnemyType if not is_faction(kind)}
    game.agendas = Pile(fate.shuffle(box.agenda_deck(len(game.seats))))
    game.loot = Pile(fate.shuffle(box.deck(CardDeck.LOOT)))
    game.assets = Pile(fate.shuffle(box.deck(CardDeck.ASSET)))
    game.uniques = box.deck(CardDeck.UNIQUE)
    game.perks = box.perk_deck()
    stars = [number for number, card in enumerate(box.encounters) if card.number == 0]
    for icon in (Icon.SETTLEMENT, Icon.WASTELAND):
        game.decks_of[icon] = fate.shuffle([number for number in stars if box.encounters[number].back is icon])
    for key in ("build-map", "sort-supply", "encounter-decks"):
        remind(game, key, NOBODY)


def _put_on_top(game: Game, table: Table) -> None:
    """Decks that somebody arranged."""
    box = game.box
    piles: dict[str, tuple[list[int], list[str]]] = {
        "agendas": (game.agendas.cards, [card.id for card in box.agendas]),
        "loot": (game.loot.cards, [card.id for card in box.cards]),
        "assets": (game.assets.cards, [card.id for card in box.cards]),
    }
    for kind, pile in game.stacks.items():
        piles[kind.value] = (pile.cards, [enemy.id for enemy in box.enemies])
    for icon, deck in game.decks_of.items():
        piles[f"{icon.value}-encounters"] = (deck, [card.id for card in box.encounters])
    for name, tops in table.tops.items():
        if name not in piles:
            raise Refusal("malformed", None, f"There is no deck {name[:60]!r}.", field="decks")
        cards, names = piles[name]
        for top in reversed(tops):
            place = next((one for one in range(len(cards)) if names[cards[one]] == top), NO_CARD)
            if place == NO_CARD:
                raise Refusal("not_in_deck", "W-LIMIT-2", f"{top[:60]!r} is not in {name}.", field="decks")
            cards.append(cards.pop(place))


def _prepare(game: Game, table: Table) -> None:
    """From the first player clockwise: survivors, boards, starting effects, the first turn."""
    push(game, "first-turn", NOBODY)
    push(game, "starting-effects", NOBODY)
    order = game.from_first()
    for seat in reversed(order):
        push(game, "prepare-board", seat)
    for seat in reversed(order):
        push(game, "choose-survivor", seat, table.survivors.get(seat, ""))


def choose_survivor(game: Game, _fate: Fate, step: Step) -> None:
    """Each picks one that nobody has yet (W-SETUP-9)."""
    named = step.data[0]
    if not named:
        ask(game, step.seat, "survivor", "W-SETUP-9")
        return
    if named not in free_survivors(game, None):
        raise Refusal("no_such_survivor", "W-SETUP-9", f"{named[:60]!r} cannot be chosen.", field="survivors")
    game.survivors[step.seat].character = game.box.character_number[named]
    free = free_spaces(game, None)
    game.survivors[step.seat].at = free[0] if free else ""


def free_survivors(game: Game, _choice: Choice | None) -> list[str]:
    """The survivors nobody plays."""
    taken = {game.survivors[seat].character for seat in game.seats}
    return [one.id for number, one in enumerate(game.box.characters) if number not in taken]


def answer_survivor(game: Game, _fate: Fate, choice: Choice, option: str) -> None:
    """The character card, its letter, and a space for the figure."""
    game.survivors[choice.by].character = game.box.character_number[option]
    tell(game, "survivor", choice.by, survivor=option)
    remind(game, "start-space", choice.by)
    push(game, "ask", choice.by, "setup-space", "W-SETUP-10")


def free_spaces(game: Game, _choice: Choice | None) -> list[str]:
    """The spaces of the starting tile that no other figure stands on (W-SETUP-10)."""
    taken = {game.survivors[seat].at for seat in game.seats}
    return [space for space in game.scenario.start_spaces if space not in taken]


def answer_space(game: Game, _fate: Fate, choice: Choice, option: str) -> None:
    """The figure stands there."""
    game.survivors[choice.by].at = option


def prepare_board(game: Game, fate: Fate, step: Step) -> None:
    """Pegs, two letters, one agenda, the Caps and the character card (W-SETUP-11 to 13, W-SETUP-17)."""
    survivor, settings = game.survivors[step.seat], game.box.settings
    character = game.box.characters[survivor.character]
    survivor.hp = survivor.hp_max = character.hp_max or settings.hp_max
    survivor.rads, survivor.hole, survivor.caps = 0, START_HOLE, settings.start_caps
    survivor.traits = frozenset(character.start_traits)
    own = LETTER_NUMBER[character.letter]
    survivor.letters = 1 << own
    game.supply[own] = max(0, game.supply[own] - 1)
    _second_letter(game, fate, step.seat)
    card = draw_agenda(game, fate)
    if card is not None:
        survivor.hand, survivor.answers = [card], [0]
    if character.start_card:
        items.gain_and_limit(game, step.seat, turned(game.box.card_number[character.start_card]))


def _second_letter(game: Game, fate: Fate, seat: int) -> None:
    """A letter already owned is drawn again until it differs (W-SETUP-12)."""
    survivor = game.survivors[seat]
    set_aside: list[int] = []
    drawn = xp.draw_letters(game, fate, 1)
    while drawn and survivor.letters >> drawn[0] & 1:
        set_aside += drawn
        drawn = xp.draw_letters(game, fate, 1)
    for letter in set_aside:
        game.supply[letter] += 1
    if drawn:
        survivor.letters |= 1 << drawn[0]
        tell(game, "letter_kept", seat, letter=LETTERS[drawn[0]], new=True)


def starting_effects(game: Game, fate: Fate, _step: Step) -> None:
    """Opening quests and the enemies on the map, faceup (W-SETUP-14, W-SETUP-15)."""
    remind(game, "starting-effects", game.first, notes=list(game.scenario.setup_notes))
    remind(game, "enemies-on-the-map", game.first)
    remind(game, "faction-tokens", game.first)
    for placed in game.scenario.enemies:
        enemies.place(game, fate, placed.type, placed.at, active=True)
    for number in reversed(game.scenario.opening_quests):
        quests.stage(game, game.first, number)
    game.quests.reverse()


def first_turn(game: Game, _fate: Fate, _step: Step) -> None:
    """The first player begins (W-TURN-1)."""
    rounds.begin_turn(game, game.first)
