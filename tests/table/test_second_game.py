"""The second game at the same table: session, record, buttons, undo, freezing."""

import json
import random

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from in_the_wasteland import TWO, begin, offers, wander

from companion.cli import main
from companion.games.api import Button
from companion.refusal import Refusal
from companion.table.record.open_game import replay
from companion.table.session.intents import ButtonPressed, EditCards, Freeze, Speaker, StartGame, TableSeen, Tap, Thaw
from companion.table.session.state_view import has_secrets, private_of, text_for
from companion.table.sight.reading import Reading

RED, BLUE = Speaker(frozenset({"red"}), name="red"), Speaker(frozenset({"blue"}), name="blue")
CRAB = {
    "start": {
        "players": {"red": {"space": "reef", "perks": ["iron-grip"]}},
        "enemies": {"1": {"id": "dune-crab", "space": "reef"}},
    }
}


def everything(open_game):
    secrets = {seat: open_game.rules.private(open_game.game, seat) for seat in open_game.state()["players"]}
    return json.dumps([open_game.state(), secrets], sort_keys=True)


def press(table, button, held=False):
    return table.ask(ButtonPressed(button, held)).as_json()["events"]


def test_a_game_begins_and_turns_go_round(table):
    begin(table, names={"red": "Ann"})
    assert (table.state["game"], table.state["phase"], table.state["turn"]) == ("wasteland", "turn", "red")
    assert table.state["players"]["red"]["name"] == "Ann"
    table.tap("end", RED, by="red")
    assert table.state["turn"] == "blue"
    table.tap("undo", RED)
    assert table.state["turn"] == "red"
    with pytest.raises(Refusal, match="its own last move"):
        table.tap("redo", BLUE)
    table.tap("redo", RED)
    assert table.state["turn"] == "blue"


def test_a_name_is_corrected(table):
    begin(table, names={"red": "Ann"})
    table.tap("correct", BLUE, set={"players": {"blue": {"name": "Bo"}}})
    table.tap("correct", RED, set={"players": {"red": {"name": None}}})
    table.again()
    assert [one["name"] for one in table.state["players"].values()][:2] == ["Red", "Bo"]
    with pytest.raises(Refusal, match=r"players\.blue\.name"):
        table.tap("correct", BLUE, set={"players": {"blue": {"name": []}}})


def test_survivors_are_chosen_by_their_seats(table):
    begin(table, survivors={})
    choice = table.state["pending"][0]
    assert (choice["by"], choice["kind"]) == ("red", "survivor")
    with pytest.raises(Refusal, match="another player"):
        table.tap("choose", BLUE, id=choice["id"], by="blue", option="the-pilgrim")
    table.tap("choose", RED, option="the-netmaker")
    assert table.state["players"]["red"]["survivor"] == "the-netmaker"


def test_what_is_nobodys_is_anybodys_who_sits(table):
    begin(table)
    for _ in range(2):
        table.tap("end", by=table.state["turn"])
    assert table.state["phase"] == "enemies"
    with pytest.raises(Refusal):
        table.tap("reveal", Speaker(name="nobody"))
    table.tap("reveal", BLUE)
    assert table.state["revealed"] or table.state["phase"] == "turn"


def test_a_card_of_a_real_deck_is_told_by_any_seat(table):
    begin(table, options={"cards": "table"}, decks={})
    choice = next(one for one in table.state["pending"] if one["kind"] == "drawn")
    both = Speaker(frozenset({"red", "blue"}), name="blue+red")
    table.tap("choose", both, id=choice["id"], option=choice["options"][0])
    assert table.state["version"] == 1


def test_buttons_mean_what_they_mean_here(table):
    begin(table, **CRAB)
    table.tap("fight", by="red", enemy=1)
    assert "dice" in [event["event"] for event in press(table, Button.ROLL)]
    while table.state["pending"]:
        choice = table.state["pending"][0]
        table.tap("choose", by=choice["by"], id=choice["id"], option=choice["options"][0])
    if table.state["turn"] == "red":
        press(table, Button.RED)
    assert table.state["turn"] == "blue"
    press(table, Button.BLUE, held=True)
    assert table.state["phase"] == "enemies"
    press(table, Button.THREATS)
    assert table.state["pending"] or table.state["phase"] == "turn"
    press(table, Button.UNDO, held=True)
    assert table.state["phase"] == "enemies"
    assert not table.state["pending"]


def test_a_button_goes_on_and_colours_answer(table):
    """RECALL does what comes next, a colour's press and hold are the first and the second answer."""
    begin(table, start={"players": {"red": {"inventory": ["diving-suit"]}}})
    press(table, Button.RECALL)
    press(table, Button.RECALL)
    assert table.state["phase"] == "enemies"
    press(table, Button.RECALL)
    assert table.state["revealed"] or table.state["round"] == 2
    while table.state["phase"] == "enemies":
        choice = table.state["pending"][0]
        table.tap("choose", by=choice["by"], id=choice["id"], option=choice["options"][-1])
    table.tap("result", by="blue", results=["unique pearl-knife"])
    (asked,) = table.state["pending"]
    assert (asked["by"], asked["kind"], asked["options"]) == ("blue", "equip", ["equip", "inventory"])
    (told,) = press(table, Button.RECALL)
    assert told["code"] == "choose_on_a_phone"
    press(table, Button.BLUE, held=True)
    assert "pearl-knife" in [card["id"] for card in table.state["players"]["blue"]["inventory"]]


@pytest.mark.parametrize(
    ("button", "clause"), [(Button.ROLL, "W-DICE-1"), (Button.THREATS, "W-TURN-5"), (Button.BLUE, "W-TURN-1")]
)
def test_a_button_that_means_nothing_now_is_told(table, button, clause):
    begin(table)
    (told,) = press(table, button)
    assert (told["event"], told["clause"]) == ("refused", clause)


def test_a_camera_that_looks_at_another_game_disturbs_nothing(table):
    begin(table)
    reading = Reading.from_json(
        {"table": "found", "dwellers": [{"space": "1:R1a", "player": "red", "pose": "standing"}]}
    )
    table.ask(TableSeen(reading, 0.0, asked=True))
    assert table.state["table"]["disagreements"] == []
    press(table, Button.RED)
    assert table.state["turn"] == "blue"
    begin(table)
    assert "coach" not in table.state["table"]


def test_frozen_and_laid_again(table):
    begin(table, **CRAB)
    table.ask(Freeze("photo.jpg"))
    assert table.state["phase"] == "frozen"
    assert offers(table, "red") == []
    lies = table.record.entries(table.record.current)[-1].body["frozen"]
    assert {"place": "reef", "piece": "dune-crab"} in lies["pieces"]
    assert "hand" not in lies["boards"]["red"]
    table.again()
    assert table.state["phase"] == "frozen"
    table.ask(Thaw())
    assert table.state["phase"] == "turn"


def test_a_corrected_card_is_played_with(table, tmp_path):
    begin(table)
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, text in table.session._state.open_game.pack.files:
        (folder / name).write_text(text.replace("start_caps", "start_caps"), encoding="utf-8")
    agendas = (folder / "agendas.toml").read_text(encoding="utf-8")
    (folder / "agendas.toml").write_text(agendas.replace("[[agenda]]", "[[agenda]]\nbase = 2", 1), encoding="utf-8")
    table.ask(EditCards(str(folder)))
    assert table.state["version"] == 1
    table.again()
    assert "base = 2" in dict(table.session._state.open_game.pack.files)["agendas.toml"]


@pytest.mark.parametrize(
    ("setup", "pack"),
    [({"players": []}, ""), ({"players": ["red"], "scenario": "none"}, ""), ({"players": ["red"]}, "no-such-pack"),
     ({"players": ["red"], "house_rules": {}}, ""), ({"players": ["red"]}, "/")],
)  # fmt: skip
def test_a_game_that_cannot_be_is_refused(table, setup, pack):
    with pytest.raises(Refusal):
        table.ask(StartGame(setup, plays="wasteland", pack=pack))
    assert table.state["phase"] == "none"


def test_a_pack_with_faults_is_told_whole(table, tmp_path):
    (tmp_path / "pack.toml").write_text("id = 3\n", encoding="utf-8")
    with pytest.raises(Refusal) as refused:
        table.ask(StartGame({"players": ["red"]}, plays="wasteland", pack=str(tmp_path)))
    assert len(refused.value.fields["faults"]) > 3


# --- secrets ----------------------------------------------------------------------------------------------------------


def test_a_hand_is_private_to_its_seat(table):
    begin(table)
    snapshot = table.session.snapshots.latest
    (hand,) = private_of(snapshot, {"red"})["red"]["hand"]
    assert hand["id"] not in snapshot.text
    assert hand["id"] in text_for(snapshot, {"red"})
    assert hand["id"] not in text_for(snapshot, {"blue"})
    assert text_for(snapshot, ()) == text_for(snapshot, {"green"}) == snapshot.text
    assert has_secrets(snapshot)


def test_claims_and_loyalty_are_offered_to_their_owner_alone(table):
    begin(table, start={"players": {"red": {"hand": ["beacon-keeper"]}}})
    secret = {"do": "loyalty", "by": "red", "agenda": 1}
    assert secret in offers(table, "red")
    assert secret not in offers(table)
    assert secret not in offers(table, "blue", "green")


def test_the_first_game_has_no_secrets(table):
    table.start()
    snapshot = table.session.snapshots.latest
    assert private_of(snapshot, {"red"}) == {}
    assert not has_secrets(snapshot)
    assert text_for(snapshot, {"red"}) is snapshot.text


# --- the record -------------------------------------------------------------------------------------------------------


def rebuilt(table, to=None):
    return replay(table.record.entries(table.record.current), to).open_game


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_replay_equals_play_over_the_record(make_table, seed, players):
    table = make_table()
    colours = random.Random(seed).sample(["red", "blue", "green", "yellow"], players)
    table.ask(StartGame({"players": colours}, plays="wasteland", seed=str(seed)))
    told = {}
    for _ in wander(table, seed, 60):
        open_game = table.session._state.open_game
        told[open_game.version] = everything(open_game)
    for version in sorted(told)[:: max(1, len(told) // 5)]:
        assert everything(rebuilt(table, version)) == told[version]
    last = everything(table.session._state.open_game)
    table.again()
    assert everything(table.session._state.open_game) == last == everything(rebuilt(table))


def companion(table, *arguments):
    result = CliRunner().invoke(main, [arguments[0], "--data", str(table.folder), *arguments[1:]])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_commands_of_the_record(table, tmp_path):
    begin(table, names={"red": "Ann <b>"})
    for _ in wander(table, 5, 40):
        pass
    assert "wasteland: red, blue" in companion(table, "games")
    assert json.loads(companion(table, "replay", "game-1", "--json"))["version"] == table.state["version"]
    assert "Caps" in companion(table, "replay", "game-1")
    assert companion(table, "export", "game-1", "--format", "csv").splitlines()[0].endswith("remaining HP blue")
    assert "Ann &lt;b&gt;" in companion(table, "export", "game-1", "--format", "html")
    story = json.loads(companion(table, "export", "game-1", "--format", "json"))
    assert story["steps"][0]["remaining_HP"] == {"red": 16, "blue": 16}
    file = tmp_path / "journal"
    companion(table, "export", "game-1", "-o", str(file))
    replayed = json.loads(CliRunner().invoke(main, ["replay", str(file), "--json"]).output)
    assert replayed["players"] == {colour: {**board} for colour, board in table.state["players"].items()}


def test_a_story_tells_no_told_card_and_no_hand(table):
    begin(table, start={"players": {"red": {"hand": ["full-purse"]}}})
    table.tap("correct", by="red", set={"players": {"red": {"hand": ["good-name", "well-read"]}}})
    game = table.session._state.open_game.game
    told = game.box.agendas[game.agendas.cards[0]].id
    table.tap("result", by="red", results=["draw agenda 1"], drawn=[told])
    for form in ("json", "csv", "html"):
        text = companion(table, "export", "game-1", "--format", form)
        assert not [card for card in ("good-name", "well-read", "full-purse", told) if card in text], form


def test_two_games_in_one_record(table):
    begin(table)
    table.tap("end", by="red")
    table.start()
    assert table.state["game"] == "shelter"
    table.again()
    assert [entries[0].body["plays"] for entries in table.record.games.values()] == ["wasteland", "shelter"]


def test_taps_of_the_other_game_are_refused(table):
    begin(table, **{key: value for key, value in TWO.items() if key != "first"}, first="blue")
    for move in ({"do": "spawn"}, {"do": "recall"}, {"do": "pass", "by": "red"}, {"do": "resolve", "id": 1}):
        with pytest.raises(Refusal):
            table.ask(Tap(move))
