"""Where table and record differ and the ways out; what hands owe the table; the list by which a layout is laid."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from companion.games.mat import UNKNOWN
from companion.games.shelter.laying import pieces
from companion.games.shelter.words import SLOTS
from companion.refusal import Refusal
from web.base.words import name_of, plain
from web.games.port import Disagreement, HandLine, LaidPiece, PurseLine, Relaying, WayOut
from web.games.shelter.cards import card_name, room_name, rooms_of, side_name
from web.games.shelter.feed import changes

if TYPE_CHECKING:
    from companion.games.mat import GamePosition
    from companion.refusal import ErrorJson
    from companion.table.session.handlers.answers import DisagreementJson
    from companion.table.session.intents import Speaker
    from companion.table.session.state_view import HandTaskJson
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState


def disagreements(
    words: Words, state: VaultState, cards: PackCards, who: Speaker, position: GamePosition | None = None
) -> list[Disagreement]:
    """Return where table and record differ; with the position also what each way out would bring."""
    return [_told(words, state, cards, one, who, position) for one in state["table"]["disagreements"]]


def _told(
    words: Words,
    state: VaultState,
    cards: PackCards,
    one: DisagreementJson,
    who: Speaker,
    position: GamePosition | None,
) -> Disagreement:
    ways = one["options"] if who.may_speak_for(one["by"]) else ()
    brings = {"right": _brings(state, one, position)}
    return Disagreement(
        id=one["id"],
        by=one["by"] or "",
        name=name_of(words, state, one["by"]) if one["by"] else words.text("nav_host"),
        text=_text(words, state, cards, one),
        clause=one["clause"] or "",
        place=one["place"],
        ways=tuple(
            WayOut(option, {"do": "resolve", "id": one["id"], "option": option}, brings.get(option, ()))
            for option in ways
        ),
        purse=_purse(state, cards, one),
    )


def _brings(state: VaultState, one: DisagreementJson, position: GamePosition | None) -> tuple[tuple[str, str], ...]:
    """Return what the seat would have more or less of, if the table is right."""
    if position is None or one["by"] is None:
        return ()
    try:
        for move in one["right"]:
            position = position.after(move)
    except Refusal:
        return ()  # an answer that came meanwhile
    return tuple(changes(state, cast("VaultState", position.state()), one["by"]))


def _purse(state: VaultState, cards: PackCards, one: DisagreementJson) -> tuple[PurseLine, ...]:
    """Return what a space costs and what its player has, where that is what stands in the way."""
    why, by = one.get("why"), one["by"]
    printed = cards.at(state, one["place"]) if why and why["code"] == "cannot_pay" and by in state["players"] else None
    if printed is None or by is None:
        return ()
    has = state["players"][by]["resources"]
    costs = {icon.name: icon.amount for icon in printed.cost if icon.name in has or icon.name == "any"}
    return tuple(
        PurseLine(name, amount, sum(has.values()) if name == "any" else has[name]) for name, amount in costs.items()
    )


def _text(words: Words, state: VaultState, cards: PackCards, one: DisagreementJson) -> str:
    where = place_name(words, state, cards, one["place"])
    if one["kind"] == "card":
        return _card(words, cards, one, where)
    who = name_of(words, state, one["by"]) if one["by"] else ""
    if one["kind"] == "rule" and (why := one.get("why")):
        return words.text("differ_ruled", who=who, place=where, why=_why(words, state, cards, why))
    if one["kind"] == "extra":
        return _extra(words, state, one, where, who)
    if one["kind"] == "pose":
        lies = "lying" in str(one["seen"])
        about = "pose_ruled" if one["seen"] == one["by"] else "pose_lying" if lies else "pose_standing"
        return words.text(f"differ_{about}", who=who, place=where)
    return words.text(f"differ_{one['kind']}", who=who, place=where)


def _why(words: Words, state: VaultState, cards: PackCards, told: ErrorJson) -> str:
    refusal = Refusal(told["code"], told.get("clause"), told["message"], **told["fields"])
    return plain(words, state, refusal, lambda card: card_name(words, cards, card))


def _extra(words: Words, state: VaultState, one: DisagreementJson, where: str, who: str) -> str:
    if one["expected"] is None:
        return words.text("differ_extra", who=who, place=where)
    if one["expected"] == one["seen"]:
        return words.text("differ_extra_many", who=who, place=where)
    return words.text("differ_extra_taken", who=who, place=where, other=name_of(words, state, one["expected"]))


def _card(words: Words, cards: PackCards, one: DisagreementJson, where: str) -> str:
    seen, expected = (piece_name(words, cards, one[key]) for key in ("seen", "expected"))
    if not seen:
        return words.text("differ_card_gone", place=where, expected=expected)
    if not expected:
        return words.text("differ_card_new", place=where, seen=seen)
    return words.text("differ_card", place=where, seen=seen, expected=expected)


def piece_name(words: Words, cards: PackCards, card: str | None) -> str:
    if card is None:
        return ""
    name, _, colour = card.partition("-")
    if name == "elevator" and words.has(f"colour_{colour}"):
        return f"{card_name(words, cards, name)} ({words.text(f'colour_{colour}')})"
    return card_name(words, cards, card)


def place_name(words: Words, state: VaultState, cards: PackCards, place: str, *, with_room: bool = True) -> str:
    """Where that is: a room, its side and level; a place of a track; several places, one after another.

    Without the room it is only the place, for whoever has still to lay it.
    """
    if "," in place:
        return ", ".join(place_name(words, state, cards, one) for one in place.split(","))
    level, _, slot = place.partition(":")
    if level in ("items", "rooms"):
        track = words.text(f"track_{level}")
        return (
            words.text("differ_track", track=track, n=int(slot) + 1)
            if with_room
            else words.text("part_place", n=int(slot) + 1)
        )
    side = side_name(words, place) if slot[2:] else ""
    if not with_room:
        column = "" if slot == "E" else words.text(f"column_{slot[0]}", n=slot[1])
        return ", ".join(part for part in (column or card_name(words, cards, "elevator"), side) if part)
    known = slot[:2] in rooms_of(state, level) or slot == "E"
    room = room_name(words, state, cards, place) if known else words.text(f"column_{slot[0]}", n=slot[1])
    return ", ".join(part for part in (room, side, words.text("level", n=level)) if part)


CELL, SHAFT = 14, 22
"""Widths in the small picture of a level, gaps included."""


def hand_lines(words: Words, state: VaultState, cards: PackCards) -> list[HandLine]:
    """Return what hands owe the table; the figures of one player that go home are one line."""
    lines: list[HandLine] = []
    home: dict[str, list[HandTaskJson]] = {}
    for task in state["hands"]:
        if task["do"] == "take" and task["kind"] == "dweller":
            home.setdefault(task["by"] or "", []).append(task)
        else:
            lines.append(_line(words, state, cards, task))
    return [*(_home(words, state, cards, colour, tasks) for colour, tasks in home.items()), *lines]


def _home(words: Words, state: VaultState, cards: PackCards, colour: str, tasks: list[HandTaskJson]) -> HandLine:
    places = tuple(dict.fromkeys(task["place"] for task in tasks))
    what = words.text("hand_home", n=len(tasks), name=name_of(words, state, colour))
    if len(places) > 1:
        return HandLine("move", what, "", places, colour)
    return _placed(HandLine("move", what, place_name(words, state, cards, places[0]), places, colour))


def _line(words: Words, state: VaultState, cards: PackCards, task: HandTaskJson) -> HandLine:
    place, do = task["place"], task["do"]
    where = place_name(words, state, cards, place, with_room=task["kind"] != "room")
    if task["kind"] == "dweller":
        about = "move_injured" if do == "move" and task["what"] == "injured" else do
        what = words.text(f"hand_{about}", name=name_of(words, state, task["by"] or ""))
        return _placed(HandLine("move", what, where, (place,), task["by"] or ""))
    if do == "take":
        what = words.text("hand_off", what=card_name(words, cards, task["what"]))
        return _placed(HandLine("off", what, where, (place,)))
    unknown = task["what"] == UNKNOWN
    what = words.text(f"hand_draw_{task['kind']}") if unknown else piece_name(words, cards, task["what"])
    if task["kind"] == "room" and not place.startswith("rooms:"):
        side, level = words.text(f"side_{'left' if 'L' in place else 'right'}"), words.text("level", n=place[0])
        where = words.text("hand_beside", side=side, n=place[-1], level=level)
    return _placed(HandLine("lay", what if unknown else words.text("hand_lay", what=what), where, (place,)))


def _placed(line: HandLine) -> HandLine:
    """Add the small level with the places that are meant."""
    level, _, slot = line.places[0].partition(":")
    if not level.isdecimal():
        return line
    cells = tuple(
        CELL * at + (SHAFT if at >= len(SLOTS) // 2 else 0)
        for at, name in enumerate(name for name in SLOTS if name != "E")
        if name.startswith(slot)
    )
    return replace(line, level=level, cells=cells)


VERDICTS = ("wrong", "missing", "unsure", "lies")


def relaying(words: Words, state: VaultState, cards: PackCards) -> Relaying | None:
    """Return the list by which a layout is laid, while it is; None otherwise."""
    coach = state["table"].get("coach")
    if state["phase"] != "frozen" and coach is None:
        return None
    verdicts = {(one["place"], one["piece"]): verdict for verdict in VERDICTS for one in (coach or {}).get(verdict, ())}
    listed = pieces(state)
    known = {(one["place"], one["piece"]) for one in listed}
    strangers = [{"place": place, "piece": piece} for place, piece in verdicts if (place, piece) not in known]
    groups: dict[str, list[LaidPiece]] = {}
    for one in (*listed, *strangers):
        level, _, _ = one["place"].partition(":")
        title = words.text(f"track_{level}") if level in ("items", "rooms") else words.text("level", n=level)
        groups.setdefault(title, []).append(_laid(words, state, cards, one, verdicts))
    boards = [
        (colour, name_of(words, state, colour), _board(words, cards, state, colour)) for colour in state["players"]
    ]
    return Relaying(list(groups.items()), boards, sum(verdict in ("wrong", "missing") for verdict in verdicts.values()))


def _laid(
    words: Words, state: VaultState, cards: PackCards, one: dict[str, str], verdicts: dict[tuple[str, str], str]
) -> LaidPiece:
    return LaidPiece(
        place=place_name(words, state, cards, one["place"], with_room=False),
        piece=_piece(words, state, cards, one["piece"]),
        verdict=verdicts.get((one["place"], one["piece"]), ""),
    )


def _piece(words: Words, state: VaultState, cards: PackCards, piece: str) -> str:
    """A card, an elevator, or somebody's dweller."""
    colour, _, dweller = piece.partition(" ")
    if not dweller:
        return piece_name(words, cards, piece)
    pose = words.text("pose_injured" if dweller.startswith("injured") else "pose_plain")
    return f"{name_of(words, state, colour)}: {pose}"


def _board(words: Words, cards: PackCards, state: VaultState, colour: str) -> str:
    """Return what lies in front of a player, where no camera sees it."""
    board = state["players"][colour]
    cubes = [f"{words.text(f'resource_{name}')} {amount}" for name, amount in board["resources"].items() if amount]
    people = [_dweller(words, name, count) for name, count in Counter(board["available"]).items()]
    items = [
        card_name(words, cards, item["id"]) + (f" ({words.text('exhausted')})" if item["exhausted"] else "")
        for item in board["items"]
    ]
    return " · ".join((f"{words.text('happiness')} {board['happiness']}", *cubes, *people, *items))


def _dweller(words: Words, dweller: str, count: int) -> str:
    hurt, _, letter = dweller.partition("+")
    if letter:
        return words.text("dweller_injured_letter", letter=letter)
    if hurt in ("plain", "injured"):
        return f"{words.text(f'dweller_{hurt}')} {count}"
    return words.text("dweller_letter", letter=dweller)
