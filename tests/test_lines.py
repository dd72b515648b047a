"""No line of our sources is longer than a reader's window."""

from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
FOLDERS = ("companion", "hardware", "web", "calibration", "tests", "benchmarks", "examples", "scripts")
LONGEST = 140


@pytest.mark.parametrize("ending", [".py", ".css", ".html", ".js"])
def test_no_line_is_too_long(ending):
    sources = [path for folder in FOLDERS for path in (HERE / folder).rglob(f"*{ending}")]
    assert sources
    long = [
        f"{path.relative_to(HERE)}:{number}"
        for path in sources
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]
    assert long == []
