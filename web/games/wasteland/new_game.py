"""What the wasteland asks before a game: the scenario, who shuffles, and then dice, survivors and who begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.games.wasteland.flow.ways import LuckyAgendas, OwnFaction, Together
from web.games.asking import WHO, Asking, answers_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.cards.wasteland.types import WastelandPack
    from companion.table.session.state_view import SnapshotState
    from web.games.asking import Answers

SCENARIO, CARDS, MORE = "scenario", "cards", "more"
STEPS: Final = (WHO, SCENARIO, CARDS, MORE)


@dataclass(frozen=True, slots=True)
class WastelandBeginning:
    """What has been answered of this game so far."""

    answers: Answers
    pack: str
    scenario: str
    cards: str
    dice: str
    together: str
    agendas: str
    own: str
    first: str
    survivors: Mapping[str, str]
    """The survivor of each colour that plays, empty where it is chosen on the phone."""

    def asking(self) -> Asking:
        survivors = [(f"survivor_{colour}", survivor) for colour, survivor in self.survivors.items()]
        fields = {
            SCENARIO: [("pack", self.pack), ("scenario", self.scenario)],
            CARDS: [("cards", self.cards)],
            MORE: [
                ("together", self.together),
                ("agendas", self.agendas),
                ("own", self.own),
                ("dice", self.dice),
                ("first", self.first),
                *survivors,
            ],
        }
        return Asking(self.answers, MORE, fields)


def new_game(
    game: str, state: SnapshotState, asked: Mapping[str, str], chosen: str, pack: WastelandPack
) -> WastelandBeginning:
    """Return the answers so far, of those that this pack knows."""
    answers = answers_of(game, state, asked, STEPS)
    scenarios = [one.id for one in pack.scenarios]
    known = [one.id for one in pack.characters]
    return WastelandBeginning(
        answers=answers,
        pack=chosen,
        scenario=answers.value("scenario", scenarios, next(iter(scenarios), "")),
        cards=answers.value("cards", ("table",), "companion") if pack.box is None else "table",
        dice=answers.value("dice", ("table",), "companion") if pack.dice else "table",
        together=answers.value("together", tuple(Together), Together.NO),
        agendas=answers.value("agendas", tuple(LuckyAgendas), LuckyAgendas.BOOK),
        own=answers.value("own", tuple(OwnFaction), OwnFaction.FIGHTS),
        first=answers.value("first", answers.colours),
        survivors={colour: answers.value(f"survivor_{colour}", known) for colour in answers.colours},
    )
