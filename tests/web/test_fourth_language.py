"""A language that is added from files alone, while the companion is installed as it is: pages, voice, cards, paper."""

import errno
import html
from pathlib import Path

import pytest
from at_the_door import BEARER
from click.testing import CliRunner
from test_pages import PAGES, play_a_round

from companion.bots.policy.reason_texts import because
from companion.cards.loader import builtin
from companion.cli import main
from companion.commands.checks import check_paths
from companion.languages import catalogues
from hardware.voice.voice import words_of
from web.base.words import words_in

CZECH = {
    "language.toml": """
        name = "Čeština"
        [plurals]
        one = "i = 1 and v = 0"
        few = "i = 2..4 and v = 0"
    """,
    "pages/my_own_file.toml": """
        nav_status = "Krypta"
        your_turn = "Jsi na tahu"
        device_odd = "{neexistuje}"
        refused_not_your_turn = "Teď hraje {turn}, ne {nekdo}."
        "cubes.one" = "{n} kostka"
        "cubes.few" = "{n} kostky"
        "cubes.other" = "{n} kostek"
        "dwellers.one" = "{n} obyvatel"
    """,
    "voice.toml": """
        voice = "cs"
        round = "Kolo {round}."
    """,
    "reasons.toml": """
        item = "předmět"
    """,
    "cards/standard.toml": """
        water-treatment = "Úpravna vody"
    """,
    "printed.toml": """
        kind-weapon = "Zbraň"
    """,
}


def lay(folder, files):
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(line.strip() for line in text.splitlines()), encoding="utf-8")


@pytest.fixture
def czech(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogues, "_owners", [])
    lay(tmp_path / "languages" / "cs", CZECH)
    catalogues.look_in(tmp_path / "languages")
    yield tmp_path / "languages" / "cs"
    monkeypatch.undo()
    catalogues.forget()


@pytest.mark.usefixtures("czech")
def test_a_round_is_played_in_it_and_what_is_missing_is_english(house):
    phone = {"Accept-Language": "cs"}
    house.start()
    for _ in range(2):
        play_a_round(house)
        for path in PAGES:
            page = house.client().get(path, headers=phone)
            assert page.status_code == 200
            assert 'lang="cs"' in page.text
    status = html.unescape(house.client().get("/", headers=phone).text)
    assert "Krypta" in status
    assert words_in("en").text("rules_link") in status
    assert "Úpravna vody" in html.unescape(house.client().get("/host/cards/standard", headers={**BEARER, **phone}).text)
    assert "Čeština" in status


@pytest.mark.usefixtures("czech")
def test_a_phone_chooses_it(house):
    phone = house.client()
    assert phone.post("/language", data={"language": "cs", "back": "/"}).status_code == 303
    assert 'lang="cs"' in phone.get("/").text


@pytest.mark.usefixtures("czech")
def test_its_numbers_and_nouns():
    words = words_in("cs")
    assert [words.count("cubes", number) for number in (1, 3, 5)] == ["1 kostka", "3 kostky", "5 kostek"]
    assert (words.count("dwellers", 1), words.count("dwellers", 2)) == ("1 obyvatel", "2 dwellers")


@pytest.mark.usefixtures("czech")
def test_it_is_heard_thought_and_printed():
    assert words_of("cs")["round"].format(round=3) == "Kolo 3."
    assert words_of("cs")["won"] == words_of("en")["won"]
    assert because("cs", {"why": "item"}, str) == "předmět"
    assert catalogues.texts("cs", "printed")["kind-weapon"] == "Zbraň"
    assert builtin("standard").names["cs"] == {"water-treatment": "Úpravna vody"}


@pytest.mark.usefixtures("czech")
def test_no_other_pack_becomes_invalid():
    lines, sound = check_paths(["standard", "homemade"])
    assert sound
    assert "homemade: warning: no names in cs; English is used" in lines
    missing = {line.split(":")[1].strip(): line.split(", ") for line in lines if line.startswith("cs: pages/")}
    assert "rules_link" in missing["pages/rules.toml"]
    assert "dwellers.other" in missing["pages/pages.toml"]
    assert "your_turn" not in missing["pages/pages.toml"]


@pytest.mark.usefixtures("czech")
def test_a_text_with_other_braces_is_told_and_said_in_english():
    words = words_in("cs")
    assert words.text("refused_not_your_turn", turn="Ann") == words_in("en").text("refused_not_your_turn", turn="Ann")
    (fault,) = [line for line in check_paths(["homemade"])[0] if "refused_not_your_turn" in line]
    assert fault.startswith("cs/pages: refused_not_your_turn = ")


@pytest.mark.parametrize("text", ["name = ", 'name = "Čeština"\n[plurals]\none = "i is 1"', "plurals = 3"])
def test_a_head_that_cannot_be_read_is_told_and_ends_nothing(czech, text, house):
    (czech / "language.toml").write_text(text, encoding="utf-8")
    catalogues.forget()
    assert house.client().get("/", headers={"Accept-Language": "cs"}).status_code == 200
    if "plurals = 3" not in text:
        assert [line for line in check_paths(["homemade"])[0] if "language.toml" in line]


@pytest.mark.usefixtures("czech")
def test_the_command_line_finds_it_beside_the_record(tmp_path, monkeypatch):
    catalogues._owners.clear()
    catalogues.forget()
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    ran = CliRunner().invoke(main, ["print", str(tmp_path / "cards.pdf"), "--what", "tokens", "--language", "cs"])
    assert ran.exit_code == 0, ran.output
    ran = CliRunner().invoke(main, ["cards", "check", "homemade"])
    assert ", won" in next(line for line in ran.output.splitlines() if line.startswith("cs: voice.toml: English"))


def test_a_folder_that_is_closed_to_who_asks_has_no_languages_for_them(czech, monkeypatch):
    """As the usual one of an administrator is to everybody else."""
    is_dir = Path.is_dir

    def closed(path):
        if path == czech.parent:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", closed)
    catalogues.forget()
    assert "cs" not in catalogues.codes()
    assert catalogues.faults() == []


def test_mistakes_that_would_say_nothing_are_told(czech):
    lay(czech.parent, {"nl/voice.toml": 'round = "Ronde {round}."', "Czech/language.toml": 'name = "Čeština"'})
    lay(czech, {"voices.toml": 'round = "Kolo"', "card/standard.toml": 'vault-door = "Vrata"'})
    lay(czech, {"pages/more.toml": 'turn_off = "vypnout"'})
    catalogues.forget()
    lines = check_paths(["homemade"])[0]
    for said in (
        "nl: no language",
        "Czech: no language",
        "cs/voices.toml: no file",
        "cs/card/standard.toml: no file",
    ):
        assert [line for line in lines if said in line], said
    assert "cs/pages: turn_off = 'vypnout': there is no such text" in lines


def test_ours_are_whole():
    for code in catalogues.codes():
        assert catalogues.missing(code) == {}
    assert catalogues.faults() == []
