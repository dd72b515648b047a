"""The map of the modules is that of today."""

import re

import pytest

from scripts import map as mapping


def test_the_map_is_of_today():
    up_to_date = mapping.PAGE.read_text(encoding="utf-8") == mapping.written()
    assert up_to_date, "docs/map.md is not of today; renew it with:  python -m scripts.map"


def test_every_page_stands_with_its_addresses_in_the_pages():
    rows = mapping.PAGE.with_name("pages.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `/.*?\(\.\./web/pages/(\w+)\) \|", rows, re.MULTILINE))
    assert told == {file.parent.name for file in (mapping.ROOT / mapping.PAGES).glob("*/__init__.py")}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A tree of one package with two modules."""
    monkeypatch.setattr(mapping, "ROOT", tmp_path)
    monkeypatch.setattr(mapping, "TREES", ("one",))
    (tmp_path / "one/two").mkdir(parents=True)
    for name, text in (("__init__", '"""The first."""'), ("two/__init__", '"""The second:\n\nmore."""')):
        (tmp_path / f"one/{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "one/two/b.py").write_text('# a word before\n"""Either | or."""\n', encoding="utf-8")
    (tmp_path / "one/two/a.py").write_text('"""Does this."""\n\n"""Not this."""\n', encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("tree")
def test_it_has_packages_with_their_modules_in_order():
    page = mapping.written()
    assert "| [one](#one) | 0 | The first. |\n| [one/two](#onetwo) | 2 | The second: |\n" in page
    rows = "| [a.py](../one/two/a.py) | Does this. |\n| [b.py](../one/two/b.py) | Either \\| or. |\n"
    assert f"\n## one/two\n\nThe second:\n\n| module | what it does |\n|---|---|\n{rows}" in page


def test_a_module_that_says_nothing_of_itself_is_named(tree):
    (tree / "one/two/a.py").write_text("import this\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"one/two/a\.py: begins with no docstring"):
        mapping.written()
