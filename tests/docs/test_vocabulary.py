"""The vocabulary: one row for each word, and every word is one that the code uses where the page says it lives."""

import re

import pytest

from .names import code
from .pages import ROOT, spans, tables

TEXT = (ROOT / "docs/vocabulary.md").read_text(encoding="utf-8")
ROWS = tables(TEXT)[0][1:]


def sources(cell):
    """What stands in the files and folders that a cell names, names of files included."""
    homes = [span for span in spans(cell) if "/" in span or (ROOT / span).is_dir()]
    for path, text in code().items():
        if any(path.is_relative_to(home) for home in homes):
            yield f"{path.as_posix()}\n{text}".lower()


def uses(word, text):
    """Whether a text has a word in one of its forms: retry and retries, back-off and back off, cache and cached."""
    stem = re.escape(word).replace(r"\-", "[- ]?").replace(r"\ ", r"[ \n]+")
    return re.search(rf"\b{stem[:-1] if word.endswith(('e', 'y')) else stem}", text)


def test_each_word_stands_once_and_can_be_found():
    words = [word for word, _, _ in ROWS]
    assert 20 <= len(words) <= 30
    assert words == sorted(set(words))


@pytest.mark.parametrize(("word", "_meaning", "where"), ROWS, ids=[row[0] for row in ROWS])
def test_a_word_is_used_where_it_lives(word, _meaning, where):
    assert any(uses(word, text) for text in sources(where)), f"{word}: not in {where}; see docs/vocabulary.md"


@pytest.mark.parametrize("word", ["microservice", "blockchain"])
def test_a_word_that_is_not_used_is_found(word):
    assert not any(uses(word, text) for text in sources("`companion`, `web`, `hardware/cameras/watched.py`"))


def test_forms_of_a_word_count():
    assert all(
        uses(*pair) for pair in (("retry", "it retries"), ("back-off", "a back off"), ("cache", "cached_property"))
    )
    assert not uses("pose", "compose")
