import re
import string
import tomllib
from pathlib import Path

import pytest

from companion.games.shelter.position import HOUSE_RULES
from companion.games.shelter.turn.choices import OPTIONS
from companion.languages.catalogues import codes, language
from web.base.words import spoken, words_in

WEB = Path(__file__).parents[2] / "web"
LANGUAGES = Path(__file__).parents[2] / "companion" / "languages"
ITEMS = WEB.parent / "companion" / "cards" / "item_effects.py"
WASTELAND = WEB.parent / "companion" / "cards" / "wasteland" / "in_words.py"
"""What items and cards do is said on pages as on printed cards."""
SOURCES = [*WEB.rglob("*.py"), *WEB.rglob("*.html"), ITEMS, WASTELAND]
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)


def catalogue(code):
    texts = {}
    for path in sorted((LANGUAGES / code / "pages").glob("*.toml")):
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        assert not texts.keys() & found.keys(), path.name
        texts |= found
    return texts


def singular(key):
    return key.partition(".")[0]


@pytest.mark.parametrize("code", codes())
def test_every_text_is_there_in_every_language_with_the_same_fields(code):
    english, other = catalogue("en"), catalogue(code)
    assert {singular(key) for key in english} == {singular(key) for key in other}
    for key, text in other.items():
        assert text.strip() == text != ""
        theirs = english.get(key) or english[f"{singular(key)}.other"]
        names = [{name for _, name, _, _ in string.Formatter().parse(one) if name} for one in (text, theirs)]
        assert names[0] == names[1], key
        if "." in key:
            assert {f"{singular(key)}.{name}" for name in language(code).forms} <= set(other)


@pytest.mark.parametrize("code", codes()[1:])
def test_nothing_is_left_in_english_but_what_the_language_says_is_the_same(code):
    english, other = catalogue("en"), catalogue(code)
    head = tomllib.loads((LANGUAGES / code / "language.toml").read_text(encoding="utf-8"))
    same = {key for key, text in other.items() if english.get(key) == text}
    assert same == set(head.get("same_as_english", []))


def test_every_text_that_is_asked_for_exists_and_every_text_is_asked_for():
    keys = {singular(key) for key in catalogue("en")}
    asked = set(re.findall(r"""\.(?:text|count)\(\s*["']([a-z_]+)["'][,)]""", TEXT))
    assert asked <= keys
    prefixes = set(re.findall(r"""f["']([a-z_]+_)\{""", TEXT)) | set(re.findall(r"""["']([a-z_]+_)["'] ~""", TEXT))
    quoted = set(re.findall(r"""["']([a-z_]+)["']""", TEXT))
    unused = {key for key in keys - asked - quoted if not any(key.startswith(prefix) for prefix in prefixes)}
    assert unused == set()


def test_no_template_holds_a_text_of_its_own():
    for path in WEB.rglob("*.html"):
        whole = path.read_text(encoding="utf-8")
        text = re.sub(
            r"{% block (?:kind|live) %}.*?{% endblock %}|{#.*?#}|{%.*?%}|{{.*?}}|<symbol.*?</symbol>",
            " ",
            whole,
            flags=re.DOTALL,
        )
        shown = re.sub(r"<[^>]*>", " ", text)
        assert not re.search(r"[A-Za-z]{2,}", shown), (path.name, re.findall(r"[A-Za-z]{2,}", shown))


def test_every_kind_of_choice_and_house_rule_has_its_words():
    keys = set(catalogue("en"))
    assert {f"ask_{kind.replace('-', '_')}" for kind in (*OPTIONS, "placement", "passes")} <= keys
    assert {f"rule_{name}" for name in HOUSE_RULES} <= keys


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("en", {0: "other", 1: "one", 2: "other", 21: "other"}),
        ("de", {0: "other", 1: "one", 2: "other", 21: "other", 101: "other"}),
        ("pl", {0: "many", 1: "one", 2: "few", 5: "many", 12: "many", 21: "many", 22: "few", 112: "many"}),
        ("ru", {0: "many", 1: "one", 2: "few", 5: "many", 11: "many", 12: "many", 21: "one", 22: "few", 111: "many"}),
    ],
)
def test_plurals(code, forms):
    assert {number: language(code).form(number) for number in forms} == forms


def test_numbers_and_nouns_agree():
    assert words_in("pl").count("cubes", 3) == "3 kostki"
    assert words_in("ru").count("cubes", 21) == "21 кубик"
    assert words_in("en").count("cubes", 1) == "1 cube"
    assert [words_in("de").count("items", number) for number in (1, 2)] == ["1\u00a0Gegenstand", "2\u00a0Gegenstände"]


def test_a_voice_ends_each_sentence_once():
    assert (
        spoken("Your turn", "a fight!", "", "Who goes?", "Tunnel Toad.") == "Your turn. a fight! Who goes? Tunnel Toad."
    )
