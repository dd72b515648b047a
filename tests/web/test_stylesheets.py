"""What the browser that shows our stylesheets makes of them; no linter in the package index reads CSS."""

import re
from collections import Counter
from pathlib import Path

import pytest

SHEETS = sorted((Path(__file__).parents[2] / "web").rglob("*.css"))
MARKS = re.compile(r'/\*.*?\*/|"[^"]*"|[{};]|[^{};"/]+|/', re.DOTALL)
# What is declared for no element: its parts are no selectors, and its names no properties.
ELSEWHERE = ("@font-face", "@keyframes", "@page", "@property")
NOT_UNDERSTOOD = """([selectors, declarations]) => {
    const nowhere = document.createDocumentFragment();
    const unknown = (selector) => { try { nowhere.querySelector(selector); } catch { return true; } };
    const invalid = ([name, value]) => !name.startsWith("--") && !CSS.supports(name, value);
    return [...selectors.filter(unknown), ...declarations.filter(invalid).map((pair) => pair.join(": "))];
}"""


def rules(text):
    """Yield the way to every block of declarations, from at-rule to selector, and the names and values in it."""
    way, declared, part = [], [], ""
    for mark in MARKS.findall(text):
        if mark == "{":
            way.append(" ".join(part.split()))
        elif mark == ";":
            name, _, value = " ".join(part.split()).partition(": ")
            declared.append((name, value.removesuffix(" !important")))
        elif mark == "}":
            if declared or not way[-1].startswith("@"):
                yield tuple(way), declared
            way.pop()
            declared = []
        elif not mark.startswith("/*"):
            part += mark
            continue
        part = ""


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_stylesheet_says_everything_once_and_nothing_empty(sheet):
    found = list(rules(sheet.read_text()))
    assert found
    assert [way for way, times in Counter(way for way, _ in found).items() if times > 1] == []
    assert [way for way, declared in found if not declared] == []
    assert [way for way, declared in found if len(dict(declared)) < len(declared)] == []


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_the_browser_understands_every_selector_and_value(browser, sheet):
    found = [rule for rule in rules(sheet.read_text()) if not any(part.startswith(ELSEWHERE) for part in rule[0])]
    selectors = [way[-1] for way, _ in found]
    declarations = [pair for _, declared in found for pair in declared]
    page = browser.new_page()
    assert page.evaluate(NOT_UNDERSTOOD, [selectors, declarations]) == []
    page.close()


def test_what_is_wrong_in_a_stylesheet_is_found(browser):
    sheet = '@media print { a:hovver, b { colour: red; font: 700 0.9rem inherit; content: "{;}"; } /* { */ }'
    (way, declared), *others = rules(sheet)
    assert (way, others) == (("@media print", "a:hovver, b"), [])
    page = browser.new_page()
    found = page.evaluate(NOT_UNDERSTOOD, [[way[-1]], declared])
    assert found == ["a:hovver, b", "colour: red", "font: 700 0.9rem inherit"]
    page.close()
