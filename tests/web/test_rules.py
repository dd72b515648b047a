"""The rules reference: an entry for all that is refused, tapped or drawn; found by its address and by search."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from at_the_door import BEARER, weight_of
from test_refusals import codes_in

from companion.cards.loader import builtin, builtin_names
from companion.games.shelter import moves as shelter_moves
from companion.games.wasteland import moves as wasteland_moves
from companion.languages import catalogues
from companion.pieces.drawing.signs import shapes
from web.games.shelter import rules as printed
from web.games.wasteland.map import map_view
from web.pages.rules import view

ROOT = Path(__file__).parents[2]
GAMES = {"shelter": shelter_moves.DOES, "wasteland": wasteland_moves.DOES}
CLAUSES = {
    name: tomllib.loads((ROOT / f"companion/games/{name}/clauses.toml").read_text(encoding="utf-8")) for name in GAMES
}
EVERY_GAME = ("correct", "undo", "redo")
ASKED = re.compile(r"^w?ask_(\w+)$")


def opens(game, key):
    """Whose entry an address opens while this game is played."""
    found = view.find(game, "en", key)
    return found and found[0]


def test_every_language_has_every_entry_and_a_title_of_its_own():
    for name in (*GAMES, view.TABLE):
        known = view.entries(name, "en")
        for language in catalogues.codes():
            own = catalogues.catalogue(language, f"rules/{name}")
            assert own.keys() == known.keys(), (language, name)
            found = view.entries(name, language).values()
            assert len({view.folded(one.title) for one in found}) == len(known)
            assert all(one.title and 20 < len(one.text) < 480 for one in found)


@pytest.mark.parametrize("name", [*GAMES, view.TABLE])
def test_everything_leads_to_an_entry_that_exists_and_every_entry_is_led_to(name):
    found, known = view.leads(name), view.entries(name, "en")
    told = {entry for table in found.tables.values() for entry in table.values()}
    related = {entry for row in found.see.values() for entry in row}
    assert told | related | found.see.keys() <= known.keys()
    assert found.tables.keys() <= {*view.TABLES.values(), "clauses"}
    assert known.keys() - told - related - found.see.keys() <= {"record", "bots"}


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_of_a_game_has_an_entry(game):
    assert [one for one in CLAUSES[game] if opens(game, one) != game] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_that_a_game_can_meet_has_an_entry(game):
    shared = [ROOT / "companion" / "table", ROOT / "companion" / "cards", ROOT / "web"]
    others = {f"companion/games/{one}" for one in GAMES if one != game} | {
        f"web/games/{one}" for one in GAMES if one != game
    }
    files = [file for folder in (*shared, ROOT / "companion" / "games") for file in sorted(folder.rglob("*.py"))]
    own = [file for file in files if not any(other in file.as_posix() for other in others)]
    codes = codes_in(own)
    assert len(codes) > 80
    assert [code for code in sorted(codes) if opens(game, f"refused-{code}") not in (game, view.TABLE)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_button_of_a_game_has_an_entry(game):
    for move in (*GAMES[game], *EVERY_GAME):
        assert opens(game, f"do-{move}") == (view.TABLE if move in EVERY_GAME else game), move


@pytest.mark.parametrize("game", GAMES)
def test_every_open_choice_of_a_game_has_an_entry(game):
    prefix = "wask_" if game == "wasteland" else "ask_"
    texts = catalogues.texts("en", "pages")
    kinds = {one.removeprefix(prefix).replace("_", "-") for one in texts if one.startswith(prefix)}
    kinds = {one.removesuffix("-what") for one in kinds} - {"anything"}
    assert len(kinds) > 10
    assert [one for one in sorted(kinds) if opens(game, f"choice-{one}") != game] == []


def test_every_icon_of_both_games_has_an_entry():
    drawn = {*printed.ICONS, *shapes()}
    assert [one for one in sorted(drawn) if opens("shelter", f"i-{one}") != "shelter"] == []
    source = (ROOT / "web/games/wasteland/map.html").read_text(encoding="utf-8")
    signs = set(re.findall(r'<symbol id="w-([\w-]+)"', source))
    assert signs == map_view.SIGNS.keys()
    texts = catalogues.texts("en", "pages")
    prefixes = ("wability_", "warea_", "wtrait_", "wtype_")
    words = {text.removeprefix(one).replace("_", "-") for one in prefixes for text in texts if text.startswith(one)}
    words -= {"n-of"}
    assert [one for one in sorted(signs | words) if opens("wasteland", f"i-{one}") != "wasteland"] == []


def test_no_entry_hides_a_card_and_no_card_an_entry():
    ids = view.entries("shelter", "en").keys() | view.entries(view.TABLE, "en").keys()
    for name in builtin_names():
        pack = builtin(name)
        assert ids.isdisjoint({*pack.rooms, *pack.items, *pack.threats, "elevator", "readings"})


def test_an_entry_is_missing_in_a_language_and_is_said_in_english(tmp_path, monkeypatch):
    folder = tmp_path / "cs"
    (folder / "rules").mkdir(parents=True)
    (folder / "language.toml").write_text('name = "Čeština"\n', encoding="utf-8")
    (folder / "rules" / "shelter.toml").write_text('recall = "Návrat\\nVšichni jdou domů."\n', encoding="utf-8")
    monkeypatch.setattr(catalogues, "_owners", [tmp_path])
    catalogues.forget()
    try:
        known = view.entries("shelter", "cs")
        assert known["recall"] == view.RuleEntry("recall", "Návrat", "Všichni jdou domů.")
        assert known["income"] == view.entries("shelter", "en")["income"]
        assert catalogues.faults() == []
        missing = catalogues.missing("cs")
        assert "recall" not in missing["rules/shelter.toml"]
        assert {"income", "fights"} <= set(missing["rules/shelter.toml"])
        assert {"income", "fight"} & set(missing["rules/wasteland.toml"]) == {"fight"}
    finally:
        monkeypatch.undo()
        catalogues.forget()


@pytest.mark.parametrize(
    ("language", "asked", "first"),
    [
        ("en", "reroll letter", "fight"),
        ("en", "CAMP", "camp-action"),
        ("pl", "lup", "loot-ability"),
        ("ru", "радиация", "radiation"),
        ("de", "kampf", "fight"),
    ],
)
def test_a_search_needs_no_accents_and_names_titles_first(language, asked, first):
    (found, *_) = view.sections("wasteland", language, asked)
    assert found.entries[0].id == first
    assert len(found.entries) < 30


def test_the_script_folds_words_as_the_server_does():
    source = (ROOT / "web/pages/rules/rules.js").read_text(encoding="utf-8")
    start = source.index("const folded")
    words = ["Łąka", "Straße", "Ёлка", "ÉTÉ", "Бой", "S.P.E.C.I.A.L."]
    script = (
        source[start : source.index("const known")] + f"console.log(JSON.stringify({json.dumps(words)}.map(folded)))"
    )
    try:
        done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    except FileNotFoundError:
        pytest.skip("there is no node")
    assert json.loads(done.stdout) == [view.folded(one) for one in words]


def test_the_page_has_all_entries_and_a_search_without_a_script(house):
    house.start()
    page = house.client().get("/rules").text
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert page.count("<details") == len(view.entries("shelter", "en")) + len(view.entries("table", "en"))
    found = house.client().get("/rules?q=linked").text
    assert 'id="entry-linked-spaces" open' in found
    assert 'id="entry-vault"' not in found
    none = house.client().get("/rules?q=zebra").text
    assert "<details" not in none
    assert 'id="nothing" role="status">' in none
    assert "<script>alert" not in house.client().get("/rules?q=<script>alert").text
    assert house.client().get("/rules?game=nonsense&q=%00").status_code == 200


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("income", "Income"),
        ("R2", "Turns"),
        ("refused-space_taken", "Placing"),
        ("refused-wrong_pin", "The host"),
        ("do-pass", "Passing"),
        ("do-undo", "Taking back"),
        ("choice-reroll", "Fights"),
        ("vats-dice", "V.A.T.S. dice"),
        ("W-CAMP-6", "Trading"),
    ],
)
def test_an_entry_opens_at_its_address(house, key, title):
    house.start()
    page = house.client().get(f"/rules/{key}")
    assert page.status_code == 200
    assert f'<h1 id="rule-title">{title}</h1>' in page.text


def test_a_refused_move_leads_to_its_rule(house):
    house.start()
    form = {"move": '{"do": "place", "by": "red", "space": "1:R1a"}', "back": "/seat/red"}
    phone = house.seated("red")
    assert phone.post("/moves", data=form).status_code == 303
    assert 'href="/rules/R2"' in phone.post("/moves", data=form, headers={"Accept": "text/html"}).text
    asked = {"Accept": "text/html", "Accept-Language": "en"}
    wrong = house.client().post("/api/host/login", data={"pin": "0000"}, headers=asked).text
    assert 'href="/rules/refused-wrong_pin"' in wrong
    wrong = house.client().post("/api/seats/blue/claim", data={"code": "BAD"}, headers=asked).text
    assert 'href="/rules/refused-wrong_code"' in wrong
    lost = house.client().get("/nowhere", headers={"Accept": "text/html"}).text
    assert 'href="/rules/refused-not_found"' in lost


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", catalogues.codes())
def test_the_page_is_light(house, game, language):
    client = house.client()
    client.set_cookie("language", language)
    assert weight_of(client, f"/rules?game={game}") < 64_000


def test_the_hosts_pages_speak_of_the_game_that_is_played(house):
    house.start()
    assert "Bots do not play" not in house.client().get("/host/bots", headers=BEARER).text
    assert 'id="other"' not in house.client().get("/host/columns", headers=BEARER).text
    setup = {"players": ["red", "blue"], "scenario": "the-salt-road"}
    begun = house.client().post(
        "/api/host/games", json={"game": "wasteland", "setup": setup, "pack": "homemade"}, headers=BEARER
    )
    assert begun.status_code < 300, begun.json
    bots = house.client().get("/host/bots", headers=BEARER).text
    assert "Bots do not play" not in bots
    assert 'id="chairs"' in bots
    offered = [name for name in ("fight", "columns", "win", "hint") if f'name="{name}"' in bots]
    assert offered == ["fight"]
    house.client().post("/api/host/odds", data={"fight": "on"}, headers=BEARER)
    assert house.state["odds"]["shown"] == ["fight", "columns"]  # what is not asked for stays as it was
    columns = house.client().get("/host/columns", headers=BEARER).text
    assert "The wasteland has a map instead of columns." in columns


def test_the_page_of_what_is_done_has_a_row_for_every_entry_of_the_second_game():
    page = (ROOT / "docs" / "wasteland.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")
    ][2:]
    assert [(title, key.strip("`")) for title, key, *_ in rows] == [
        (one.title, one.id) for one in view.entries("wasteland", "en").values()
    ]
    assert all(done and hand for _, _, done, hand, _ in rows)
