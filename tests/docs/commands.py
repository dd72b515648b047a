"""Every command in a text, in blocks and between backticks, and what is wrong with it."""

import re
import shlex

from .asked import faults_of, resolved, words_of_run
from .pages import blocks_of, spans

SHELL = ("", "sh", "bash", "console")
FOREIGN = {"apt", "cat", "coverage", "git", "mosquitto_passwd", "nmcli", "systemctl", "chown", "chmod"}
"""What is not ours and may begin a line of a block."""
FOREIGN_OPTIONS = {"--system-site-packages"}
OURS = re.compile(
    r"(?:sudo )?(?:[A-Z_]+=\S+ )*(?:\S*/)?"
    r"(?:companion(?: |$)|\./[a-z]|python (?:-m (?:benchmarks|scripts|tests)\b|examples/))"
)
SCRIPT = re.compile(r"(?:sudo )?(?:scripts|tests)/[\w/]+(?: |$)")


def words_of(line):
    """The words of one command: without what comes before it, behind it, and the brackets of a usage."""
    words = shlex.split(line, comments=True)
    ends = [at for at, word in enumerate(words) if word in ("|", ">", "&&", ";")]
    words = [word.strip("[]").removesuffix("...").strip("[]") for word in words[: ends[0] if ends else None]]
    while words and (words[0] == "sudo" or re.match(r"[A-Z_]+=", words[0])):
        words.pop(0)
    return [word for word in words if word]


def lines_of(text):
    """The lines of a text's blocks of commands."""
    for block in blocks_of(text):
        lines = [line.removeprefix("$ ") for line in block.text.splitlines() if line.strip()]
        if block.kind in SHELL and any(is_a_command(line) for line in lines):
            yield from lines


def is_a_command(line):
    return bool(OURS.match(line) or SCRIPT.match(line))


def is_only_named(words):
    """Whether a sentence names a command, perhaps with an option, and does not say with what it is called."""
    _, _, rest = resolved(words[1:]) if words[0].endswith("companion") else (None, None, words[1:])
    return all(word.startswith("-") for word in rest)


def beginnings(commands):
    """What the options of a page may belong to: each command that it names."""
    for words in commands:
        if words[0].rpartition("/")[2] == "companion":
            _, _, rest = resolved(words[1:])
            yield words[: len(words) - len(rest)]
        elif words[0] == "python":
            yield words[: 3 if words[1] == "-m" else 2]
        else:
            yield words[:1]
            yield words[:2] if words[1:2] and words[1] in words_of_run() else words[:1]


def command_faults(text):
    """The commands of a text that cannot be as they are told, and its options that no command of it has."""
    faults, known, options = [], [], []
    for line in lines_of(text):
        words = words_of(line)
        options += [[one] for one in re.findall(r"(?<!\S)--[a-z-]+", line.partition(" #")[2])]
        if is_a_command(line):
            known.append(words)
            faults += [f"{line.strip()}: {fault}" for fault in faults_of(words)]
        elif words and words[0] not in FOREIGN:
            faults.append(f"{line.strip()}: whose command is {words[0]}?")
    for span in spans(text):
        if OURS.match(span) or (SCRIPT.match(span) and " " in span):
            words = words_of(span)
            known.append(words)
            faults += [f"{span}: {fault}" for fault in faults_of(words, part=is_only_named(words))]
        elif span.startswith("--") and len(span) > 2 and span not in FOREIGN_OPTIONS:
            options.append(words_of(span))
    possible = list({tuple(one): None for one in beginnings(known)})
    faults += [
        f"{' '.join(option)}: no command of this page has it" for option in options if not fits(option, possible)
    ]
    return faults


def fits(option, possible):
    """Whether an option belongs to one of these commands; alone, its value may be left out."""
    tried = [option, [*option, "X"]] if len(option) == 1 else [option]
    return any(not faults_of([*one, *words], part=True) for one in possible for words in tried)
