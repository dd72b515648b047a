"""Links lead somewhere, to the heading that they name; files that are named are there."""

import pytest

from .pages import PAGES, anchors, link_faults, links, slug


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    assert link_faults(page, page.read_text(encoding="utf-8")) == []


def test_there_are_links_with_anchors():
    assert sum("#" in link for page in PAGES for link in links(page.read_text(encoding="utf-8"))) > 3


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("The clock", "the-clock"),
        ("A table without Wi-Fi", "a-table-without-wi-fi"),
        ("`[mqtt]`: where, and who_is_it?", "mqtt-where-and-who_is_it"),
        ("See [the table](table.md), twice", "see-the-table-twice"),
        ("Ann & Bob", "ann--bob"),
        ("Świat i стол", "świat-i-стол"),
    ],
)
def test_a_heading_has_the_anchor_of_github(heading, anchor):
    assert slug(heading) == anchor


def test_headings_alike_are_numbered():
    assert anchors("# One\n\n## Two\n\n## Two\n\n```\n# no heading\n```\n") == {"one", "two", "two-1"}


@pytest.mark.parametrize(
    "text",
    [
        "# One\n\nSee [there](#two).",
        "# One\n\nSee [there](calibration.md#real-dise).",
        "See [there](calibrating.md).",
        "![A picture](screens/nowhere.png)",
    ],
)
def test_a_lie_is_found(text):
    assert link_faults(next(page for page in PAGES if page.name == "demo.md"), text)


def test_the_truth_is_not():
    text = "# One\n\nSee [this](#one), [that](calibration.md#real-dice), [far](https://example.org), `[no](link)`."
    assert link_faults(next(page for page in PAGES if page.name == "demo.md"), text) == []
