"""Names that the documents take from the code: variables of the environment, files, keys and codes."""

import re
from functools import cache

from .asked import TOP
from .pages import ROOT, blocks_of, spans

SOURCES = (".py", ".toml", ".html", ".js", ".service", "")
VARIABLE = re.compile(r"\b(?:COMPANION|XDG)_[A-Z_]+\b")
FOREIGN = {"mosquitto_pub", "acl_file"}
"""Snakes that are not ours."""
OTHERS = ("PIP_", "SUDO_")
"""Variables of other programs that a script of ours passes on or is told."""


@cache
def code():
    """What is run, by its place; not these tests, and no document."""
    places = [path for path in ROOT.iterdir() if path.is_file() and path.suffix in ("", ".py")]
    places += [path for top in sorted(TOP - {"docs"}) for path in (ROOT / top).rglob("*")]
    ours = ROOT / "tests/docs"
    return {
        path.relative_to(ROOT): path.read_text(encoding="utf-8", errors="replace")
        for path in places
        if path.is_file() and path.suffix in SOURCES and not path.is_relative_to(ours)
    }


@cache
def words():
    return {word for text in code().values() for word in re.findall(r"\w+", text)}


@cache
def read_from_the_environment():
    """Variables that code of ours reads: those of our own names, and what scripts have a usual value for."""
    found = set()
    for path, text in code().items():
        if path.suffix == ".py":
            found |= {name for name in re.findall(r'"([A-Z_]+)"', text) if VARIABLE.fullmatch(name)}
        elif not path.suffix:
            found |= set(re.findall(r"""(?:\$\{|environ\.get\(")([A-Z_]+)(?::-|"\))""", text))
    return {name for name in found if not name.startswith(OTHERS)}


def variables_told(text):
    """Variables that a text names, between backticks and in blocks."""
    told = [*spans(text), *(line for block in blocks_of(text) for line in block.text.splitlines())]
    put = re.compile(r"^(?:sudo )?([A-Z_]{2,})=", re.MULTILINE)
    plain = read_from_the_environment() & set(told)
    return plain | {name for one in told for name in [*VARIABLE.findall(one), *put.findall(one)]}


def file_fault(span):
    """What is wrong with a span that names a file of ours; nothing where it names none."""
    if not re.fullmatch(r"[\w.*/-]+", span) or span.startswith(("/", "--")):
        return None
    ours = span.partition("/")[0] in TOP and "/" in span
    if not ours and not re.search(r"\w\.(py|js|html)$", span):
        return None
    found = any(ROOT.glob(span)) if ours else any(any((ROOT / top).rglob(span)) for top in TOP)
    return None if found else f"{span}: there is no such file"


def name_faults(text):
    """Files that are not there, variables that nobody reads, and names_like_this that no code knows."""
    faults = [fault for fault in map(file_fault, spans(text)) if fault]
    faults += [f"{name}: nobody reads it" for name in variables_told(text) - read_from_the_environment()]
    for span in spans(text):
        if not re.search(r"\.\w+$|/", span):
            snakes = set(re.findall(r"(?<![\w$%])[a-z]+(?:_[a-z0-9]+)+\b", span))
            faults += [f"{name}: no code knows it" for name in snakes - words() - FOREIGN]
    return faults
