"""The card library: which numbered cards should lie in play now, for hands to fetch and put away (W-LIB, W-QUEST)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.mat import MatLayout, MatPiece, PieceKind

if TYPE_CHECKING:
    from companion.games.wasteland.state_types import WastelandState

QUEST: Final = "quest"
DECK: Final = "deck"


class LibraryLayout(MatLayout):
    """Numbered cards by their places: `quest:14` lies faceup, `deck:47` is in an encounter deck."""

    @property
    def set_up(self) -> tuple[MatPiece, ...]:
        """Return nothing: the first quests are fetched too."""
        return ()

    def sort(self, place: str) -> str:
        return place.partition(":")[0]


def fetched(state: WastelandState) -> LibraryLayout | None:
    """Return the numbered cards in play; None where no real cards are on the table."""
    if state["options"]["cards"] != "table":
        return None
    quests = [MatPiece(f"{QUEST}:{number}", PieceKind.CARD, str(number)) for number in state["quests"]]
    added = [MatPiece(f"{DECK}:{number}", PieceKind.CARD, number) for number in state.get("library", ())]
    return LibraryLayout((*quests, *added))
