"""Where a card is entered that has just come and that nobody has entered: addresses of its form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from companion.cards.wasteland.blanks import PREFIX, blank, is_blank
from companion.cards.wasteland.words import CardDeck, EncounterIcon, EnemyType

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.wasteland.state_types import WastelandChoice, WastelandState
    from web.games.wasteland.names import Names

ENTERED: Final = "/wasteland/learn/"
_ITEMS: Final[Mapping[str, str]] = {blank(deck.value): deck.value for deck in CardDeck}
_ENCOUNTERS: Final[Mapping[str, str]] = {f"{icon.value}-encounters": icon.value for icon in EncounterIcon}


def address(names: Names, state: WastelandState, raw: WastelandChoice) -> tuple[str, str]:
    """Return where the card is entered that an open choice is about, and its kind; nothing where all are known."""
    blanks = any(map(is_blank, raw["options"]))
    match raw["kind"]:
        case "drawn" if blanks or ("pile" in raw["about"] and raw["about"]["pile"] in _ENCOUNTERS and _has_box(names)):
            return _of_pile(raw["about"]["pile"])
        case "fight" if state["contest"] is not None and is_blank(state["contest"]["enemy"] or ""):
            return to("enemy", type=str(state["contest"]["enemy"]).removeprefix(PREFIX)), "enemy"
        case "perk" if blanks:
            letter = next(one for one in raw["options"] if is_blank(one))[-1].upper()
            return to("perk", letters=letter), "perk"
        case "agenda-shown":
            return to("agenda"), "agenda"
        case "own-letter" if raw["by"] is not None:
            survivor = state["players"][raw["by"]]["survivor"] or ""
            return to("survivor", id=survivor, name=names.of(survivor)), "survivor"
        case "encounter" | "option" if _has_box(names):
            return _of_visit(names, state)
        case "quest-card" if _has_box(names):
            return to("quest", number=str(raw["about"].get("quest", ""))), "quest"
        case _:
            return "", ""


def _has_box(names: Names) -> bool:
    """Return whether cards are entered as they come."""
    return names.box.has_blanks


def _of_pile(pile: str) -> tuple[str, str]:
    if pile in _ENCOUNTERS:
        return to("encounter", back=_ENCOUNTERS[pile]), "encounter"
    if pile in list(EnemyType):
        return to("enemy", type=pile), "enemy"
    return to("card", deck=pile), "card"


def _of_visit(names: Names, state: WastelandState) -> tuple[str, str]:
    """Return where another section of the card is entered that lies open."""
    visit = state["encounter"]
    if visit is None:
        return "", ""
    known = names.box.encounters[names.box.encounter_number[visit["card"]]] if visit["card"] else None
    if known is not None and known.options and not known.open:
        return "", ""
    number = str(known.number) if known is not None and known.number else ""
    card = visit["card"] if visit["card"] and not is_blank(visit["card"]) and not number else ""
    return to("encounter", back=visit["icon"], number=number, id=card), "encounter"


def of_item(card: str) -> str:
    """Return where an item is entered that somebody holds, or that lies in the shop."""
    return to("card", deck=_ITEMS[card]) if card in _ITEMS else ""


def of_enemy(card: str | None, kind: str) -> str:
    """Return where a token is entered that lies on the map."""
    return to("enemy", type=kind) if card is not None and is_blank(card) else ""


def of_quest(names: Names, number: int) -> str:
    """Return where a staged quest is entered, as long as there is more on it."""
    quest = names.box.quests.get(number)
    return to("quest", number=str(number)) if _has_box(names) and (quest is None or quest.open) else ""


def to(kind: str, **said: str) -> str:
    return f"{ENTERED}{kind}?{urlencode({key: value for key, value in said.items() if value})}"
