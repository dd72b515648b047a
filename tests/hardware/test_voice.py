import random
import re
import string
import subprocess
from queue import Empty, Queue
from threading import Event

import pytest

from companion.cards.wasteland.loader import builtin
from companion.games.mat import GamePosition
from companion.games.registry import game_of
from companion.games.shelter.board.vault import Spawned
from companion.games.shelter.events import (
    CubesPaid,
    FightLost,
    FightRolled,
    FightWon,
    GameOver,
    HouseCallTurned,
    IncomeDue,
    IncomeLapsed,
    LastRound,
    RoundBegun,
    ThreatRolled,
)
from companion.games.shelter.words import NO_CARD
from companion.games.wasteland.events import (
    AgendaRevealed,
    CardEvent,
    EncounterOpened,
    EnemyKilled,
    EnemyMoved,
    FightBegun,
    PlainEvent,
    QuestEvent,
    TypeActivated,
    WastelandOver,
)
from companion.languages import catalogues
from companion.languages.catalogues import codes
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from companion.table.ports import DeviceError
from companion.table.session.events import BotSuggested, DiceThrown, DiceUnsure, GameStarted, MoveRefused
from companion.table.session.intents import DeviceChanged
from companion.table.session.snapshots import Snapshot
from hardware.voice import voice
from hardware.voice.voice import ABSENT, SWITCHED_OFF, SpokenVoice, espeak, sentences, words_of
from tests.games.wasteland.play import any_legal

from .conftest import snapshot

ROUND = RoundBegun(3)


def spawned(level, column, threat):
    return ThreatRolled(Spawned(level - 1, (column - 3, 3), -1, NO_CARD if threat is None else 0, ""))


class Mouth:
    """Says what it is told when it is let."""

    def __init__(self):
        self.said = Queue()
        self.may_go_on = Event()
        self.may_go_on.set()
        self.error = None

    def __call__(self, voice, text):
        self.said.put((voice, text))
        assert self.may_go_on.wait(10)
        if self.error is not None:
            raise self.error


@pytest.fixture
def mouth():
    return Mouth()


@pytest.fixture
def intents():
    return Queue()


@pytest.fixture
def speaking(mouth, intents):
    voice = SpokenVoice(intents.put, speak=mouth)
    voice.start()
    assert intents.get(timeout=5) == DeviceChanged("voice", "ok")
    yield voice
    mouth.may_go_on.set()
    voice.close()


def in_english(shown):
    return sentences(shown, words_of("en"))


SHELTER = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red"}


def in_shelter(*events, **changes):
    return played("shelter", "standard", SHELTER, *events, **changes)


def played(name, pack, setup, *events, **changes):
    """A snapshot of a real game, with events that might have happened in it."""
    rules, luck = game_of(name), SeededLuck(1)
    position = rules.new(rules.pack_text(pack, None), setup, luck)
    shown = {**snapshot().state, **rules.state(position), **changes}
    return Snapshot(1, 1, shown, events, GamePosition(rules, position, luck))


def test_threats():
    rows = [{"level": 1, "space": None, "threat": "raider"}, {"level": 2, "space": None, "threat": None}]
    shown = in_shelter(spawned(1, 9, "raider"), spawned(2, 7, None), spawned=rows)
    assert in_english(shown) == "Level 1: 9. Raider. Level 2: 7. Nothing comes."


def test_a_fight():
    rolled, won = FightRolled(0, 0, (3, 4), 1, 7), FightWon(0, 0, 8, 7)
    assert in_english(snapshot(rolled, won)) == "Red rolls 8. Red wins the fight."
    assert in_english(snapshot(FightLost(1, 0, 5, 7))) == "Blue loses the fight."


def test_m3_an_income_is_asked_for_until_it_is_answered():
    due, again = IncomeDue(1, 3, again=False), IncomeDue(1, 3, again=True)
    assert in_english(snapshot(due)) == "Blue: an income on your level."
    assert in_english(snapshot(again)) == "Blue: first an income, then the recall."
    assert in_english(snapshot(IncomeLapsed(1, 3))) == "Blue: the income is gone."
    pressed = MoveRefused(Refusal("income_open", "M3", "blue still has to answer an income.", by="blue"), "blue")
    assert in_english(snapshot(pressed)) == "Blue: first an income, then the next move."
    assert in_english(snapshot(MoveRefused(Refusal("no_game", None, "No game is being played.")))) == ""


def test_real_dice():
    level = DiceThrown((4, 5), level=2)
    fight = DiceThrown((4, 5), by="red")
    assert in_english(snapshot(level)) == "Level 2: 9."
    assert in_english(snapshot(fight)) == "Red: 9. Take it?"
    assert in_english(snapshot(DiceUnsure("red"))) == "The dice cannot be read."


def test_rounds_and_the_end():
    assert in_english(snapshot(ROUND)) == "Round 3."
    assert in_english(snapshot(LastRound(0, "B5"))) == "This is the last round."
    assert in_english(snapshot(GameOver((0,)))) == "The game is over. Red wins."
    both = snapshot(GameOver((0, 1)))
    assert in_english(both) == "The game is over. Red and Blue share the victory."


def test_a_bot_says_where_its_dweller_goes_and_why():
    said = BotSuggested("red", {"do": "place", "space": "2:R1a"}, {"why": "first_player"})
    shown = in_shelter(said, threats={"2:R1a": "raider"}, levels={"2": {"rooms": {}}})
    assert in_english(shown) == "Red moves a dweller to Raider, level 2: first in the next round."


WASTE = {"game": "wasteland", "phase": "enemies"}


def test_the_enemy_phase_of_the_second_game():
    shown = snapshot(
        AgendaRevealed(0, "good-name", ("robot",)),
        TypeActivated(-1, "super-mutant"),
        PlainEvent("survivor_killed", 1),
        PlainEvent("camp", 1),
        **WASTE,
    )
    assert in_english(shown) == "Enemy phase. Super mutants act. Blue is killed."


def test_the_story_of_an_encounter_is_read_aloud():
    opened = EncounterOpened(0, "settlement", "fish-market")
    told = {"says": ["Stalls lean together.", "Look at what she sells."]}
    assert in_english(snapshot(opened, **WASTE, encounter=told)) == "Stalls lean together. Look at what she sells."
    assert in_english(snapshot(opened, **WASTE, encounter=None)) == ""


@pytest.mark.parametrize(("language", "begins"), [("de", "Wo einst der Steg"), ("pl", "Stragany"), ("ru", "Лотки")])
def test_an_encounter_is_read_in_the_tables_language(mouth, intents, language, begins):
    printed = builtin("homemade").encounters[0].note
    shown = snapshot(
        EncounterOpened(0, "settlement", "fish-market"), **WASTE, encounter={"says": [printed, "Typed by an owner."]}
    )
    voice = SpokenVoice(intents.put, language=language, speak=mouth)
    voice.start()
    voice.tell(shown)
    spoken_in, text = mouth.said.get(timeout=5)
    assert spoken_in == language
    assert text.startswith(begins)
    assert text.endswith(" Typed by an owner.")
    voice.close()


@pytest.mark.parametrize(
    ("winners", "said"),
    [
        ([], "The game is over. Everybody has lost."),
        (["red"], "The game is over. Red wins."),
        (["red", "blue"], "The game is over. Red and Blue share the victory."),
    ],
)
def test_how_the_second_game_ends(winners, said):
    assert in_english(snapshot(WastelandOver(-1, tuple(winners), "loyalty"), **WASTE)) == said


def test_most_is_not_worth_a_word():
    assert in_english(snapshot(CubesPaid(0, "food", 1))) == ""


def test_every_language_says_the_same():
    def holes(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english = words_of("en")
    for words in map(words_of, codes()):
        assert {key: holes(text) for key, text in words.items()} == {key: holes(text) for key, text in english.items()}


def test_it_speaks_the_games_language(mouth, intents):
    voice = SpokenVoice(intents.put, language="pl", speak=mouth)
    voice.start()
    voice.tell(snapshot(ROUND))
    assert mouth.said.get(timeout=5) == ("pl", "Runda 3.")
    voice.close()


def test_nobody_waits_and_the_newest_wins(speaking, mouth):
    mouth.may_go_on.clear()
    speaking.tell(snapshot(ROUND))
    assert mouth.said.get(timeout=5)[1] == "Round 3."
    for number in range(4, 50):
        speaking.tell(snapshot(RoundBegun(number)))
    mouth.may_go_on.set()
    assert mouth.said.get(timeout=5)[1] == "Round 49."
    with pytest.raises(Empty):
        mouth.said.get(timeout=0.05)


def test_a_switch(speaking, mouth, intents):
    speaking.switch(on=False)
    assert intents.get(timeout=5) == DeviceChanged("voice", "off", SWITCHED_OFF)
    speaking.tell(snapshot(ROUND))
    speaking.switch(on=True)
    assert intents.get(timeout=5) == DeviceChanged("voice", "ok")
    speaking.tell(snapshot(RoundBegun(4)))
    assert mouth.said.get(timeout=5)[1] == "Round 4."


def test_switched_off_from_the_start(mouth, intents):
    voice = SpokenVoice(intents.put, on=False, speak=mouth)
    voice.start()
    assert intents.get(timeout=5) == DeviceChanged("voice", "off", SWITCHED_OFF)
    voice.tell(snapshot(ROUND))
    voice.close()
    assert mouth.said.empty()


def test_a_loudspeaker_that_comes_back(speaking, mouth, intents):
    mouth.error = DeviceError("Bring a loudspeaker.")
    speaking.tell(snapshot(ROUND))
    assert intents.get(timeout=5) == DeviceChanged("voice", "off", "Bring a loudspeaker.")
    mouth.error = None
    speaking.tell(snapshot(ROUND))
    assert intents.get(timeout=5) == DeviceChanged("voice", "ok")


def test_without_espeak(monkeypatch, intents):
    monkeypatch.setattr(voice.shutil, "which", lambda name: None)
    silent = SpokenVoice(intents.put)
    silent.start()
    assert intents.get(timeout=5) == DeviceChanged("voice", "off", ABSENT)
    silent.tell(snapshot(ROUND))
    silent.close()
    with pytest.raises(DeviceError, match="apt install espeak-ng"):
        espeak("en-gb", "Hello.")


def test_espeak_is_told_by_its_standard_input(monkeypatch):
    told = []
    monkeypatch.setattr(voice.shutil, "which", lambda name: "/usr/bin/espeak-ng")
    monkeypatch.setattr(voice.subprocess, "run", lambda command, **how: told.append((command, how["input"])))
    espeak("ru", "Раунд 3.")
    assert told == [(["/usr/bin/espeak-ng", "-v", "ru", "--stdin"], "Раунд 3.".encode())]


def test_espeak_that_fails(monkeypatch):
    def fail(command, **how):
        raise subprocess.TimeoutExpired(command, how["timeout"])

    monkeypatch.setattr(voice.shutil, "which", lambda name: "/usr/bin/espeak-ng")
    monkeypatch.setattr(voice.subprocess, "run", fail)
    with pytest.raises(DeviceError, match="check the loudspeaker"):
        espeak("ru", "Раунд 3.")


def test_the_settings_of_the_host_count(speaking, mouth, intents):
    speaking.tell(snapshot(ROUND, table={"camera": "off", "disagreements": [], "voice": True, "language": "pl"}))
    assert mouth.said.get(timeout=5) == ("pl", words_of("pl")["round"].format(round=3))
    speaking.tell(snapshot(ROUND, table={"camera": "off", "disagreements": [], "voice": False, "language": "pl"}))
    assert intents.get(timeout=5) == DeviceChanged("voice", "off", SWITCHED_OFF)
    assert mouth.said.empty()


def test_a_house_call_is_said_when_the_game_begins_and_when_it_turns():
    effects = [{"do": "dry", "of": "water", "where": "top", "until": 3}]
    drawn = {"id": "dry-pipes", "names": {}, "effects": effects, "now": [0], "rolls": [1, 2, 3]}
    for event in (GameStarted("one"), HouseCallTurned()):
        said = in_english(snapshot(event, house_call=drawn))
        assert said == "House call: The water is out. Top level: no water, until the end of round 3."
    assert in_english(snapshot(GameStarted("one"))) == ""


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Mole Rat"), ("de", "Maulwurfsratte"), ("pl", "Kretoszczur"), ("ru", "Кротокрыс")],
)
def test_a_threat_is_named_in_the_tables_language(language, said):
    rows = [{"level": 1, "space": None, "threat": "mole-rat"}]
    shown = in_shelter(spawned(1, 9, "mole-rat"), spawned=rows)
    assert said in sentences(shown, words_of(language))


WALKED = {"players": ["red", "blue"], "scenario": "the-salt-road", "first": "red",
          "survivors": {"red": "the-netmaker", "blue": "the-pilgrim"}}  # fmt: skip


@pytest.mark.parametrize("language", codes())
def test_everything_of_the_second_game_is_named_in_the_tables_language(language):
    pack = builtin("homemade")
    told = catalogues.card_texts(language, "wasteland-homemade")
    token = {"type": "critter", "active": True, "space": "camp-gate", "id": "dune-crab", "level": 1}
    crab, knife = (next(one for one in pile if one.id == wanted).name
                   for pile, wanted in ((pack.enemies, "dune-crab"), (pack.cards, pack.cards[0].id)))  # fmt: skip
    space = pack.tiles[0].spaces[0]
    events = (
        TypeActivated(-1, "star"),
        EnemyMoved(-1, 1, space.id),
        FightBegun(0, "dune-crab", 1, adjacent=False),
        EnemyKilled(0, 1, "dune-crab"),
        CardEvent("drawn", 1, pack.cards[0].id),
        QuestEvent("quest_staged", -1, pack.quests[0].number),
    )
    shown = played("wasteland", "homemade", WALKED, *events, phase="enemies", enemies={"1": token})
    text = sentences(shown, words_of(language))
    quest, faction = pack.quests[0].name, pack.scenarios[0].factions[0]
    for name in (crab, knife, quest, faction):
        assert told.get(name, name) in text
    assert (space.names.get(language) or space.name) in text
    assert not re.search(r"\b[a-z]+-[a-z]+\b", text)


def test_a_card_that_nobody_has_named_is_said_to_be_one():
    shown = played("wasteland", "homemade", WALKED, CardEvent("drawn", 0, "unknown-loot"))
    assert sentences(shown, words_of("en")) == "Red draws a card without a name."
    rows = [{"level": 1, "space": None, "threat": "unknown"}]
    shown = in_shelter(spawned(1, 9, "unknown"), spawned=rows)
    assert sentences(shown, words_of("en")) == "Level 1: 9. a card without a name."


@pytest.mark.parametrize("language", codes())
def test_a_whole_evening_in_the_wasteland_is_told_without_an_id(language):
    rules, luck = game_of("wasteland"), SeededLuck(3)
    setup = {**WALKED, "scenario": "the-drowned-lights"}
    game = rules.new(rules.pack_text("homemade", None), setup, luck)
    ids = {one.id for pile in (game.box.cards, game.box.enemies, game.box.encounters) for one in pile if "-" in one.id}
    ids |= {space.id for tile in game.box.tiles for space in tile.spaces if "-" in space.id}
    words, heard, source = words_of(language), set(), random.Random(3)
    for _ in range(250):
        move = any_legal(game, source)
        if move is None:
            break
        events = tuple(game.play(move, luck))
        shown = Snapshot(1, 1, {**snapshot().state, **rules.state(game)}, events, GamePosition(rules, game, luck))
        text = sentences(shown, words)
        assert not [one for one in ids if one in text], text
        heard |= {type(event) for event in events if rules.spoken(event, shown.state) is not None}
    assert heard >= {TypeActivated, EnemyMoved, FightBegun, EnemyKilled, CardEvent}
