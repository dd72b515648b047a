"""The options by which tables play as their book says: each has its words, its two sides, and no contradiction."""

import json
from pathlib import Path

import pytest

from companion.games.shelter.position import HOUSE_RULES, HouseRules, read_house_rules
from companion.games.shelter.readings import BOOKS, CLAUSE_OF, CONTRADICTIONS, GROUPS, book_of, contradiction
from companion.languages.catalogues import catalogue, codes
from companion.refusal import Refusal

SCENARIOS = [
    json.loads(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parents[2] / "scenarios").glob("*.json"))
]


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
    about = [one for one in SCENARIOS if CLAUSE_OF[option] in one["clauses"]]
    assert any(one.get("house_rules", {}).get(option) for one in about), "with the option"
    assert any(not one.get("house_rules", {}).get(option) for one in about), "without it"


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
