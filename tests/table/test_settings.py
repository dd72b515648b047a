import pytest

from companion.refusal import Refusal
from companion.table.session.intents import ChangeSettings, Foreseen
from companion.table.session.settings import FILE, Settings, SettingsFaults, keep, kept


def played(table):
    return {name: table.state["table"][name] for name in ("way", "rest", "voice", "language")}


def test_they_outlive_the_plug_and_can_be_read(table):
    assert played(table) == {"way": "stillness", "rest": 1.5, "voice": None, "language": None}
    table.ask(ChangeSettings("button", 2, voice=False))
    table.ask(ChangeSettings(language="pl"))
    table.again()
    assert played(table) == {"way": "button", "rest": 2, "voice": False, "language": "pl"}
    text = (table.folder / FILE).read_text(encoding="utf-8")
    assert text.splitlines()[1:5] == ['way = "button"', "rest = 2", "voice = false", 'language = "pl"']


def test_what_is_kept_counts_more_than_how_the_table_was_set_up(tmp_path):
    (tmp_path / FILE).write_text("voice = false\n", encoding="utf-8")
    assert kept(tmp_path, Settings(way="button", voice=True)) == Settings(way="button", voice=False)


def test_every_fault_is_told_with_its_line(tmp_path):
    (tmp_path / FILE).write_text('way = "loud"\nrest = true\nodd = 1\nlanguage = "xx"\nvoice = 1\n', encoding="utf-8")
    with pytest.raises(SettingsFaults) as told:
        kept(tmp_path, Settings())
    assert [fault.line for fault in told.value.faults] == [1, 2, 3, 4, 5]
    assert "one of way, rest, voice, language, odds_fight" in str(told.value)
    (tmp_path / FILE).write_text("way = ", encoding="utf-8")
    with pytest.raises(SettingsFaults, match="broken TOML"):
        kept(tmp_path, Settings())


@pytest.mark.parametrize("odd", [{"voice": "yes"}, {"language": "xx"}, {"rest": True}, {"way": 3}, {"odds_win": 1}])
def test_odd_ones_change_nothing(table, odd):
    with pytest.raises(Refusal) as refused:
        table.ask(ChangeSettings(**odd))
    assert refused.value.fields["field"] in odd
    assert not (table.folder / FILE).exists()


def test_a_disk_that_does_not_take_them_is_a_refusal(table):
    (table.folder / f"{FILE}.new").mkdir()
    with pytest.raises(Refusal) as refused:
        table.ask(ChangeSettings("button"))
    assert refused.value.code == "not_recorded"
    assert table.state["table"]["way"] == "stillness"


def test_what_is_written_is_read_again(tmp_path):
    settings = Settings("button", 0.25, voice=True, language="ru")
    keep(tmp_path / "new", settings)
    assert kept(tmp_path / "new", Settings()) == settings


def test_which_odds_are_shown_is_kept(table):
    assert table.state["odds"] == {"shown": ["fight", "columns"], "win": None}
    table.ask(ChangeSettings(odds_win=True, odds_columns=False))
    table.again()
    assert table.state["odds"]["shown"] == ["fight", "win"]


def test_a_chance_to_win_is_shown_while_it_is_wanted(table):
    table.start()
    game, estimate = table.state["id"], {"playouts": 60, "chances": {}}
    table.ask(Foreseen(game, 0, 1, estimate))
    assert table.state["odds"]["win"] is None
    table.ask(ChangeSettings(odds_win=True))
    table.ask(Foreseen("another", 0, 1, estimate))
    assert table.state["odds"]["win"] is None
    table.ask(Foreseen(game, 0, 1, estimate))
    assert table.state["odds"]["win"] == {"version": 0, "round": 1, **estimate}
    table.ask(ChangeSettings(odds_win=False))
    table.ask(ChangeSettings(odds_win=True))
    assert table.state["odds"]["win"] is None


@pytest.mark.parametrize(
    "rest", ["9" * 400, "9" * 5000, "0x" + "f" * 5000, "1e400", "-inf", "nan"],
    ids=["400 digits", "5000 digits", "hexadecimal", "infinite", "minus infinite", "no number"],
)  # fmt: skip
def test_an_impossible_rest_in_the_file_is_told_in_one_line(tmp_path, rest):
    (tmp_path / FILE).write_text(f'way = "button"\n\nrest = {rest}\n', encoding="utf-8")
    with pytest.raises(SettingsFaults) as told:
        kept(tmp_path, Settings())
    [fault] = told.value.faults
    assert fault.line == 3
    assert len(str(fault)) < len(str(tmp_path)) + 200


@pytest.mark.parametrize("rest", [10**400, 10**5000, float("inf"), float("nan")], ids=["400", "5000", "inf", "nan"])
def test_an_impossible_rest_is_a_refusal(table, rest):
    with pytest.raises(Refusal) as refused:
        table.ask(ChangeSettings(rest=rest))
    assert refused.value.code == "malformed"
    assert table.session.failure is None
