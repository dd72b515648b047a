"""W-FACT-5: faction tokens that are no enemies: what the scenario's sheet says they mean, and where they lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import EnemyType, Faction
from companion.games.wasteland.box import ELSEWHERE, FACTIONS, is_faction
from companion.games.wasteland.events import EnemyEvent, TokenEvent

if TYPE_CHECKING:
    from companion.games.wasteland.position import WastelandPosition


def are_no_enemies(game: WastelandPosition, kind: EnemyType) -> bool:
    """Return whether the tokens of this type stand for something else in this scenario."""
    return is_faction(kind) and bool(game.scenario.tokens[FACTIONS.index(Faction(kind.value))])


def lay(game: WastelandPosition, seat: int, faction: Faction, at: str) -> None:
    game.tokens.append((faction, at or ELSEWHERE))
    game.events.append(TokenEvent("token_laid", seat, faction.value, at or ELSEWHERE))


def take(game: WastelandPosition, seat: int, faction: Faction, at: str) -> None:
    """Take a token of the faction off a space, whether it stands for an enemy or not."""
    if (faction, at) in game.tokens:
        game.tokens.remove((faction, at))
        game.events.append(TokenEvent("token_taken", seat, faction.value, at))
        return
    kinds = game.box.enemies
    for number, token in game.enemies.items():
        if token.at == at and kinds[token.kind].type.value == faction.value and not _is_fought(game, number):
            del game.enemies[number]
            game.events.append(EnemyEvent("enemy_gone", seat, number=number))
            return


def _is_fought(game: WastelandPosition, number: int) -> bool:
    return game.contest is not None and game.contest.number == number


def count(game: WastelandPosition, faction: str, at: str | None = None) -> int:
    """Return how many tokens of a faction lie on the map, or in a space."""
    kinds = game.box.enemies
    found = [where for kind, where in game.tokens if kind.value == faction]
    found += [one.at for one in game.enemies.values() if kinds[one.kind].type.value == faction]
    return len(found) if at is None else found.count(at)


def by_faction(game: WastelandPosition) -> dict[str, list[str]]:
    """Return the spaces of the tokens, for each faction whose tokens are no enemies."""
    return {
        faction.value: [at for kind, at in game.tokens if kind is faction]
        for faction, meaning in zip(FACTIONS, game.scenario.tokens, strict=True)
        if meaning
    }
