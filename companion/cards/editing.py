"""Edit the notation icon by icon: a text as a row of tokens, what each of them may become, and what may be added."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from companion.cards.effects import (
    Exchange,
    Gain,
    GainAny,
    Happiness,
    Letter,
    Pay,
    PayAny,
    Space,
    Train,
    icons_of,
)
from companion.cards.notation import (
    NO_SPACE,
    NotationError,
    parse_cost,
    parse_loosely,
    parse_pay,
    print_cost,
    print_space,
)
from companion.cards.parser import FIGHTS, HIGHEST_AMOUNT, SIGNS
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from companion.cards.effects import CostIcon, PrintedIcon, RewardIcon

COST, REWARD, BUILD, ONE = "cost", "reward", "build", "one"
RESOURCES: Final = ("1W", "1F", "1E")
PALETTES: Final[Mapping[str, tuple[str, ...]]] = {
    COST: (*RESOURCES, "1?", "item", "injure", "pay-room", "fight:7"),
    REWARD: (
        *(*RESOURCES, "1?", "1H", "item", "train", "dweller", "first", "build", "heal", "ready"),
        *("refresh:items", "refresh:rooms", "1W<->1F"),
    ),
    BUILD: (*RESOURCES, "1?"),
    ONE: RESOURCES,
}
"""What may be added to a row; everything else that the notation says is made of these by changing them."""
FIGHT: Final = "fight:"
ANY_LETTER: Final = "any"


@dataclass(frozen=True, slots=True)
class Change:
    """What a token becomes by one tap: how it is changed, and the token afterwards."""

    how: str
    token: str


@dataclass(frozen=True, slots=True)
class SpaceRows:
    """A space as rows of tokens, with what stands in its circle."""

    cost: tuple[str, ...] = ()
    reward: tuple[str, ...] = ()
    letter: str = ""
    linked: bool = False
    injured_only: bool = False

    def row(self, name: str) -> tuple[str, ...]:
        return self.cost if name == COST else self.reward

    def text(self) -> str:
        """Return the notation, also of icons that do not go together."""
        notes = ["linked"] * self.linked + ["injured only"] * self.injured_only
        if self.letter:
            notes.append(f"letter {self.letter}")
        fights = [token for token in self.cost if token.startswith(FIGHT)]
        rest = [token for token in self.cost if not token.startswith(FIGHT)]
        line = f"{' '.join((*fights, *rest)) or 'free'} -> {' '.join(self.reward) or 'nothing'}"
        return f"{line} ({', '.join(notes)})" if notes else line


def rows_of(text: str) -> SpaceRows | None:
    """Return a space as rows; None where there is none. NotationError for what is no notation."""
    space = parse_loosely(text)
    if space is None:
        return None
    fight = (f"{FIGHT}{space.fight}",) if space.fight is not None else ()
    return SpaceRows(
        (*fight, *(cost_token(icon) for icon in space.cost)),
        tuple(reward_token(icon) for icon in space.reward),
        space.letter.value if space.letter else "",
        space.linked,
        space.injured_only,
    )


def cost_token(icon: CostIcon) -> str:
    return print_cost((icon,))


def reward_token(icon: RewardIcon) -> str:
    return print_space(Space(reward=(icon,))).partition(" -> ")[2]


def line_of(row: str, text: str) -> tuple[str, ...]:
    """Return the tokens of a price, or of the one resource that an item takes or gives."""
    icons = () if not text else parse_cost(text) if row == BUILD else (parse_pay(text),)
    return tuple(cost_token(icon) for icon in icons)


def line_text(row: str, tokens: Sequence[str]) -> str:
    return " ".join(tokens) or ("free" if row == BUILD else "")


def printed(row: str, token: str) -> tuple[PrintedIcon, ...]:
    """Return the icons of a token; none of a fight, which is a number."""
    return () if token.startswith(FIGHT) else icons_of((_icon(row, token),))


def fight_of(token: str) -> int:
    """Return the number of a fight; 0 of any other token."""
    return int(token.removeprefix(FIGHT)) if token.startswith(FIGHT) else 0


def _icon(row: str, token: str) -> CostIcon | RewardIcon:
    if row in (BUILD, ONE):
        (icon,) = parse_cost(token)
        return icon
    space = parse_loosely(f"free -> {token}" if row == REWARD else f"{token} -> nothing")
    icons = () if space is None else space.reward if row == REWARD else space.cost
    if len(icons) != 1:
        raise NotationError(token, 1, token, "one icon")
    return icons[0]


def changes(row: str, token: str) -> tuple[Change, ...]:
    """Return what a token may become by one tap each."""
    if token.startswith(FIGHT) and row == COST:
        number = fight_of(token)
        if number not in FIGHTS:
            raise NotationError(token, 1, token, "a fight from 2 to 12", "fight")
        steps = (("less", number - 1), ("more", number + 1))
        return tuple(Change(how, f"{FIGHT}{step}") for how, step in steps if step in FIGHTS)
    match _icon(row, token):
        case Pay() | PayAny() | Gain() | GainAny() | Happiness():
            return tuple(_amounts(token))
        case Train():
            return (Change(ANY_LETTER, "train"), *(Change(letter, f"train:{letter}") for letter in Letter))
        case Exchange():
            return tuple(_exchanges(*token.split("<->")))
        case _:
            return ()


def _amounts(token: str) -> Iterator[Change]:
    for how, amount in (("less", int(token[:-1]) - 1), ("more", int(token[:-1]) + 1)):
        if 1 <= amount <= HIGHEST_AMOUNT:
            yield Change(how, f"{amount}{token[-1]}")


def _exchanges(left: str, right: str) -> Iterator[Change]:
    """Change one half of an exchange; its resource goes to the next one that the other half does not have."""
    for side, half, other in (("left", left, right), ("right", right, left)):
        free = [sign for sign in SIGNS.values() if sign != other[-1]]
        turned = half[:-1] + free[(free.index(half[-1]) + 1) % len(free)]
        for one in (*_amounts(half), Change("other", turned)):
            yield Change(f"{side}-{one.how}", f"{one.token}<->{other}" if side == "left" else f"{other}<->{one.token}")


def tapped(row: str, tokens: Sequence[str], act: str, rest: str) -> tuple[str, ...]:
    """Return a row after one tap: `add 1W`, `put 0 3W` or `drop 0`."""
    number, _, token = rest.partition(" ")
    if act == "add":
        number, token = "0", rest
    try:
        place = int(number)
        if act != "drop":
            changes(row, token)
    except ValueError as error:  # an error in the notation is one too
        raise _malformed() from error
    others = tokens if act == "add" else [*tokens[:place], *tokens[place + 1 :]]
    is_second = token.startswith(FIGHT) and any(map(fight_of, others))
    if not 0 <= place < len(tokens) + (act == "add") or is_second:
        raise _malformed()
    if act == "add":
        return (token,) if row == ONE else (*tokens, token)
    if act in {"put", "drop"}:
        return (*tokens[:place], *((token,) if act == "put" else ()), *tokens[place + 1 :])
    raise _malformed()


def _malformed() -> Refusal:
    return Refusal("malformed", None, "A tap adds, puts or drops one icon of a row.", field="tap")


def tapped_space(text: str, act: str, rest: str) -> str:
    """Return a space after one tap: on an icon of its cost or reward, in its circle, or on whether there is one."""
    rows = rows_of(text)
    if act == "space":
        return NO_SPACE if rest == "no" else SpaceRows().text()
    if rows is None:
        raise _malformed()
    match act:
        case "letter" if rest in {"", *Letter}:
            rows = replace(rows, letter=rest)
        case "linked":
            rows = replace(rows, linked=rest == "yes")
        case "injured":
            rows = replace(rows, injured_only=rest == "yes")
        case "cost" | "reward":
            what, _, more = rest.partition(" ")
            tokens = tapped(act, rows.row(act), what, more)
            rows = replace(rows, cost=tokens) if act == COST else replace(rows, reward=tokens)
        case _:
            raise _malformed()
    return rows.text()
