"""What `./compile` compiles, and what mypyc would stumble over when it is loaded."""

import ast
from importlib import import_module
from pathlib import Path

import pytest
from mypy import api

from companion.compiled.build import INTERPRETED, compiler_options, modules
from companion.compiled.modules import PACKAGE

HERE = PACKAGE.parent
LEFT_TO_SOURCES = ("__init__.py", "learned.py", "vats.py")
FILES = [Path(file) for file in modules(str(PACKAGE))]


def test_every_module_of_the_rules_is_compiled():
    games = PACKAGE / "games"
    rules = {path for path in games.rglob("*.py") if not path.is_relative_to(games / "wasteland")}
    left = {PACKAGE / path for path in INTERPRETED}
    compiled = {file for file in FILES if file.is_relative_to(games)}
    assert compiled == {path for path in rules - left if path.name != "__init__.py"}
    assert all(path.is_file() for path in left)


def test_what_bots_do_in_every_walk_is_compiled():
    worth = {path for path in (PACKAGE / "bots" / "worth").glob("*.py") if path.name not in LEFT_TO_SOURCES}
    policies = {PACKAGE / "bots" / "policy" / f"{name}.py" for name in ("greedy", "policy", "search")}
    ours = {file for file in FILES if not file.is_relative_to(PACKAGE / "games")}
    assert ours == worth | policies | {PACKAGE / "seeded_chance.py"}


@pytest.mark.long
def test_what_is_compiled_needs_no_library_that_the_table_has(tmp_path):
    """A wheel is built by pip in an environment of its own, with mypy and nothing else."""
    said, _, code = api.run([*compiler_options(modules(str(PACKAGE))), "--no-site-packages", f"--cache-dir={tmp_path}"])
    assert (said.splitlines()[-1][:7], code) == ("Success", 0), said


def for_type_checkers(module):
    """The classes that a module imports for type checkers alone, by their names."""
    blocks = [node for node in module.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    names = [(alias.asname or alias.name, getattr(import_module(node.module), alias.name, None))
             for node in imports for alias in node.names]  # fmt: skip
    return {name for name, found in names if isinstance(found, type)}


def fields_looked_up(module):
    """The names in the fields of named tuples and dataclasses: compiled, both look them up when they are made."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef) and (
            any("NamedTuple" in ast.dump(base) for base in node.bases)
            or any("dataclass" in ast.dump(one) for one in node.decorator_list)
        ):
            for field in (one for one in node.body if isinstance(one, ast.AnnAssign)):
                yield from (name.id for name in ast.walk(field.annotation) if isinstance(name, ast.Name))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(HERE)))
def test_no_field_is_of_a_type_that_is_imported_for_type_checkers_alone(file):
    module = ast.parse(file.read_text(encoding="utf-8"))
    assert for_type_checkers(module) & set(fields_looked_up(module)) == set()


def test_such_a_field_would_be_found():
    module = ast.parse(
        "if TYPE_CHECKING:\n    from collections.abc import Mapping\n    from companion.games.chance import Dice\n"
        "@dataclass\nclass Box:\n    cards: Mapping[str, int]\nclass Roll(NamedTuple):\n    dice: Dice\n"
    )
    assert for_type_checkers(module) & set(fields_looked_up(module)) == {"Mapping"}
