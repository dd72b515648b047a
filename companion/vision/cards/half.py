"""What half a sticker says, and whether a glance or a fine look at the picture bears it out."""

from dataclasses import dataclass

from companion.vision.cards.card_match_fine import Finding
from companion.vision.cards.placing import Placement
from companion.vision.cards.recognise import Guess

AGREED_SCORE = 0.4
HARDLY = 0.1
FINE, FINE_AGREED = 5.0, 1.0  # strength of evidence; cards that no profile knows reach 3.5, wrong ones 3


@dataclass(frozen=True, slots=True)
class Hint:
    """What half a sticker says; `firm` if little is missing."""

    placement: Placement
    firm: bool


Hints = dict[str, Hint]
Named = tuple[Finding, Placement]


def named_alike(guess: Guess | None, hint: Hint, *, firmly: bool = False) -> bool:
    """Whether half a sticker and the picture name the same card; `firmly` where nothing else can confirm it."""
    if guess is None or guess.placement.card != hint.placement.card:
        return False
    return guess.sure_threat if firmly else guess.score > AGREED_SCORE


def agree(guess: Guess | None, hint: Hint) -> bool:
    """Whether a hint may be believed: the picture names the same card, or, where it is firm, hardly another."""
    if named_alike(guess, hint):
        return True
    return hint.firm and (guess is None or guess.hinted > guess.score - HARDLY)


def contradicts(named: Named | None, hint: Hint) -> bool:
    """Whether a fine look speaks against half a sticker, whatever a glance says."""
    return named is not None and named[0].card != hint.placement.card and named[0].strength > FINE_AGREED


def settled(named: Named | None, hint: Hint | None) -> Placement | None:
    """Say what a fine look names: never against most of a sticker, and more readily if that says the same."""
    if named is None:
        return None
    found, placement = named
    if hint is not None and hint.placement.card == found.card:
        return hint.placement if found.strength > FINE_AGREED else None
    return placement if found.strength > FINE and (hint is None or not hint.firm) else None
