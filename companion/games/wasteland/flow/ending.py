"""Influence and the end: victory, shared victory, the power end and common loss (W-INFL, W-END)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.types import Asks
from companion.games.wasteland.box import COLOURS, NO_CARD, NOBODY, OVER, SETUP
from companion.games.wasteland.events import PlainEvent, PowerEnd, WastelandOver
from companion.games.wasteland.flow import conditions, decks, ways
from companion.games.wasteland.flow.sequence import drop_all_work, push
from companion.games.wasteland.flow.ways import LuckyAgendas
from companion.games.wasteland.position import WastelandResult
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Agenda, Bonus
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


def needed(game: WastelandPosition) -> int:
    """Return the influence to win, by the number of players at setup (W-INFL-2, A-26); together more (W-ALL-1)."""
    if game.ways.shared:
        return ways.GOALS[game.ways.together][len(game.seats) - 1]
    return game.box.settings.influence[len(game.seats) - 1]


def influence(game: WastelandPosition, seat: int) -> int:
    """Sum all agendas held, hidden and revealed, anew each time (W-INFL-1, W-INFL-3, W-ALL-1)."""
    return sum(sum(worths(game, one)) for one in (game.alive() if game.ways.shared else (seat,)))


def worths(game: WastelandPosition, seat: int) -> list[int]:
    """Return what each agenda of a hand pays, by the house rule where one was agreed (W-LUCK)."""
    survivor = game.survivors[seat]
    hand = [game.box.agendas[card] for card in survivor.hand]
    paid = [worth(game, seat, agenda, answer) for agenda, answer in zip(hand, survivor.answers, strict=True)]
    of_factions = [place for place, agenda in enumerate(hand) if agenda.faction is not None]
    match game.ways.agendas:
        case LuckyAgendas.ONE:
            best = max(of_factions, key=lambda place: paid[place] - hand[place].base, default=None)
            poor = [place for place in of_factions if place != best]
        case LuckyAgendas.LOYAL:
            loyal = hand[survivor.revealed].faction if survivor.revealed != NO_CARD else None
            poor = [place for place in of_factions if hand[place].faction is not loyal]
        case _:
            poor = []
    return [agenda.base if place in poor else paid[place] for place, agenda in enumerate(hand)]


def public_influence(game: WastelandPosition, seat: int) -> int:
    """Return the least that everybody can tell: what hidden agendas pay outright, and what the revealed one pays."""
    survivor = game.survivors[seat]
    if game.ways.shared:
        return sum(worths(game, seat))
    least = min((agenda.base for agenda in game.box.agendas), default=0)
    if survivor.revealed == NO_CARD:
        return least * len(survivor.hand)
    return least * (len(survivor.hand) - 1) + worths(game, seat)[survivor.revealed]


def worth(game: WastelandPosition, seat: int, agenda: Agenda, answer: int) -> int:
    """Return one agenda's influence: its base, and of every group of conditions the best (W-AGENDA-1)."""
    total = agenda.base
    best: dict[str, int] = {}
    for bonus in agenda.bonuses:
        paid = bonus.influence * _times(game, seat, agenda, bonus, answer)
        if bonus.group:
            best[bonus.group] = max(paid, best.get(bonus.group, 0))
        else:
            total += paid
    return total + sum(best.values())


def _times(game: WastelandPosition, seat: int, agenda: Agenda, bonus: Bonus, answer: int) -> int:
    if bonus.when.asks is Asks.LEAD:
        return ways.lead(game, agenda.faction) if agenda.faction is not None else 0
    if bonus.when.asks is Asks.COUNT:
        return conditions.count_of(game, seat, bonus.when.word)
    if bonus.when.asks is Asks.MANUAL:
        return answer
    return int(conditions.holds(game, seat, bonus.when))


def has_manual_at(game: WastelandPosition, seat: int, place: int) -> bool:
    """Return whether the owner has to say what that agenda is worth."""
    agenda = game.box.agendas[game.survivors[seat].hand[place]]
    return any(bonus.when.asks is Asks.MANUAL for bonus in agenda.bonuses)


def question(agenda: Agenda) -> str | None:
    """Return what only the owner can answer about an agenda, in the words typed in."""
    return next((bonus.when.word for bonus in agenda.bonuses if bonus.when.asks is Asks.MANUAL), None)


BETWEEN = frozenset({"enemy-order"})
"""Choices that stand between two effects: a victory may be claimed there."""


def claim(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Claim victory; the companion checks before anything is shown (W-END-1, A-24)."""
    if game.phase in (OVER, SETUP):
        raise Refusal("game_over", "W-END-1", "There is nothing to claim now.")
    if any(choice.kind not in BETWEEN for choice in game.pending):
        raise Refusal("choice_open", "W-END-1", "First what is under way is finished.", kind=game.pending[0].kind)
    if game.survivors[move.by].eliminated or influence(game, move.by) < needed(game):
        raise Refusal("not_enough", "W-END-1", "The claim does not hold.", by=COLOURS[move.by])
    game.events.append(PlainEvent("claimed", move.by))
    stop(game)
    push(game, "judge-all", NOBODY, "influence")
    _ask_owners(game, move.by)


def power_end(game: WastelandPosition) -> None:
    """End the game at once: a faction is at or past the last space (W-END-2, A-23)."""
    if is_ending(game):
        return
    game.events.append(PowerEnd(NOBODY, power=tuple(game.power)))
    stop(game)
    push(game, "judge-all", NOBODY, "power")
    _ask_owners(game)


def is_ending(game: WastelandPosition) -> bool:
    """Return whether the game is over or only waits for its judgement."""
    return game.phase == OVER or any(step.do == "judge-all" for step in game.steps)


def stop(game: WastelandPosition) -> None:
    """Drop everything that is still to be done (W-AGENDA-9)."""
    drop_all_work(game)
    if game.contest is not None:
        decks.discard_token(game, game.contest.kind if game.contest.drawn else NO_CARD)
    game.contest = None


def _ask_owners(game: WastelandPosition, claimer: int = NOBODY) -> None:
    """Ask for the limit of agendas first (A-39), then what only owners can say; who claims has said it before."""
    for seat in reversed([one for one in game.from_first() if one != claimer]):
        for place in reversed(range(len(game.survivors[seat].hand))):
            if has_manual_at(game, seat, place):
                push(game, "ask", seat, "influence", "W-AGENDA-1", place)
    for seat in reversed(game.from_first()):
        push(game, "agenda-limit", seat)


def owner_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return what the condition may count."""
    if choice.data[0] >= len(game.survivors[choice.by].hand):
        return []
    return [str(count) for count in range(10)]


def answer_owner(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    game.survivors[choice.by].answers[choice.data[0]] = int(option)


def judge_all(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Let everyone at or above the threshold win together; with nobody there, all lose (W-END-3, W-END-4)."""
    totals = {seat: influence(game, seat) for seat in game.alive()}
    winners = tuple(seat for seat, total in totals.items() if total >= needed(game))
    finish(game, WastelandResult(winners, step.data[0] if winners else "common-loss", tuple(totals.items())))


def common_loss(game: WastelandPosition, decided_by: str) -> None:
    """End the game without a winner: nobody is left (W-END-5, A-27)."""
    stop(game)
    finish(game, WastelandResult((), decided_by, ()))


def finish(game: WastelandPosition, result: WastelandResult) -> None:
    game.phase, game.turn = OVER, NOBODY
    game.result = result
    game.events.append(
        WastelandOver(NOBODY, winners=tuple(COLOURS[seat] for seat in result.winners), decided_by=result.decided_by)
    )
