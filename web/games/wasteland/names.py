"""Names of cards, enemies and spaces, as the owner has typed them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.blanks import PREFIX, is_blank
from companion.cards.wasteland.in_words import CATALOGUE
from companion.cards.wasteland.words import EnemyType
from companion.games.wasteland import naming
from companion.games.wasteland.map.plan import FACEDOWN
from companion.languages import catalogues
from web.base.words import name_of
from web.games.port import LaidPiece, Relaying
from web.games.wasteland import board

if TYPE_CHECKING:
    from companion.games.wasteland.box import WastelandBox
    from companion.games.wasteland.state_types import WastelandState
    from web.base.words import Words


class Names:
    """The names of everything in one game, in the reader's language."""

    def __init__(self, words: Words, box: WastelandBox, state: WastelandState) -> None:
        self.words = words
        self.box = box
        self.state = state
        self._told = catalogues.card_texts(words.language, CATALOGUE)
        self._names = naming.printed_names(box, words.language)
        self._spaces = naming.space_names(box, words.language)
        self._scenario = box.scenarios.get(state["options"].get("scenario", ""))

    def of(self, thing: str | None) -> str:
        """Return a card, token or survivor by its id; an unknown id stands for itself, None for nothing."""
        if thing is None:
            return ""
        if is_blank(thing):
            kind = thing.removeprefix(PREFIX)
            return self.kind(kind) if kind in list(EnemyType) else self.words.text("wblank")
        return self._names.get(thing) or thing.replace("-", " ")

    def told(self, text: str) -> str:
        """Return a text of a card of ours in the reader's language; what an owner has typed in stays as it is."""
        return self._told.get(text, text)

    def player(self, colour: str) -> str:
        return name_of(self.words, self.state, colour)

    def players(self, colours: str) -> str:
        """Return several players, as options name them: `red+blue`."""
        return ", ".join(self.player(colour) for colour in colours.split("+"))

    def space(self, name: str | None) -> str:
        if not name:
            return self.words.text("wopt_elsewhere")
        if "map" in self.state:
            if name in self._spaces:
                return self._spaces[name]
            if name.startswith(FACEDOWN):
                return self.words.text("wfacedown_tile", n=name.removeprefix(FACEDOWN))
        return (name[:1].upper() + name[1:]).replace("-", " ")

    def tile(self, name: str) -> str:
        return self._names.get(name) or (name[:1].upper() + name[1:]).replace("-", " ")

    def spaces(self) -> list[str]:
        """Return every space that is known by name: the scenario's, then those that somebody told."""
        sheet = [*self._scenario.start_spaces, *self._scenario.spaces] if self._scenario else []
        told = [one["space"] for one in (*self.state["enemies"].values(), *self.state["players"].values())]
        return [space for space in dict.fromkeys([*sheet, *told]) if space]

    def faction(self, faction: str) -> str:
        """Return a faction of the scenario, with its mark."""
        named = dict(zip(("star", "shield"), self._scenario.factions, strict=True)) if self._scenario else {}
        mark = self.words.text(f"wtype_{faction}")
        return f"{mark[:1]} {self.told(named[faction])}" if named.get(faction) else mark

    def tokens_of(self, faction: str) -> str:
        """Return what the tokens of a faction mean where they are no enemies."""
        tokens = dict(zip(("star", "shield"), self._scenario.tokens, strict=True)) if self._scenario else {}
        return self.told(tokens.get(faction, ""))

    def kind(self, kind: str) -> str:
        return self.faction(kind) if kind in ("star", "shield") else self.words.text(f"wtype_{kind.replace('-', '_')}")

    def scenario(self) -> str:
        return self.told(self._scenario.name) if self._scenario else ""

    def quest(self, number: int) -> str:
        quest = self.box.quests.get(number)
        return f"{number} {self.told(quest.name)}" if quest and quest.name else self.words.text("wquest", n=number)

    def enemy(self, number: object) -> str:
        """Return a token on the map by its name where it lies faceup, else by its type."""
        token = self.state["enemies"].get(str(number))
        if token is None:
            return f"#{number}"
        return self.of(token["id"]) if token["active"] else self.words.text("winactive", type=self.kind(token["type"]))

    def enemy_at(self, number: object) -> str:
        token = self.state["enemies"].get(str(number))
        return f"{self.enemy(number)}, {self.space(token['space'])}" if token else self.enemy(number)


def laying(words: Words, names: Names, state: WastelandState) -> Relaying | None:
    """Return what lies where and before the players; None unless the game is frozen."""
    if state["phase"] != "frozen":
        return None
    figures = [
        LaidPiece(names.space(player["space"]), names.player(colour), "")
        for colour, player in state["players"].items()
        if not player["eliminated"]
    ]
    enemies = [
        LaidPiece(names.space(one["space"]), names.enemy(number), "") for number, one in state["enemies"].items()
    ]
    middle = [LaidPiece("", names.quest(number), "") for number in state["quests"]]
    shop = [LaidPiece("", names.of(card), "") for card in state["shop"]]
    groups = [
        (words.text("won_the_map"), [*figures, *enemies]),
        (words.text("wquests"), middle),
        (words.text("wshop"), shop),
    ]
    boards = [(colour, names.player(colour), _board(words, names, state, colour)) for colour in state["order"]]
    return Relaying(groups, boards, 0)


def _board(words: Words, names: Names, state: WastelandState, colour: str) -> str:
    one = board.board(words, names, state, colour, frozenset())
    pegs = words.text("wpegs", hp=one.hp, rads=one.rads, n=one.remaining)
    letters = "".join(letter.letter for letter in one.letters if letter.owned)
    held = [card for card in (*one.equipment, *one.inventory, one.beside) if card is not None]
    spent = [f"{card.name} ({words.text('exhausted')})" if card.exhausted else card.name for card in held]
    perks = [name for _, name, _ in one.perks]
    caps, agendas = words.count("wcaps", one.caps), words.count("wagendas", one.agendas)
    return " · ".join([pegs, letters, caps, agendas, *one.traits, *spent, *perks])
