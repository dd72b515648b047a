"""The documents, taken apart: blocks, spans of code, headings and links."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "tests/bench/README.md"])
OF_TODAY = [page for page in PAGES if page.name != "CHANGELOG.md"]
"""What speaks of now; the changelog tells what was once, too."""


@dataclass(frozen=True)
class Block:
    """Lines of code: what its fence says they are (nothing for an indented one), and the lines."""

    kind: str
    text: str


def taken_apart(text):
    """The blocks of code of a page, and the prose around them."""
    blocks, prose, lines = [], [], text.splitlines()
    before, at = "", 0
    while at < len(lines):
        line = lines[at]
        fence = re.match(r" *(```+)\s*(\w*)", line)
        end = at + 1
        if fence:
            while end < len(lines) and lines[end].strip() != fence[1]:
                end += 1
            blocks.append(Block(fence[2], dedent("\n".join(lines[at + 1 : end]))))
            end += 1
        elif line.startswith("    ") and not before.strip():
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            blocks.append(Block("", dedent("\n".join(lines[at:end]))))
        else:
            prose.append(line)
        if end > at + 1 or fence:
            prose.append("")
        before, at = lines[end - 1], end
    return blocks, "\n".join(prose)


def blocks_of(text):
    return taken_apart(text)[0]


def spans(text):
    """What stands between backticks, over the ends of lines too; not in blocks."""
    found = []
    for paragraph in re.split(r"\n\s*\n", taken_apart(text)[1]):
        found += [" ".join(span.split()) for _, span in re.findall(r"(`+)(.+?)\1", paragraph, re.DOTALL)]
    return [span.replace(r"\|", "|") for span in found]


def slug(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(text):
    """The anchors of a page: of headings alike, the second one has a number."""
    seen, found = Counter(), set()
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", taken_apart(text)[1], re.MULTILINE):
        name = slug(heading)
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


def links(text):
    """Where the links and pictures of a page lead."""
    return re.findall(r"\]\(<?([^)\s>]+)", re.sub(r"(`+).+?\1", "", taken_apart(text)[1]))


def link_faults(page, text):
    """The links of a page that lead nowhere; `page` is where it lies."""
    faults = []
    for target in links(text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = page.parent / file if file else page
        if not path.exists():
            faults.append(f"{target}: there is no such file")
        elif anchor and anchor not in anchors(path.read_text(encoding="utf-8") if file else text):
            faults.append(f"{target}: there is no such heading")
    return faults


def tables(text):
    """The tables of a page: rows of cells, the head first."""
    found, before = [], ""
    for line in [*taken_apart(text)[1].splitlines(), ""]:
        if line.startswith("|"):
            if not before.startswith("|"):
                found.append([])
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            if not re.fullmatch(r"[|\s:-]+", line):
                found[-1].append(cells)
        before = line
    return found


def section(text, title):
    """What stands under a heading of the second level."""
    for one, after in pairwise([*re.split(r"^## (.+)$", text, flags=re.MULTILINE), ""]):
        if one == title:
            return after
    raise LookupError(title)
