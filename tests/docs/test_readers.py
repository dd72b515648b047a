"""Every page has one reader, and its first line says which."""

import re

import pytest

from .pages import PAGES as ALL
from .pages import ROOT

PAGES = [page for page in ALL if page.parent != ROOT]


def reader_of(text):
    """The reader that the first line under a page's title names; None where it names none, or several."""
    found = re.match(r"# [^\n]+\n\n\*For (player|host|builder|programmer)s\.\* \S", text)
    return found and found[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_says_whom_it_is_for(page):
    assert reader_of(page.read_text(encoding="utf-8"))


def test_every_reader_has_pages():
    assert {reader_of(page.read_text(encoding="utf-8")) for page in PAGES} == {
        "player",
        "host",
        "builder",
        "programmer",
    }


@pytest.mark.parametrize(
    "text", ["# A page\n\nIt says.\n", "# A page\n\n*For cooks.* It says.\n", "*For hosts.* It says.\n"]
)
def test_a_page_for_nobody_is_found(text):
    assert reader_of(text) is None
