"""Commands as the documents write them, held against the programs' own parsers."""

import argparse
import importlib.util
import re
from functools import cache

import click
from _pytest.config import get_config
from _pytest.config.exceptions import UsageError

import benchmarks.__main__
import benchmarks.fitting.__main__
import benchmarks.regretting
import tests.recordings.followed
import tests.recordings.traced
import tests.rendering.__main__
from companion.bots.policy.characters import POLICIES
from companion.cli import main

from .pages import ROOT

TOP = {"benchmarks", "calibration", "companion", "docs", "examples", "hardware", "scripts", "tests", "web"}
PARSERS = {
    "benchmarks": benchmarks.__main__.parser,
    "benchmarks.fitting": benchmarks.fitting.__main__.parser,
    "benchmarks.regretting": benchmarks.regretting.parser,
    "tests.recordings.followed": tests.recordings.followed.parser,
    "tests.recordings.traced": tests.recordings.traced.parser,
    "tests.rendering": tests.rendering.__main__.parser,
}
PACKS = {path.name for path in (ROOT / "companion/cards/packs").iterdir()}


def is_a_stand_in(word):
    """Whether a word stands for what people put there: FILE, N, ONE:OTHER."""
    return bool(re.fullmatch(r"[A-Z][A-Z0-9_:-]*(\.[a-z]+)?", word)) or word in ("...", "…")


def faults_of(words, *, part=False):
    """What is wrong with a command; `part` of one may lack what it cannot do without."""
    tool, *rest = words
    if tool.rpartition("/")[2] == "companion" and (ROOT / tool).is_dir() is (tool == "companion"):
        found = of_click(rest, part=part)
    elif tool == "./run":
        found = of_run(rest, part=part)
    elif tool == "./test":
        found = of_pytest(rest)
    elif tool == "./benchmark":
        found = of_argparse(PARSERS["benchmarks"](), rest, part=part)
    elif rest[:1] == ["-m"]:
        found = of_module(rest[1:], part=part)
    elif tool == "python":
        found = of_example(rest)
    else:
        found = of_script(tool, rest)
    return found + [f"{word}: nothing is there" for word in rest if is_lost(word)]


def is_lost(word):
    """Whether a word is a path in this project that leads nowhere."""
    return word.partition("/")[0] in TOP and "/" in word and not list(ROOT.glob(word))


def resolved(words):
    """The command of click that words name, how it was found, and what is left of them; None where there is none."""
    command, ctx, rest = main, click.Context(main, info_name="companion"), list(words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        command = command.get_command(ctx, rest[0])
        if command is None:
            break
        ctx = click.Context(command, info_name=rest.pop(0), parent=ctx)
    return command, ctx, rest


def of_click(words, *, part=False):
    command, ctx, rest = resolved(words)
    if command is None:
        return [f"{rest[0]}: there is no such command"]
    try:
        given, left, _ = command.make_parser(ctx).parse_args(list(rest))
    except click.UsageError as error:
        return [error.format_message()]
    faults = [f"{word}: one too many" for word in left]
    for param in command.params:
        value = given.get(param.name)
        if value is None or param.value_is_missing(value):
            if param.required and not part:
                faults.append(f"{param.name} is missing")
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            faults += unfit(param, one, ctx)
    return faults


def unfit(param, value, ctx):
    """What is wrong with one value, by its own type; what is chosen of may be told as a|b|c, and then wholly."""
    if not isinstance(value, str) or is_a_stand_in(value) or isinstance(param.type, click.Path):
        return []
    if isinstance(param.type, click.Choice) and "|" in value:
        return [] if set(value.split("|")) == set(param.type.choices) else [f"{value}: not {param.type.choices}"]
    if param.name == "pack" and value not in PACKS:
        return [f"{value}: there is no such pack"]
    if param.name == "match" and not set(value.split(":")) <= set(POLICIES):
        return [f"{value}: there is no such policy"]
    try:
        param.type.convert(value, param, ctx)
    except click.UsageError as error:
        return [error.format_message()]
    return []


def words_of_run():
    """What `./run` does itself, and what it lets follow."""
    own = re.search(r"^ +(--.*)\) exec ", (ROOT / "run").read_text(encoding="utf-8"), re.MULTILINE)
    manage = (ROOT / "scripts/appliance/manage").read_text(encoding="utf-8")
    return {word: set() for word in own[1].split(" | ")} | {
        "--install": set(re.findall(r"^ +(--[a-z-]+)\)", manage, re.MULTILINE)),
        "--update": set(re.findall(r"in '' \| (--[a-z]+)\) ;;", manage)),
        "--uninstall": set(re.findall(r'"\$\{1:-\}" = (--[a-z-]+)', manage)),
    }


def kinds_of_run():
    """The words that say which command `./run` starts; without one it is either, as the machine is."""
    found = re.findall(r"^ +(\w+)\) exec companion (\w+)", (ROOT / "run").read_text(encoding="utf-8"), re.MULTILINE)
    return dict(found)


def of_run(words, *, part=False):
    own = words_of_run()
    if words and words[0] in own:
        return [f"{word}: not behind {words[0]}" for word in words[1:] if word not in own[words[0]]]
    kinds = kinds_of_run()
    if words and words[0] in kinds:
        return of_click([kinds[words[0]], *words[1:]], part=part)
    return min((of_click([kind, *words], part=part) for kind in kinds.values()), key=len)


@cache
def of_tests():
    return get_config()._parser


def words_of_test():
    """What `./test` does itself before pytest gets the rest."""
    return set(re.findall(r"^ +(--[a-z]+)\)$", (ROOT / "test").read_text(encoding="utf-8"), re.MULTILINE))


def of_pytest(words):
    words = words[1:] if words[:1] and words[0] in words_of_test() else words
    try:
        files = of_tests().parse(words).file_or_dir
    except UsageError as error:
        return [str(error).splitlines()[-1]]
    return [f"{file}: there is no such test" for file in files if not (ROOT / file.partition("::")[0]).exists()]


def of_argparse(parser, words, *, part=False):
    def stop(message):
        raise ValueError(message)

    parser.error, parser.allow_abbrev = stop, False
    for action in parser._actions:
        action.required &= not part
    try:
        parser.parse_args(words, argparse.Namespace())
    except (ValueError, argparse.ArgumentError) as error:
        return [str(error)]
    return []


def of_module(words, *, part=False):
    name, *rest = words
    if name in PARSERS:
        return of_argparse(PARSERS[name](), rest, part=part)
    parents = [name.rpartition(".")[0]] if "." in name else []
    spec = importlib.util.find_spec(name) if all(importlib.util.find_spec(one) for one in parents) else None
    if spec is None:
        return [f"{name}: there is no such module"]
    with open(spec.origin, encoding="utf-8") as file:  # noqa: PTH123 - a place that Python names
        source = file.read()
    if "__main__" not in source:
        return [f"{name}: nothing that can be run"]
    most = 99 if re.search(r"argv\[\d:\]", source) else max(map(int, re.findall(r"argv\[(\d)\]", source)), default=0)
    return [f"{word}: one too many" for word in rest[most:]]


def of_example(words):
    """An example is there, and takes as many words as the usage in its docstring has."""
    name, *rest = words
    path = ROOT / name
    if not path.is_file():
        return [f"{name}: there is no such example"]
    usage = re.search(r"^usage: python (\S+)(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    if usage is None or usage[1] != name:
        return [f"{name}: its docstring does not say how to run it"]
    known = usage[2].split()
    least = sum(not word.startswith("[") for word in known)
    return [] if least <= len(rest) <= len(known) else [f"{name}: takes{usage[2] or ' nothing'}"]


def of_script(tool, words):
    """A script is there, can be run, and says in its head each word that it takes."""
    path = ROOT / tool
    if not path.is_file() or not path.stat().st_mode & 0o111:
        return [f"{tool}: there is no such program"]
    head = path.read_text(encoding="utf-8").partition("\nset -")[0]
    told = set(re.findall(r"[\w-]+", head.partition("usage:")[2]))
    return [f"{word}: {tool} says nothing of it" for word in words if word not in told and not is_a_stand_in(word)]
