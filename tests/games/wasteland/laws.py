"""What must hold in every position."""

from collections import Counter

from companion.cards.wasteland.words import CardDeck, Trait
from companion.games.wasteland.box import COLOURS, LETTER_NUMBER, NO_CARD, OTHER_SIDE, card_of, is_faction, letters_of
from companion.games.wasteland.survivor.hp import rads_max
from companion.games.wasteland.survivor.pegs import own_letter


def problems(game):
    """Everything that is wrong with a position."""
    return [*_boards(game), *_cards(game), *_agendas(game), *_enemies(game), *_tokens(game), *_map(game)]


def _boards(game):
    asked = {choice.by for choice in game.pending} | {step.seat for step in game.steps}
    for seat in game.seats:
        survivor, who = game.survivors[seat], COLOURS[seat]
        if survivor.eliminated or game.phase == 0:
            continue
        if not 0 <= survivor.hp <= survivor.hp_max or not 0 <= survivor.rads <= rads_max(game, seat):
            yield f"pegs of {who}"
        if survivor.remaining <= 0 and seat not in asked and game.result is None:
            yield f"{who} is dead and nobody saw it"
        if survivor.hole != -1 and not survivor.letters >> survivor.hole & 1:
            yield f"the XP peg of {who}"
        if survivor.caps < 0 or any(
            OTHER_SIDE[trait] in survivor.traits for trait in Trait if trait in survivor.traits
        ):
            yield f"Caps or traits of {who}"
        if len(survivor.hand) > game.box.settings.agenda_limit and seat not in asked:
            yield f"too many agendas: {who}"
        if len(survivor.inventory) > game.box.settings.inventory_limit and seat not in asked:
            yield f"too many cards: {who}"
        if len(survivor.hand) != len(survivor.answers) or not -1 <= survivor.revealed < len(survivor.hand):
            yield f"hand of {who}"


def _cards(game):
    found = Counter(game.loot.cards + game.loot.discards + game.assets.cards + game.assets.discards)
    found += Counter(game.uniques + game.uniques_out + game.shop)
    for seat in game.seats:
        found += Counter(map(card_of, game.survivors[seat].held()))
    for choice in game.pending:
        found += Counter([card_of(choice.data[0])] if choice.kind == "equip" else [])
    for step in game.steps:
        found += Counter([card_of(step.data[0])] if step.do == "gain-card" else [])
    for deck in (CardDeck.LOOT, CardDeck.ASSET, CardDeck.UNIQUE):
        for card in set(game.box.deck(deck)):
            if found[card] != game.box.cards[card].count:
                yield f"{game.box.cards[card].id}: {found[card]} of {game.box.cards[card].count}"


def _agendas(game):
    found = game.agendas.cards + game.agendas.discards
    found = found + [card for seat in game.seats for card in game.survivors[seat].hand]
    found += [game.revealed_agenda] if game.revealed_agenda != NO_CARD else []
    if game.box.agendas_by_hand(len(game.seats)):
        found = [game.box.agenda_number["unknown-agenda"]] * len(found)  # nobody knows more of real ones
    if sorted(found) != sorted(game.box.agenda_deck(len(game.seats))):
        yield f"{len(found)} agendas"


def _enemies(game):
    found = Counter()
    for pile in game.stacks.values():
        found += Counter(pile.cards + pile.discards)
    found += Counter(token.kind for token in game.enemies.values())
    if game.contest is not None and game.contest.drawn:
        found += Counter([game.contest.kind])
    for number, enemy in enumerate(game.box.enemies):
        if not is_faction(enemy.type) and found[number] != enemy.count:
            yield f"{enemy.id}: {found[number]} of {enemy.count}"


def _tokens(game):
    found = Counter(dict(enumerate(game.supply)))
    for seat in game.seats:
        own = own_letter(game, seat)
        letters = [LETTER_NUMBER[letter] for letter in letters_of(game.survivors[seat].letters)]
        found += Counter(letter for letter in letters if letter != own)
    for choice in game.pending:
        found += Counter(choice.data if choice.kind == "letter" else ())
    if [found[letter] for letter in range(7)] != list(game.box.settings.special_supply):
        yield f"letters {found}"
    perks = game.perks + [perk for seat in game.seats for perk in game.survivors[seat].perks]
    if sorted(perks) != sorted(game.box.perk_deck()):
        yield "perks"
    if min(game.power) < 0:
        yield "power"


def _map(game):
    if game.map is None:
        return
    laid = Counter(game.laid.values()) + Counter(tile for stack in game.tile_stacks.values() for tile in stack)
    named = {place.tile for place in game.scenario.layout}
    if laid != Counter(number for number, tile in enumerate(game.box.tiles) if tile.back or tile.id in named):
        yield f"tiles {laid}"
    asked = {choice.data[0] for choice in game.pending if choice.kind == "put-on-tile"}
    asked |= {step.data[2] for step in game.steps if step.do == "ask" and step.data[0] == "put-on-tile"}
    for number, token in game.enemies.items():
        if not game.map.knows(token.at) and number not in asked:
            yield f"enemy {number} at {token.at!r}"
    for seat in game.seats:
        if game.phase != 0 and not game.survivors[seat].eliminated and game.survivors[seat].at not in game.map.spaces:
            yield f"{COLOURS[seat]} at {game.survivors[seat].at!r}"
