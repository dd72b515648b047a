"""Fallout Shelter as the table sees it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from companion.cards.evenings import campaigns, house_calls
from companion.cards.loader import builtin_names, pack_text, report
from companion.games import api
from companion.games.api import Announced, Button, PlayerSensor, RemoteButton, Roll
from companion.games.shelter import announcing, events, moves, telling
from companion.games.shelter.cards.box import Box
from companion.games.shelter.laying import ShelterMat, boards, pieces
from companion.games.shelter.position import as_begun_before_income_was_due
from companion.games.shelter.setup import FEWEST, MOST, new_game, table_from_json, with_box
from companion.games.shelter.state import state_of
from companion.games.shelter.together.aims import rolls_of
from companion.games.shelter.words import PHASES
from companion.languages import catalogues
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.cards.loader import PackText
    from companion.games.api import Signal, Text
    from companion.games.chance import Chance
    from companion.games.json_types import EventJson, MoveJson, RelayJson, State
    from companion.games.shelter.events import Event
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move, ShelterMove
    from companion.games.shelter.state import ShelterPlayer, ShelterState


EVENINGS: Final = "evenings"
"""The catalogue of house calls."""
INCOME_IS_DUE: Final = 2
"""The version of the rules since which an income is due before its owner's next own act."""


@lru_cache(maxsize=8)
def box_of(pack: PackText) -> Box:
    """Return the box of a pack; games of the same pack share it."""
    return Box(pack.pack())


def begin(box: Box, setup: Mapping[str, object], chance: Chance) -> ShelterGame:
    """Return a game in its first round, or the position that `start` corrects it to."""
    game = new_game(box, table_from_json(dict(setup)), chance)
    if setup.get("start") is not None:
        game.play(moves.read({"do": "correct", "set": setup["start"]}), chance)
    return game


class Shelter(api.Game["ShelterGame", "Move", "ShelterState", "Event"]):
    """Fallout Shelter. Everything is open."""

    name = "shelter"
    title = "Fallout Shelter: The Board Game"
    version = 2
    seats = (FEWEST, MOST)
    mat = ShelterMat()
    has_bots = True
    characters = (*api.Game.characters, "builder", "fighter", "gambler", "careful")
    odds = frozenset({"fight", "columns", "win", "hint"})
    sheets = "companion.pieces.sheets.all_pieces"
    home_pack = "standard"
    measure = "happiness"
    anybody = frozenset({"spawn", "recall"})
    announced = Announced(
        phases=PHASES,
        events=tuple(sorted(events.NAMES.values())),
        sensors=(PlayerSensor("happiness", "happiness", "mdi:emoticon-happy-outline"),),
        buttons=(RemoteButton("threats", "Threats", "mdi:dice-multiple", {"do": "spawn"}, "spawn"),),
    )

    def packs(self) -> tuple[str, ...]:
        return builtin_names()

    def pack_text(self, name_or_folder: str, overlay: str | None) -> PackText:
        return pack_text(name_or_folder, overlay)

    def new(self, pack: PackText, setup: Mapping[str, object], chance: Chance) -> ShelterGame:
        return begin(box_of(pack), setup, chance)

    def renew(self, version: int, pack: PackText, setup: Mapping[str, object], chance: Chance) -> ShelterGame:
        """Return a game as it was begun; before version 2 an income lapsed at the recall (M3)."""
        game = self.new(pack, setup, chance)
        if version < INCOME_IS_DUE:
            game.rules = as_begun_before_income_was_due(game.rules)
        return game

    def read(self, raw: object) -> Move:
        return moves.read(raw)

    def write(self, move: Move) -> ShelterMove:
        return move.as_json()

    def legal(self, game: ShelterGame, eyes: Iterable[str]) -> list[Move]:
        return game.legal_moves()

    def state(self, game: ShelterGame) -> ShelterState:
        return state_of(game)

    def blank_state(self) -> State:
        dealt: dict[str, object] = {"tracks": {"items": [], "rooms": []}, "decks": {}, "discards": {}}
        laid: dict[str, object] = {"levels": {}, "placed": {}, "threats": {}, "spawned": []}
        own: dict[str, object] = {"first": None, "options": {}, "last_round": False}
        return cast("State", {**super().blank_state(), **own, **laid, **dealt})

    def pressed(self, state: ShelterState, button: Button, *, held: bool) -> MoveJson | None:
        """Return the threat step, the roll that a fight waits for, the recall, or the pass of a colour that is held."""
        match button:
            case Button.THREATS:
                return {"do": "spawn"}
            case Button.ROLL:
                return _roll(state)
            case Button.RECALL:
                return None if state["phase"] == "place" else {"do": "recall"}
            case Button.RED | Button.BLUE | Button.GREEN | Button.YELLOW:
                return {"do": "pass", "by": button.value} if held else None
            case _:
                return super().pressed(state, button, held=held)

    def standing(self, state: ShelterState) -> dict[str, int]:
        return {colour: player["happiness"] for colour, player in state["players"].items()}

    def summary(self, player: ShelterPlayer) -> str:
        cubes = " ".join(f"{amount} {name}" for name, amount in player["resources"].items())
        return f"{player['happiness']} happiness, {cubes}, {player['total']} dwellers"

    def relay(self, state: ShelterState) -> RelayJson:
        return {"pieces": pieces(state), "boards": boards(state)}

    def serialize(self, event: Event) -> EventJson:
        return events.serialize(event)

    def by(self, event: Event) -> str | None:
        return events.by(event)

    def signal(self, event: Event) -> Signal | None:
        return announcing.signal(event)

    def seconds_to_see(self, event: Event) -> float:
        return announcing.seconds_to_see(event)

    def check_pack(self, path: str, overlay: str | None) -> Iterable[str]:
        """Report any folder that is no other game's pack."""
        return report(path, overlay)

    def check_file(self, path: str) -> Iterable[str] | None:
        """Report a file of house calls, or of a campaign."""
        if campaigns.is_campaign_file(path):
            return campaigns.report(path)
        return house_calls.report(path) if house_calls.is_call_file(path) else None

    def words(self, language: str) -> Mapping[str, str]:
        """Return what house calls say: pages and voice say it alike."""
        return catalogues.texts(language, EVENINGS)

    def opening(self, state: ShelterState) -> Text | None:
        return announcing.house_call(state)

    def spoken(self, event: Event, state: ShelterState) -> Text | None:
        return announcing.spoken(event, state)

    def scores(self, state: ShelterState) -> dict[str, dict[str, int]] | None:
        """Return what breaks a tie, in this order (E3); who has played together has nothing to compare (U1)."""
        result = state["result"]
        if result is None or "together" in state:
            return None
        return {
            colour: {
                "happiness": result["scores"][colour]["happiness"],
                "cubes": sum(player["resources"].values()),
                "dwellers": player["total"],
                "items": len(player["items"]),
            }
            for colour, player in state["players"].items()
        }

    def points(self, state: ShelterState) -> int | None:
        return telling.points(state)

    def deeds(self, state: ShelterState) -> list[tuple[str, str]]:
        return telling.deeds(state)

    def named(self, position: ShelterGame, thing: str, language: str) -> str | None:
        names = position.box.card_names
        if thing == "unknown":
            return None
        return names.get(language, {}).get(thing) or names.get(catalogues.DEFAULT, {}).get(thing, thing)

    def with_cards(self, game: ShelterGame, pack: PackText) -> ShelterGame:
        return with_box(game, box_of(pack))

    def roll(self, state: ShelterState) -> Roll | None:
        """Return a fight's roll (G1), one that is made again (I2), or the threat step's by level (T1, U3, W6)."""
        for choice in state["pending"]:
            again = choice["kind"] == "reroll"
            ways = [option for option in choice["options"] if option == "roll" or (again and option != "keep")]
            if ways:
                answer: MoveJson = {"do": "choose", "by": choice["by"], "id": choice["id"]}
                moves: tuple[MoveJson, ...] = tuple({**answer, "option": option} for option in ways)
                return Roll("reroll" if again else "fight", moves, choice["by"], choice["id"])
        if state["phase"] == "spawn":
            levels = tuple(int(level) for level in state["levels"])
            if "house_call" in state:
                levels = tuple(state["house_call"]["rolls"])
            if "together" in state:
                levels += (1,) * rolls_of(state["together"]["crisis"])
            return Roll("spawn", ({"do": "spawn"},), levels=levels, round=state["round"]) if levels else None
        return None


def _roll(state: ShelterState) -> MoveJson:
    for choice in state["pending"]:
        if choice["kind"] == "fight":
            return {"do": "choose", "by": choice["by"], "id": choice["id"], "option": "roll"}
    raise Refusal("nothing_to_roll", "G1", "No fight waits for a roll.")


GAME: Final = Shelter()
