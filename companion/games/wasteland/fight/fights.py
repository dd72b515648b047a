"""W-FIGHT and W-TEST: a fight or a test, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.types import Does
from companion.cards.wasteland.words import Ability, Price, Timing, Trait
from companion.games.wasteland.box import NO_CARD, WEAPON, card_of, letters_of
from companion.games.wasteland.events import (
    EnemyHits,
    FightBegun,
    SkillTested,
    SkillTestJudged,
    StackEmpty,
    SurvivorHits,
)
from companion.games.wasteland.fight import dice
from companion.games.wasteland.fight.dice import contest_of
from companion.games.wasteland.flow import decks, ways
from companion.games.wasteland.flow.conditions import armor_of
from companion.games.wasteland.flow.sequence import ask, push
from companion.games.wasteland.flow.ways import OwnFaction
from companion.games.wasteland.map import enemies
from companion.games.wasteland.position import DiceContest
from companion.games.wasteland.story import agendas
from companion.games.wasteland.survivor import abilities, hp, pegs
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Enemy, WastelandCard
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


BEFORE = (Timing.BEFORE_FIGHT, Timing.DURING_FIGHT)
REROLLING = (Timing.REROLL_STEP, Timing.DURING_FIGHT)


def weapon_of(game: WastelandPosition, seat: int) -> WastelandCard | None:
    held = game.survivors[seat].slots[WEAPON]
    return None if held == NO_CARD else game.box.cards[card_of(held)]


def has_ranged_weapon(game: WastelandPosition, seat: int) -> bool:
    """Return whether a ranged weapon is equipped (W-FIGHT-2)."""
    weapon = weapon_of(game, seat)
    return weapon is not None and weapon.ranged


def reaches(game: WastelandPosition, seat: int, number: int) -> bool:
    """Return whether a survivor can fight an enemy: here, or next door with a ranged weapon (W-FIGHT-1, W-FIGHT-2)."""
    at, found = game.enemies[number].at, game.map
    if at == game.survivors[seat].at:
        return True
    return has_ranged_weapon(game, seat) and (found is None or found.touch(game.survivors[seat].at, at))


def begin(game: WastelandPosition, seat: int, number: int, *, adjacent: bool = False) -> None:
    """Start a fight with a token on the map."""
    push(game, "fight", seat, game.enemies[number].kind, number, adjacent)


def draw_and_fight(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Draw one of the type and fight it; it counts as in the survivor's space (W-ENEMY-26, A-16)."""
    kind = step.data[0]
    game.succeeded = False
    if game.ways.own is OwnFaction.SPARES and agendas.is_loyal_to(game, step.seat, kind):
        return
    token = decks.draw_token(game, chance, kind)
    if token is None:
        game.events.append(StackEmpty(step.seat, type=kind.value))
        return
    push(game, "fight", step.seat, token, 0, False)


def start(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Prepare the fight: rerolls from the weapon's letters (W-FIGHT-4, A-15), then before-fight abilities."""
    kind, number, adjacent = step.data
    if number and number not in game.enemies:
        return
    seat = step.seat
    game.contest, game.succeeded = prepared(game, seat, kind, number, adjacent=adjacent), False
    game.events.append(FightBegun(seat, enemy=game.box.enemies[kind].id, number=number, adjacent=adjacent))
    for do in ("fight-hits", "during-fight", "enemy-hits", "reroll"):
        push(game, do, seat)
    push(game, "throw", seat, dice.ALL_DICE)
    ask(game, seat, "fight", "W-FIGHT-3")


def prepared(game: WastelandPosition, seat: int, kind: int, number: int, *, adjacent: bool) -> DiceContest:
    """Return a fight before its first throw, with what equipment adds that costs nothing and always works."""
    weapon = weapon_of(game, seat)
    letters = weapon.letters if weapon else ""
    contest = DiceContest(seat, letters, len(set(letters) & set(letters_of(game.survivors[seat].letters))))
    contest.kind, contest.number, contest.adjacent, contest.drawn = kind, number, adjacent, not number
    contest.rerolls += _passive(game, seat, Does.REROLL)
    contest.hits += _passive(game, seat, Does.HIT)
    return contest


def _passive(game: WastelandPosition, seat: int, does: Does) -> int:
    working = [ability for _, ability in abilities.usable(game, seat, Timing.PASSIVE)]
    free = [ability for ability in working if ability.price is Price.NONE and not ability.caps]
    return sum(one.amount.number for ability in free for one in ability.effects if one.does is does)


def fight_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return abilities that may be used before the roll, and `roll`."""
    return ["roll", *abilities.options(game, choice.by, *BEFORE)]


def answer_fight(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    if option != "roll":
        push(game, "ask", choice.by, "fight", "W-FIGHT-3")
        abilities.answer(game, choice.by, option, *BEFORE)


def ask_reroll(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Ask for rerolls one after another, each after seeing the last outcome (step 2, W-DICE-3)."""
    ask(game, step.seat, "reroll", "W-DICE-3")


def timings_of(game: WastelandPosition, kind: str) -> tuple[Timing, ...]:
    """Return when a card must work to be used in a step of the fight or test under way."""
    if kind == "reroll" and contest_of(game).is_fight:
        return REROLLING
    return {"fight": BEFORE, "during-fight": (Timing.DURING_FIGHT,)}.get(kind, (Timing.TEST,))


def reroll_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return `keep`, sets of dice, Well Rested and cards (W-FIGHT-5, W-TEST-2)."""
    contest = contest_of(game)
    found = ["keep", *(dice.REROLLS if contest.rerolls > 0 else ())]
    if Trait.WELL_RESTED in game.survivors[choice.by].traits:
        found.append("well-rested")
    return found + abilities.options(game, choice.by, *timings_of(game, "reroll"))


def answer_reroll(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    if option == "keep":
        return
    push(game, "reroll", choice.by)
    if option == "well-rested":
        pegs.lose_trait(game, choice.by, Trait.WELL_RESTED)
        contest_of(game).rerolls += 1
    elif option[0].isdecimal():
        dice.reroll(game, option)
    else:
        abilities.answer(game, choice.by, option, *timings_of(game, "reroll"))


def enemy_hits(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Deal the enemy's damage, then Radiation; each may kill (step 3, W-FIGHT-6, W-FIGHT-7, A-7)."""
    contest = contest_of(game)
    enemy = game.box.enemies[contest.kind]
    hits = hits_suffered(game, contest, enemy, sum(face.hits for face in dice.faces_of(contest)))
    level = agendas.level_of(game, enemy)
    game.events.append(EnemyHits(step.seat, hits=hits, level=level))
    if hits * level == 0 or hp.suffer_damage(game, step.seat, hits * level):
        return
    if Ability.RADIATION in enemy.abilities:
        hp.change_rads(game, step.seat, level)


def hits_suffered(game: WastelandPosition, contest: DiceContest, enemy: Enemy, thrown: int) -> int:
    """Return the enemy's hits by the bullets on the dice, less the armor."""
    return max(0, thrown + _ranged_bonus(game, contest, enemy) - armor_of(game, contest.seat))


def damage(game: WastelandPosition, contest: DiceContest, enemy: Enemy, thrown: int) -> int:
    """Return the HP that so many bullets on the dice cost (W-FIGHT-6)."""
    return hits_suffered(game, contest, enemy, thrown) * agendas.level_of(game, enemy)


def ask_during(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Offer during-fight abilities, which fit in any step, between both sides' hits (W-FIGHT-3)."""
    ask(game, step.seat, "during-fight", "W-FIGHT-3")


def during_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    return ["go-on", *abilities.card_options(game, choice.by, Timing.DURING_FIGHT)]


def answer_during(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    if option != "go-on":
        push(game, "during-fight", choice.by)
        abilities.answer(game, choice.by, option, Timing.DURING_FIGHT)


def _ranged_bonus(game: WastelandPosition, contest: DiceContest, enemy: Enemy) -> int:
    """Return one hit more for a Ranged enemy next door, unless a ranged weapon answers it (W-ENEMY-20)."""
    ranged = Ability.RANGED in enemy.abilities and contest.adjacent
    return int(ranged and not has_ranged_weapon(game, contest.seat))


def survivor_hits(game: WastelandPosition, contest: DiceContest, enemy: Enemy) -> int:
    """Count one hit a die at most, one more by a ranged weapon from next door (W-FIGHT-8, W-FIGHT-9, A-12)."""
    hits = sum(bool(face.areas & enemy.areas) for face in dice.faces_of(contest))
    return max(0, hits + hits_besides(game, contest, enemy))


def hits_besides(game: WastelandPosition, contest: DiceContest, enemy: Enemy) -> int:
    """Return the survivor's hits that are on no die: by cards, and by a ranged weapon from next door."""
    shot = contest.adjacent and has_ranged_weapon(game, contest.seat) and Ability.RANGED not in enemy.abilities
    return contest.hits + shot


def hits_needed(game: WastelandPosition, enemy: Enemy) -> int:
    """Return the level, one more with Armor (W-FIGHT-10, W-ENEMY-17)."""
    return agendas.level_of(game, enemy) + (Ability.ARMOR in enemy.abilities)


def fight_hits(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Judge the survivor's hits and pay for a kill; the fight is over either way (steps 4 and 5, W-FIGHT-12)."""
    contest = contest_of(game)
    enemy = game.box.enemies[contest.kind]
    hits, needed = survivor_hits(game, contest, enemy), hits_needed(game, enemy)
    game.contest, game.succeeded = None, hits >= needed
    game.events.append(SurvivorHits(step.seat, hits=hits, needed=needed, killed=game.succeeded))
    if contest.drawn:
        decks.discard_token(game, contest.kind)
        if game.succeeded:
            enemies.pay_for_kill(game, step.seat, enemy, agendas.level_of(game, enemy))
    elif game.succeeded:
        enemies.killed(game, step.seat, contest.number)
    else:
        enemies.not_killed(game, contest, enemy)


def refuse_loyal(game: WastelandPosition, seat: int, number: int) -> None:
    """Refuse a fight with an enemy of the survivor's own faction (W-LOYAL-6)."""
    enemy = enemies.enemy_of(game, number)
    if agendas.is_loyal_to(game, seat, enemy.type):
        raise Refusal("loyal", "W-LOYAL-6", "These enemies are of the own faction.", enemy=number)


def forced(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Ask in which order Aggressive enemies are fought (W-ENEMY-13, W-ENEMY-15, W-ACT-6)."""
    waiting = tuple(number for number in step.data[0] if number in game.enemies and game.enemies[number].active)
    if waiting:
        ask(game, step.seat, "forced-fight", "W-ENEMY-15", waiting)


def forced_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    return [str(number) for number in choice.data[0] if number in game.enemies]


def answer_forced(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Fight this one now, the others afterwards."""
    rest = tuple(number for number in choice.data[0] if number != int(option))
    push(game, "forced-fights", choice.by, rest)
    begin(game, choice.by, int(option))


def start_test(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Prepare a test: rerolls for the named letters that are owned, whatever the weapon (W-TEST-2)."""
    letters, difficulty = step.data
    contest = DiceContest(step.seat, letters, len(set(letters) & set(letters_of(game.survivors[step.seat].letters))))
    contest.difficulty = difficulty
    contest.rerolls += ways.helpers(game, contest)
    game.contest, game.succeeded = contest, False
    game.events.append(SkillTested(step.seat, letters=letters, difficulty=difficulty))
    if game.by_the_book:
        contest.rerolls += _passive(game, step.seat, Does.REROLL)
    for do in ("test-result", "reroll"):
        push(game, do, step.seat)
    push(game, "throw", step.seat, dice.ALL_DICE)
    ask(game, step.seat, "test", "W-TEST-1")


def test_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return cards that help in a test, and `roll`."""
    return ["roll", *abilities.options(game, choice.by, Timing.TEST)]


def answer_test(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    if option != "roll":
        push(game, "ask", choice.by, "test", "W-TEST-1")
        abilities.answer(game, choice.by, option, Timing.TEST)


def test_hits(contest: DiceContest) -> int:
    return sum(face.hits for face in dice.faces_of(contest)) + contest.hits


def judge_test(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Succeed if the hits reach the difficulty; areas, armor and levels play no part (W-TEST-3, W-TEST-5)."""
    contest = contest_of(game)
    hits = test_hits(contest)
    game.contest, game.succeeded = None, hits >= contest.difficulty
    game.events.append(SkillTestJudged(step.seat, hits=hits, difficulty=contest.difficulty, success=game.succeeded))
