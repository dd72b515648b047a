"""The options by which tables play as their book says: each has its words, its two sides, and no contradiction."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from companion.cards.effects import Happiness
from companion.cards.loader import builtin
from companion.commands.checks import read_scenario
from companion.games.shelter.adapter import GAME
from companion.games.shelter.cards.box import Box
from companion.games.shelter.position import HOUSE_RULES, HouseRules, read_house_rules
from companion.games.shelter.readings import BOOKS, CLAUSE_OF, CONTRADICTIONS, GROUPS, book_of, contradiction
from companion.games.shelter.setup import TableSetup, new_game
from companion.languages.catalogues import catalogue, codes
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

FOLDER = Path(__file__).parents[2] / "scenarios"
SCENARIOS = [
    raw
    for raw in map(read_scenario, sorted(FOLDER.glob("*.json")))
    if raw.get("game", "shelter") == "shelter" and set(raw["clauses"]) & set(CLAUSE_OF.values())
]


def is_green(raw):
    """Whether a scenario holds; None where it cannot even begin, as with options that contradict each other."""
    overlay = FOLDER / raw["overlay"] if "overlay" in raw else None
    pack = GAME.pack_text(raw.get("pack", GAME.home_pack), overlay and str(overlay))
    try:
        return not GAME.scenario(raw, pack, SeededLuck(raw.get("seed") or 0))
    except Refusal:
        return None


def tells(raw, option):
    """Whether a scenario holds as it is, and not on the other side of an option."""
    rules = raw.get("house_rules", {})
    other = {**raw, "house_rules": {**rules, option: not rules.get(option, False)}}
    return is_green(other) is False and is_green(raw)


def test_every_option_has_its_clause_and_its_place():
    assert sorted(CLAUSE_OF) == sorted(HOUSE_RULES)
    assert sorted(option for options in GROUPS.values() for option in options) == sorted(HOUSE_RULES)


@pytest.mark.parametrize("language", codes())
def test_every_option_has_its_words_in_every_language(language):
    words = catalogue(language, "pages")
    for option in HOUSE_RULES:
        assert all(words.get(f"rule_{option}{part}") for part in ("", "_hint", "_books")), option
    assert all(words.get(f"readings_{group}") for group in GROUPS)
    assert all(words.get(f"book_{book}") for book in ("own", *BOOKS))


@pytest.mark.parametrize("option", HOUSE_RULES)
def test_both_sides_of_every_option_are_shown(option):
    """By two scenarios at least, each of which holds on its own side alone."""
    sides = {True: [], False: []}
    for one in SCENARIOS:
        if CLAUSE_OF[option] in one["clauses"]:
            sides[bool(one.get("house_rules", {}).get(option))].append(one)
    assert any(tells(one, option) for one in sides[True]), "with the option"
    assert any(tells(one, option) for one in sides[False]), "without it"


@pytest.mark.parametrize("both", CONTRADICTIONS)
def test_options_that_contradict_each_other_are_refused_in_one_line_that_names_both(both):
    assert contradiction(frozenset(HOUSE_RULES)) in CONTRADICTIONS
    for option in both:
        assert read_house_rules({option: True}).as_json() == {option: True}
    with pytest.raises(Refusal) as refused:
        read_house_rules(dict.fromkeys(both, True))
    assert refused.value.code == "rules_contradict"
    assert refused.value.clause in {CLAUSE_OF[option] for option in both}
    assert all(option in refused.value.message for option in both)
    assert "\n" not in refused.value.message


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_is_a_set_of_options_that_can_be_played(book):
    rules = read_house_rules(dict.fromkeys(BOOKS[book], True))
    assert book_of(frozenset(rules.as_json())) == book


def test_no_book_is_like_another_and_none_is_the_companions_own():
    assert len(set(BOOKS.values())) == len(BOOKS)
    assert book_of(frozenset(HouseRules().as_json())) == ""


def test_of_several_head_starts_chance_draws_one_as_often_as_it_stands_there():
    one, other = ((), (Happiness(2),)), ((Happiness(1),), ())
    box = Box(replace(builtin("standard"), head_starts={2: (one, other, one)}))
    table = TableSetup(["red", "blue"])
    table.rules = read_house_rules({"even_seats": True})
    games = [new_game(box, table, SeededLuck(seed)) for seed in range(300)]
    drawn = Counter(tuple(game.happiness[colour] for colour in game.seats) for game in games)
    assert set(drawn) == {(0, 2), (1, 0)}
    assert 165 < drawn[0, 2] < 235  # two thirds, and five standard deviations
    assert new_game(box, table, SeededLuck(7)).happiness == games[7].happiness
