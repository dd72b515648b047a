"""A language that is added from files alone, while the companion is installed as it is: pages, voice, cards, paper."""

import html

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

GERMAN = {
    "language.toml": """
        name = "Deutsch"
        [plurals]
        one = "i = 1 and v = 0"
    """,
    "pages/my_own_file.toml": """
        nav_status = "Bunker"
        your_turn = "Du bist dran"
        device_odd = "{gibt_es_nicht}"
        refused_not_your_turn = "Jetzt ist {turn} dran, nicht {jemand}."
        "cubes.one" = "{n} Würfel"
        "cubes.other" = "{n} Würfel"
        "dwellers.one" = "{n} Bewohner"
    """,
    "voice.toml": """
        voice = "de"
        round = "Runde {round}."
    """,
    "reasons.toml": """
        item = "ein Gegenstand"
    """,
    "cards/standard.toml": """
        water-treatment = "Wasserwerk"
    """,
    "printed.toml": """
        kind-weapon = "Waffe"
    """,
}


def lay(folder, files):
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(line.strip() for line in text.splitlines()), encoding="utf-8")


@pytest.fixture
def german(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogues, "_owners", [])
    lay(tmp_path / "languages" / "de", GERMAN)
    catalogues.look_in(tmp_path / "languages")
    yield tmp_path / "languages" / "de"
    monkeypatch.undo()
    catalogues.forget()


@pytest.mark.usefixtures("german")
def test_a_round_is_played_in_it_and_what_is_missing_is_english(house):
    phone = {"Accept-Language": "de"}
    house.start()
    for _ in range(2):
        play_a_round(house)
        for path in PAGES:
            page = house.client().get(path, headers=phone)
            assert page.status_code == 200
            assert 'lang="de"' in page.text
    status = html.unescape(house.client().get("/", headers=phone).text)
    assert "Bunker" in status
    assert words_in("en").text("rules_link") in status
    assert "Wasserwerk" in html.unescape(house.client().get("/host/cards/standard", headers={**BEARER, **phone}).text)
    assert "Deutsch" in status


@pytest.mark.usefixtures("german")
def test_a_phone_chooses_it(house):
    phone = house.client()
    assert phone.post("/language", data={"language": "de", "back": "/"}).status_code == 303
    assert 'lang="de"' in phone.get("/").text


@pytest.mark.usefixtures("german")
def test_its_numbers_and_nouns():
    words = words_in("de")
    assert (words.count("cubes", 1), words.count("cubes", 3)) == ("1 Würfel", "3 Würfel")
    assert (words.count("dwellers", 1), words.count("dwellers", 2)) == ("1 Bewohner", "2 dwellers")


@pytest.mark.usefixtures("german")
def test_it_is_heard_thought_and_printed():
    assert words_of("de")["round"].format(round=3) == "Runde 3."
    assert words_of("de")["won"] == words_of("en")["won"]
    assert because("de", {"why": "item"}, str) == "ein Gegenstand"
    assert catalogues.texts("de", "printed")["kind-weapon"] == "Waffe"
    assert builtin("standard").names["de"] == {"water-treatment": "Wasserwerk"}


@pytest.mark.usefixtures("german")
def test_no_other_pack_becomes_invalid():
    lines, sound = check_paths(["standard", "homemade"])
    assert sound
    assert "homemade: warning: no names in de; English is used" in lines
    missing = {line.split(":")[1].strip(): line.split(", ") for line in lines if line.startswith("de: pages/")}
    assert "rules_link" in missing["pages/rules.toml"]
    assert "dwellers.other" in missing["pages/pages.toml"]
    assert "your_turn" not in missing["pages/pages.toml"]


@pytest.mark.usefixtures("german")
def test_a_text_with_other_braces_is_told_and_said_in_english():
    words = words_in("de")
    assert words.text("refused_not_your_turn", turn="Ann") == words_in("en").text("refused_not_your_turn", turn="Ann")
    (fault,) = [line for line in check_paths(["homemade"])[0] if "refused_not_your_turn" in line]
    assert fault.startswith("de/pages: refused_not_your_turn = ")


@pytest.mark.parametrize("text", ["name = ", 'name = "Deutsch"\n[plurals]\none = "i is 1"', "plurals = 3"])
def test_a_head_that_cannot_be_read_is_told_and_ends_nothing(german, text, house):
    (german / "language.toml").write_text(text, encoding="utf-8")
    catalogues.forget()
    assert house.client().get("/", headers={"Accept-Language": "de"}).status_code == 200
    if "plurals = 3" not in text:
        assert [line for line in check_paths(["homemade"])[0] if "language.toml" in line]


@pytest.mark.usefixtures("german")
def test_the_command_line_finds_it_beside_the_record(tmp_path, monkeypatch):
    catalogues._owners.clear()
    catalogues.forget()
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    ran = CliRunner().invoke(main, ["print", str(tmp_path / "cards.pdf"), "--what", "tokens", "--language", "de"])
    assert ran.exit_code == 0, ran.output
    ran = CliRunner().invoke(main, ["cards", "check", "homemade"])
    assert ", won" in next(line for line in ran.output.splitlines() if line.startswith("de: voice.toml: English"))


def test_mistakes_that_would_say_nothing_are_told(german):
    lay(german.parent, {"nl/voice.toml": 'round = "Ronde {round}."', "Deutsch/language.toml": 'name = "Deutsch"'})
    lay(german, {"voices.toml": 'round = "Runde"', "card/standard.toml": 'vault-door = "Tor"'})
    lay(german, {"pages/more.toml": 'turn_off = "aus"'})
    catalogues.forget()
    lines = check_paths(["homemade"])[0]
    for said in (
        "nl: no language",
        "Deutsch: no language",
        "de/voices.toml: no file",
        "de/card/standard.toml: no file",
    ):
        assert [line for line in lines if said in line], said
    assert "de/pages: turn_off = 'aus': there is no such text" in lines


def test_ours_are_whole():
    for code in catalogues.codes():
        assert catalogues.missing(code) == {}
    assert catalogues.faults() == []
