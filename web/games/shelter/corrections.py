"""Everything that a person may put right, as forms: each part of the state in groups of fields."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from companion.games.shelter.position import HOUSE_RULES
from companion.games.shelter.words import (
    COLOURS,
    COLUMNS,
    ELEVATOR_COLUMN,
    LETTERS,
    MOST_DWELLERS,
    RESOURCES,
    TRACK_LENGTH,
    TRACK_SIZE,
)
from web.base.words import name_of
from web.games.forms import NUMBER, PICK, STEPS, TEXT, TICK, FormField, FormGroup, FormPart
from web.games.shelter.cards import card_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.games.shelter.state import ItemState, ShelterPlayer
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState

GAME, TRACKS = "game", "tracks"
PHASES: Final = ("spawn", "place", "recall", "over")
POSES: Final = (("plain",), ("injured",))
PAIRS: Final = (("plain", "plain"), ("plain", "injured"), ("injured", "injured"))


def parts(words: Words, state: VaultState) -> list[tuple[str, str, str]]:
    """Return all parts of a game: key, title, and whose it is."""
    return [
        (GAME, words.text("part_game"), ""),
        *((colour, name_of(words, state, colour), colour) for colour in state["players"]),
        *((level, words.text("level", n=level), found["owner"] or "") for level, found in state["levels"].items()),
        (TRACKS, words.text("part_tracks"), ""),
    ]


def part(words: Words, state: VaultState, cards: PackCards, key: str) -> FormPart | None:
    """Return one part as a form; None where the game has no such part."""
    for known, title, colour in parts(words, state):
        if known == key:
            return FormPart(key, title, colour, _groups(words, state, cards, key))
    return None


def _groups(words: Words, state: VaultState, cards: PackCards, key: str) -> list[FormGroup]:
    if key == GAME:
        return _game(words, state)
    if key == TRACKS:
        return _tracks(words, state, cards)
    if key in COLOURS:
        return _player(words, state, cards, key)
    return _level(words, state, cards, key)


def _tick(name: str, label: str, *, on: bool) -> FormField:
    return FormField(name, label, TICK, "on" if on else "")


def _pick(name: str, label: str, value: str, options: Iterable[tuple[str, str]]) -> FormField:
    """Return a field with options; what is the case now is among them, whatever it is."""
    known = tuple(options)
    own = () if value in {key for key, _ in known} else ((value, value),)
    return FormField(name, label, PICK, value, (*own, *known))


def _steps(name: str, label: str, value: int, most: int) -> FormField:
    options = tuple((str(number), str(number)) for number in range(max(most, value) + 1))
    return FormField(name, label, STEPS, str(value), options)


# --- the game and the tracks ------------------------------------------------------------------------------------------


def _game(words: Words, state: VaultState) -> list[FormGroup]:
    people = tuple((colour, name_of(words, state, colour)) for colour in state["players"])
    phases = tuple((phase, words.text(f"phase_{phase}")) for phase in PHASES)
    rules = state["options"].get("house_rules", {})
    now = [
        FormField("round", words.text("part_round"), NUMBER, str(state["round"]), least=1),
        _pick("phase", words.text("part_phase"), state["phase"], phases),
        _pick("turn", words.text("part_turn"), state["turn"] or "", (("", words.text("part_nobody")), *people)),
        _pick("first", words.text("part_first"), state["first"] or "", people),
        _tick("last_round", words.text("last_round"), on=bool(state["last_round"])),
    ]
    if state["pending"]:
        now.append(_tick("drop", words.text("part_drop"), on=False))
    agreed = [_tick(f"rule_{name}", words.text(f"rule_{name}"), on=bool(rules.get(name))) for name in HOUSE_RULES]
    return [FormGroup("", now), FormGroup(words.text("house_rules"), agreed)]


def _tracks(words: Words, state: VaultState, cards: PackCards) -> list[FormGroup]:
    groups = []
    for name, known in (("items", cards.items), ("rooms", [card.id for card in cards.pack.rooms])):
        row = state["tracks"][name]
        options = _cards(words, cards, known, state)
        fields = [
            _pick(f"{name}_{at}", words.text("part_place", n=at + 1), row[at] if at < len(row) else "", options)
            for at in range(TRACK_SIZE)
        ]
        groups.append(FormGroup(words.text(f"track_{name}"), fields))
    return groups


def _cards(
    words: Words, cards: PackCards, known: Iterable[str], state: VaultState, *, may_be_unknown: bool = True
) -> tuple[tuple[str, str], ...]:
    """Return every card by its name, and none; with real decks also one that nobody has told."""
    named = sorted(((card, card_name(words, cards, card)) for card in known), key=lambda one: one[1])
    unknown = [("unknown", words.text("card_unknown"))] if state["options"].get("cards") == "table" else []
    return (("", words.text("part_no_card")), *(unknown if may_be_unknown else ()), *named)


# --- a player's board -------------------------------------------------------------------------------------------------


def _player(words: Words, state: VaultState, cards: PackCards, colour: str) -> list[FormGroup]:
    board = state["players"][colour]
    given = board["name"] if board["name"] != colour.capitalize() else ""
    standing = [
        FormField("name", words.text("part_name"), TEXT, given),
        FormField("happiness", words.text("happiness"), NUMBER, str(board["happiness"])),
        *(_steps(name, words.text(f"resource_{name}"), board["resources"][name], TRACK_LENGTH) for name in RESOURCES),
        _tick("passed", words.text("passed"), on=board["passed"]),
    ]
    return [
        FormGroup("", standing),
        FormGroup(words.text("dwellers"), _dwellers(words, board)),
        FormGroup(words.text("items"), _items(words, state, cards, board["items"])),
    ]


def _dwellers(words: Words, board: ShelterPlayer) -> list[FormField]:
    available, idle = board["available"], Counter(board["available"])
    found = [
        _steps("plain", words.text("dweller_plain"), idle["plain"], MOST_DWELLERS),
        _steps("injured", words.text("dweller_injured"), idle["injured"], MOST_DWELLERS),
    ]
    for letter in LETTERS:
        hurt = f"injured+{letter}"
        now = next((one for one in (letter, hurt) if one in available), "")
        states = (("", words.text("part_none")), (letter, words.text("part_well")), (hurt, words.text("part_hurt")))
        label = f"{letter} · {words.text(f'letter_{letter}')}"
        found.append(_pick(f"letter_{letter}", label, now, states))
    return [*found, _steps("arriving", words.text("part_arriving"), board["arriving"], MOST_DWELLERS)]


def _items(words: Words, state: VaultState, cards: PackCards, items: list[ItemState]) -> list[FormField]:
    options = _cards(words, cards, cards.items, state, may_be_unknown=any(one["id"] == "unknown" for one in items))
    found = []
    another: ItemState = {"id": "", "exhausted": False}
    for at, item in enumerate([*items, another]):
        label = words.text("part_item", n=at + 1) if item["id"] else words.text("part_another_item")
        found.append(_pick(f"item_{at}", label, item["id"], options))
        if item["id"]:
            found.append(_tick(f"spent_{at}", words.text("exhausted"), on=item["exhausted"]))
    return found


# --- a level of the vault ---------------------------------------------------------------------------------------------


def _level(words: Words, state: VaultState, cards: PackCards, level: str) -> list[FormGroup]:
    found = state["levels"][level]
    pack = cards.pack
    rooms = _cards(
        words, cards, (card.id for card in (pack.rooms if found["owner"] else pack.top_level)), state,
        may_be_unknown=False,
    )  # fmt: skip
    threats = _cards(words, cards, cards.threats, state)
    groups = []
    for column in COLUMNS:
        if column == COLUMNS[ELEVATOR_COLUMN]:
            title = cards.name("elevator", words.language)
            groups.append(FormGroup(title, [_stands(words, state, cards, f"{level}:E", "")]))
            continue
        room = found["rooms"].get(column, "")
        fields = [_pick(f"room_{column}", words.text("part_room"), room, rooms)]
        for side in cards.sides_of(state, f"{level}:{column}"):
            space = f"{level}:{column}{side}"
            name = words.text("side_left" if side == "a" else "side_right")
            label = words.text("part_threat", side=name)
            fields.append(_pick(f"threat_{space}", label, state["threats"].get(space, ""), threats))
            fields.append(_stands(words, state, cards, space, name))
        groups.append(FormGroup(words.text(f"column_{column[0]}", n=column[1]), fields))
    return groups


def _stands(words: Words, state: VaultState, cards: PackCards, space: str, side: str) -> FormField:
    """Return who stands on a space: a colour and how; two of it where the space takes two."""
    printed = cards.at(state, space)
    here = state["placed"].get(space)
    ways = PAIRS if printed is not None and printed.linked else POSES
    options = [("", words.text("part_nobody"))]
    for colour in state["players"]:
        for way in ways:
            how = " + ".join(words.text(f"pose_{pose}") for pose in way)
            options.append((" ".join((colour, *way)), f"{name_of(words, state, colour)}: {how}"))
    value = "" if here is None else " ".join((here["by"], *sorted(here["dwellers"], reverse=True)))
    label = words.text("part_stands", side=side) if side else words.text("part_stands_here")
    return _pick(f"stands_{space}", label, value, options)


# --- a form as the `set` of a correction: only what was changed is in it, lists are whole ----------------------------


def correction(part: FormPart, values: Mapping[str, str]) -> dict[str, object]:
    """Return the `set` of a correction; empty where nothing was changed."""
    before = part.values
    changed = {name for name, value in values.items() if before.get(name) != value}
    if part.key == GAME:
        return _changed_game(values, changed)
    if part.key == TRACKS:
        return _changed_tracks(values, changed)
    board = _changed_player(values, changed) if part.key in COLOURS else None
    if board is None:
        return _changed_level(part.key, values, changed)
    return {"players": {part.key: board}} if board else {}


def _changed_game(values: Mapping[str, str], changed: set[str]) -> dict[str, object]:
    made: dict[str, object] = {name: values[name] for name in ("phase", "first") if name in changed}
    if "round" in changed:
        made["round"] = int(values["round"])
    if "turn" in changed:
        made["turn"] = values["turn"] or None
    if "last_round" in changed:
        made["last_round"] = bool(values["last_round"])
    if "drop" in changed:
        made["pending"] = []
    rules = {name: bool(values[f"rule_{name}"]) for name in HOUSE_RULES if f"rule_{name}" in changed}
    return {**made, "options": {"house_rules": rules}} if rules else made


def _changed_tracks(values: Mapping[str, str], changed: set[str]) -> dict[str, object]:
    rows = {}
    for track in ("items", "rooms"):
        names = [name for name in values if name.startswith(f"{track}_")]
        if changed & set(names):
            rows[track] = [values[name] for name in names if values[name]]
    return {"tracks": rows} if rows else {}


def _changed_player(values: Mapping[str, str], changed: set[str]) -> dict[str, object]:
    board: dict[str, object] = {name: int(values[name]) for name in ("happiness", "arriving") if name in changed}
    if "name" in changed:
        board["name"] = values["name"] or None
    cubes = {name: int(values[name]) for name in RESOURCES if name in changed}
    if cubes:
        board["resources"] = cubes
    if "passed" in changed:
        board["passed"] = bool(values["passed"])
    if changed & {"plain", "injured", *(f"letter_{letter}" for letter in LETTERS)}:
        trained = [values[f"letter_{letter}"] for letter in LETTERS if values[f"letter_{letter}"]]
        board["available"] = ["plain"] * int(values["plain"]) + ["injured"] * int(values["injured"]) + trained
    if any(name.startswith(("item_", "spent_")) for name in changed):
        board["items"] = _changed_items(values)
    return board


def _changed_items(values: Mapping[str, str]) -> list[dict[str, object]]:
    held = [(name.removeprefix("item_"), card) for name, card in values.items() if name.startswith("item_") and card]
    return [{"id": card, "exhausted": bool(values.get(f"spent_{at}"))} for at, card in held]


def _changed_level(level: str, values: Mapping[str, str], changed: set[str]) -> dict[str, object]:
    rooms: dict[str, str | None] = {}
    made: dict[str, dict[str, object]] = {}
    for name in values:
        if name not in changed:
            continue
        what, _, where = name.partition("_")
        if what == "room":
            rooms[where] = values[name] or None
        elif what == "threat":
            made.setdefault("threats", {})[where] = values[name] or None
        else:
            made.setdefault("placed", {})[where] = _changed_space(values[name])
    return {"levels": {level: {"rooms": rooms}}, **made} if rooms else {**made}


def _changed_space(value: str) -> dict[str, object] | None:
    if not value:
        return None
    by, *dwellers = value.split(" ")
    return {"by": by, "dwellers": dwellers}
