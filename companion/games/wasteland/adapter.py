"""Fallout, the board game in the wasteland, as the table sees it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.corner import CORNER
from companion.cards.wasteland.loader import builtin_names, is_one, pack_of, pack_text, report
from companion.cards.wasteland.overlay import overlaid
from companion.games import api
from companion.games.api import Announced, Button
from companion.games.wasteland import announcing, corner, events, library, moves, naming, panel
from companion.games.wasteland.box import COLOUR_NUMBER, COLOURS, PHASES, WastelandBox
from companion.games.wasteland.flow import ending
from companion.games.wasteland.game import new_game, table_from_json, with_cards
from companion.games.wasteland.position import NEWEST
from companion.games.wasteland.state import private_of, state_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.cards.loader import PackText
    from companion.games.api import Signal, Text
    from companion.games.chance import Chance
    from companion.games.json_types import EventJson, MoveJson, RelayJson
    from companion.games.mat import MatLayout
    from companion.games.wasteland.events import WastelandEvent
    from companion.games.wasteland.game import WastelandGame
    from companion.games.wasteland.moves import WastelandMove, WastelandMoveJson
    from companion.games.wasteland.state_types import SurvivorState, WastelandState

BOARD = ("hp", "rads", "xp", "letters", "traits", "caps", "agendas", "weapon", "apparel", "companion", "inventory",
         "character_card", "perks")  # fmt: skip


@lru_cache(maxsize=8)
def box_of(text: PackText) -> WastelandBox:
    """Return a pack unpacked; games of the same pack share it."""
    return WastelandBox(pack_of(text))


def begin(box: WastelandBox, setup: Mapping[str, object], chance: Chance, version: int = NEWEST) -> WastelandGame:
    """Return a game before its first choice, or the position that `start` corrects it to."""
    agreed = {key: value for key, value in setup.items() if key not in ("names", "bots", "start")}
    table = table_from_json(agreed)
    game = new_game(box, table, chance, version)
    if setup.get("start") is not None:
        game.play(moves.read({"do": "correct", "set": setup["start"]}), chance)
    return game


class Wasteland(api.Game["WastelandGame", "WastelandMove", "WastelandState", "WastelandEvent"]):
    """Fallout, the board game. Hands of agendas are secret until the end."""

    name = "wasteland"
    title = "Fallout: The Board Game"
    seats = (1, len(COLOURS))
    home_pack = "homemade"
    corner = CORNER
    has_bots = True
    odds = frozenset({"fight"})
    bench = "companion.bots.wasteland.bench"
    sheets = "companion.pieces.sheets.wasteland_pieces"
    measure = "remaining HP"
    version = NEWEST
    anybody = frozenset({"reveal", "enemy", "learn"})
    own_dice = True
    announced = Announced(phases=PHASES)

    def packs(self) -> tuple[str, ...]:
        return builtin_names()

    def pack_text(self, name_or_folder: str, overlay: str | None) -> PackText:
        found = pack_text(name_or_folder)
        return found if overlay is None else overlaid(found, overlay)

    def new(self, pack: PackText, setup: Mapping[str, object], chance: Chance) -> WastelandGame:
        return begin(box_of(pack), setup, chance)

    def renew(self, version: int, pack: PackText, setup: Mapping[str, object], chance: Chance) -> WastelandGame:
        """Return a game as it was begun: with what was wrong, or asked for, before."""
        return begin(box_of(pack), setup, chance, version)

    def read(self, raw: object) -> WastelandMove:
        return moves.read(raw)

    def write(self, move: WastelandMove) -> WastelandMoveJson:
        """Return the whole move, told cards and answers included."""
        return move.as_json()

    def shown(self, move: WastelandMove) -> WastelandMoveJson:
        """Return the move without told cards, answers and hands."""
        return move.public()

    def legal(self, game: WastelandGame, eyes: Iterable[str]) -> list[WastelandMove]:
        """Return what everybody may know, then the claims and agendas of these seats."""
        found = game.legal_moves()
        public = len(found)
        for seat in sorted(COLOUR_NUMBER[eye] for eye in eyes if eye in COLOUR_NUMBER):
            if seat in game.seats:
                found += game.legal_moves(seat)[public:]
        return found

    def state(self, game: WastelandGame) -> WastelandState:
        return state_of(game)

    def private(self, game: WastelandGame, seat: str) -> Mapping[str, object]:
        """Return the hand, and what it is worth."""
        number = COLOUR_NUMBER.get(seat)
        return {} if number is None or number not in game.seats else private_of(game, number)

    def has_secrets(self, game: WastelandGame) -> bool:
        """Hands are shown at the end; together they lie open."""
        return game.result is None and not game.ways.shared

    def serialize(self, event: WastelandEvent) -> EventJson:
        return events.serialize(event)

    def by(self, event: WastelandEvent) -> str | None:
        return events.by(event)

    def signal(self, event: WastelandEvent) -> Signal | None:
        return announcing.signal(event)

    def seconds_to_see(self, event: WastelandEvent) -> float:
        """Dice are looked at by all; what enemies do is moved on the table meanwhile."""
        return announcing.LOOKED_AT.get(type(event), 0.0)

    def pressed(self, state: WastelandState, button: Button, *, held: bool) -> MoveJson | None:
        """THREATS reveals an agenda, ROLL throws the dice, RECALL goes on, a colour answers or ends its turn."""
        match button:
            case Button.THREATS:
                return {"do": "reveal"}
            case Button.ROLL:
                return panel.roll(state)
            case Button.RECALL:
                return panel.go_on(state)
            case Button.RED | Button.BLUE | Button.GREEN | Button.YELLOW:
                return panel.of_colour(state, button.value, held=held)
            case _:
                return super().pressed(state, button, held=held)

    def has_corner(self, state: WastelandState) -> bool:
        """Return whether real dice or real cards are on the table."""
        return "table" in (state["options"]["dice"], state["options"]["cards"])

    def corner_asked(self, state: WastelandState) -> int | None:
        """Return the choice that a drawn card or a thrown die answers."""
        choice = corner.asked(state)
        return None if choice is None else choice["id"]

    def corner_answer(
        self, state: WastelandState, card: str | None, dice: tuple[api.CornerFace, ...]
    ) -> api.CornerAnswer | None:
        return corner.answer(state, card, dice)

    def standing(self, state: WastelandState) -> dict[str, int]:
        """Return everybody's remaining HP; influence is secret."""
        return {colour: max(0, player["remaining"]) for colour, player in state["players"].items()}

    def tally(self, position: WastelandGame) -> dict[str, int]:
        """Return everybody's influence."""
        return {COLOURS[seat]: ending.influence(position, seat) for seat in position.seats}

    def summary(self, player: SurvivorState) -> str:
        pegs = f"{player['hp']} HP, {player['rads']} rads, XP {player['xp']}"
        return f"{pegs}, {player['letters'] or '-'}, {player['caps']} Caps, {player['agendas']} agendas"

    def fetched(self, state: WastelandState) -> MatLayout | None:
        return library.fetched(state)

    def relay(self, state: WastelandState) -> RelayJson:
        """Return figures and enemies by their spaces, the shop and the quests; then the boards."""
        figures = [{"place": board["space"], "piece": colour} for colour, board in state["players"].items()]
        enemies = [{"place": one["space"], "piece": one["id"] or one["type"]} for one in state["enemies"].values()]
        shop = [{"place": f"shop:{place}", "piece": card} for place, card in enumerate(state["shop"])]
        quests = [{"place": "quests", "piece": str(number)} for number in state["quests"]]
        boards = {
            colour: {key: value for key, value in board.items() if key in BOARD}
            for colour, board in state["players"].items()
        }
        return {"pieces": [*figures, *enemies, *shop, *quests], "boards": boards}

    def check_pack(self, path: str, overlay: str | None) -> Iterable[str] | None:
        return report(path) if is_one(path) else None

    def spoken(self, event: WastelandEvent, state: WastelandState) -> Text | None:
        return announcing.spoken(event, state)

    def named(self, position: WastelandGame, thing: str, language: str) -> str | None:
        return naming.named(position, thing, language)

    def with_cards(self, game: WastelandGame, pack: PackText) -> WastelandGame:
        return with_cards(game, box_of(pack))


GAME: Final = Wasteland()
