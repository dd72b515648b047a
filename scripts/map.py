"""Write docs/map.md: every module but the pages with the first line of its docstring, by package.

usage: python -m scripts.map
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "map.md"
TREES = ("calibration", "companion", "hardware", "web")
PAGES = "web/pages"
DOCSTRING = re.compile(r'(?:#[^\n]*\n)*"""(.+?)(?:"""|\n)')
HEAD = """\
# Map

*For programmers.* Every module but the pages with the first line of its docstring, by package. Search this page to find
where something is done. It is written by `python -m scripts.map`; change the docstrings, not this page.
"""


def first_line(file: Path) -> str:
    """Return the first line of a module's docstring, fit for a cell of a table."""
    found = DOCSTRING.match(file.read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit(f"{file.relative_to(ROOT)}: begins with no docstring")
    return found[1].strip().replace("|", r"\|")


def written() -> str:
    """Return the page as it should be."""
    folders = sorted({file.parent for tree in TREES for file in (ROOT / tree).rglob("*.py")})
    overview, sections = [], []
    for folder in (folder for folder in folders if folder.parent != ROOT / PAGES):
        name, about = folder.relative_to(ROOT).as_posix(), first_line(folder / "__init__.py")
        modules = sorted(file for file in folder.glob("*.py") if file.name != "__init__.py")
        anchor = name.replace("/", "")
        overview.append(f"| [{name}](#{anchor}) | {len(modules)} | {about} |\n")
        about += " Each folder stands in [the pages](pages.md), by its addresses." if name == PAGES else ""
        rows = [f"| [{file.name}](../{name}/{file.name}) | {first_line(file)} |\n" for file in modules]
        table = "".join(["\n| module | what it does |\n|---|---|\n", *rows]) if rows else ""
        sections.append(f"\n## {name}\n\n{about}\n{table}")
    head = f"{HEAD}\n| package | modules | what it is |\n|---|---|---|\n"
    return "".join([head, *overview, *sections])


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
