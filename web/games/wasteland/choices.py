"""Open choices: what is asked, and every answer as something to tap."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import in_words
from companion.cards.wasteland.blanks import blank, is_blank
from web.games.wasteland import board, contest, learning, scene

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.wasteland.events import OfferJson
    from companion.games.wasteland.moves import WastelandMoveJson
    from companion.games.wasteland.state_types import AgendaInHand, WastelandChoice, WastelandPrivate, WastelandState
    from web.base.words import Words
    from web.games.wasteland.contest import DieView
    from web.games.wasteland.names import Names

QUIET: Final = frozenset(
    {"keep", "go-on", "done", "none", "leave", "leaves", "refuse", "elsewhere", "no-icon", "nobody"}
)
ENEMIES: Final = frozenset({"forced-fight", "enemy-order", "attack-order", "fight-whom", "kill"})
SPACES: Final = frozenset({"setup-space", "start-space", "moved-to", "replacement", "put-on-tile"})
PLAYERS: Final = frozenset({"adjacent", "nearest", "helper"})
TOPMOST: Final = frozenset({"adjacent", "nearest"})
"""Of several survivors only the one counts who has least remaining HP: whoever is asked taps the topmost that fits."""
MANY_HP: Final = 999
TYPED: Final = frozenset({"moved-to", "replacement"})
"""The table may name a space that the companion has not heard of."""
MANY_FACES: Final = 12
PREFIXES: Final = ("use", "perk", "buy", "sell", "recruit")


@dataclass(slots=True)
class OptionView:
    label: str
    move: WastelandMoveJson
    sub: str = ""
    quiet: bool = False
    face: DieView | None = None


@dataclass(slots=True)
class ChoiceView:
    """One question; with `typed` a space may be written, with `keyed` a die is put together by its areas and hits."""

    id: int
    by: str
    title: str
    kind: str
    options: list[OptionView]
    typed: bool = False
    keyed: bool = False
    lines: list[str] = field(default_factory=list)
    learn: str = ""
    """Where a card is entered that is not among the options."""
    learn_label: str = ""


def choices(
    words: Words,
    names: Names,
    state: WastelandState,
    seats: frozenset[str],
    private: Mapping[str, WastelandPrivate],
) -> list[ChoiceView]:
    """Return the open choices of these seats, and those that anybody may answer."""
    return [
        _choice(words, names, state, raw, private)
        for raw in state["pending"]
        if raw["by"] in seats or (raw["by"] is None and seats)
    ]


def _choice(
    words: Words,
    names: Names,
    state: WastelandState,
    raw: WastelandChoice,
    private: Mapping[str, WastelandPrivate],
) -> ChoiceView:
    kind = raw["kind"]
    keyed = kind == "die" and len(raw["options"]) > MANY_FACES
    own = private.get(raw["by"] or "")
    hand = own["hand"] if own is not None else []
    options = _ordered(state, raw)
    found = [] if keyed else [_option(words, names, state, raw, one, hand) for one in options]
    asked = ChoiceView(
        raw["id"],
        raw["by"] or "",
        title(words, names, raw),
        kind,
        found,
        kind in TYPED and "map" not in state,
        keyed,
    )
    asked.learn, what = learning.address(names, state, raw)
    asked.learn_label = words.text(f"wlearn_{what}") if asked.learn else ""
    if kind == "offer":
        asked.lines = [
            words.text(
                "woffer_gives", who=names.player(raw["about"]["from"]), what=goods(words, names, raw["about"]["give"])
            ),
            words.text("woffer_takes", what=goods(words, names, raw["about"]["take"])),
        ]
    return asked


def _ordered(state: WastelandState, raw: WastelandChoice) -> list[str]:
    """Return the options; survivors who may be equally near stand as enemies pick them: least HP first."""
    if raw["kind"] not in TOPMOST:
        return raw["options"]
    single = [one for one in raw["options"] if "+" not in one]
    return sorted(single, key=lambda one: state["players"][one]["remaining"] if one in state["players"] else MANY_HP)


def title(words: Words, names: Names, raw: WastelandChoice) -> str:
    about = raw["about"]
    if about.get("words"):
        return str(about["words"])
    fields = {
        "enemy": names.enemy(about["enemy"]) if "enemy" in about else "",
        "n": about.get("die") or about.get("left") or about.get("agenda") or "",
        "type": names.kind(about["type"]) if "type" in about else "",
        "pile": _pile(words, names, about["pile"]) if "pile" in about else "",
    }
    whose = about.get("whose")
    if whose:
        return words.text("wdrawn_for", who=names.player(whose), **fields)
    return words.text(f"wask_{raw['kind'].replace('-', '_')}", **fields)


def _pile(words: Words, names: Names, pile: str) -> str:
    key = f"wdeck_{pile.replace('-', '_')}"
    return (
        words.text(key)
        if words.has(key)
        else names.kind(pile)
        if words.has(f"wtype_{pile.replace('-', '_')}")
        else pile
    )


def goods(words: Words, names: Names, raw: OfferJson) -> str:
    """Return what is offered, agendas by number alone."""
    parts = [names.of(card) for card in raw["cards"]]
    if raw["agendas"]:
        parts.append(words.count("wagendas", raw["agendas"]))
    if raw["caps"]:
        parts.append(words.count("wcaps", raw["caps"]))
    return ", ".join(parts) or words.text("wnothing")


def _option(
    words: Words, names: Names, state: WastelandState, raw: WastelandChoice, option: str, hand: list[AgendaInHand]
) -> OptionView:
    move: WastelandMoveJson = {"do": "choose", "id": raw["id"], "option": option}
    if raw["by"]:
        move["by"] = raw["by"]
    shown = OptionView("", move, quiet=option in QUIET)
    shown.label, shown.sub = _label(words, names, state, raw, option)
    if raw["kind"] == "die":
        enemy = contest.enemy_by_id(names, state["contest"]["enemy"]) if state["contest"] else None
        shown.face = contest.face(words, option, enemy)
        shown.label = shown.face.words
    if raw["kind"] == "agenda-discard" and len(hand) >= int(option):
        shown.sub = names.of(hand[int(option) - 1]["id"])
    return shown


def _label(words: Words, names: Names, state: WastelandState, raw: WastelandChoice, option: str) -> tuple[str, str]:
    """Return an answer and its small print."""
    kind, key = raw["kind"], f"wopt_{option.replace('-', '_')}"
    if words.has(key):
        sub = f"wsub_{option.replace('-', '_')}"
        return words.text(key), words.text(sub) if words.has(sub) else ""
    if kind in ENEMIES:
        return names.enemy_at(option), ""
    if kind in SPACES:
        return names.space(option), ""
    if kind in TOPMOST:
        return names.player(option), words.text("whp_left", n=state["players"][option]["remaining"])
    if kind in PLAYERS:
        return names.players(option), ""
    if kind == "loyal-side":
        return names.faction(option), ""
    if kind == "own-letter":
        return words.text(f"wletter_{option}"), ""
    if kind == "reroll" and option[0].isdecimal():
        return words.text("wopt_dice", dice=option.replace("+", ", ")), ""
    if kind in ("letter", "agenda-discard", "level", "option", "influence"):
        return _numbered(words, names, state, raw, option)
    return _card(words, names, option)


def _numbered(words: Words, names: Names, state: WastelandState, raw: WastelandChoice, option: str) -> tuple[str, str]:
    match raw["kind"]:
        case "letter":
            owned = raw["by"] is not None and option in state["players"][raw["by"]]["letters"]
            return words.text(f"wletter_{option}"), words.text("wletter_owned" if owned else "wletter_new")
        case "agenda-discard":
            return words.text("wagenda_nth", n=option), ""
        case "option":
            return _arrow(words, names, state, int(option))
        case _:
            return option, ""


def _arrow(words: Words, names: Names, state: WastelandState, place: int) -> tuple[str, str]:
    """Return an option of the encounter as it is read out, and what it takes."""
    label = words.text("woption_nth", n=place)
    found = scene.encounter_of(names, state)
    if found is None or not 1 <= place <= len(found.options):
        return label, ""
    one = found.options[place - 1]
    return names.told(one.text) or label, in_words.option(words, names, one)


def _card(words: Words, names: Names, option: str) -> tuple[str, str]:
    """Return the name and text of `use:CARD` and its like, or of a card, an enemy or a survivor by its id."""
    verb, _, thing = option.partition(":")
    if not thing or verb not in PREFIXES:
        verb, thing = "", option
    if is_blank(thing):
        letter = f"wletter_{thing[-1].upper()}"
        return words.text("wblank"), words.text(letter) if thing.startswith(blank("perk-")) else ""
    text = board.text_of(words, names, thing) or board.perk_text(words, names, thing) or _survivor(words, names, thing)
    name = names.of(thing)
    if verb in ("buy", "sell") and thing in names.box.card_number:
        card = names.box.cards[names.box.card_number[thing]]
        price = card.cost if verb == "buy" else max(0, (card.value or 0) - 1)
        name = f"{name}, {words.count('wcaps', price or 0)}"
    return (words.text(f"wverb_{verb}", what=name) if verb else name), text


def _survivor(words: Words, names: Names, thing: str) -> str:
    box = names.box
    if thing not in box.character_number:
        return ""
    one = box.characters[box.character_number[thing]]
    card = names.of(one.start_card) if one.start_card else ""
    letter = words.text(f"wletter_{one.letter}") if one.letter else ""
    return " · ".join(part for part in (letter, card) if part)
