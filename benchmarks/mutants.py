"""Changes one thing at a time in the code that must not be wrong, and counts the changes that some test notices.

    python -m benchmarks.mutants FILE...    all mutants of these files, and those that no test notices

A mutant is run in a forked process that imports the changed module instead of the file, so nothing is written to disk.
"""

from __future__ import annotations

import ast
import copy
import importlib
import os
import random
import signal
import sys
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_loader
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import CodeType

HERE = Path(__file__).resolve().parent.parent
SEED, SAMPLE = 1, 30
SECONDS = 240.0  # for the sample of one group; what is left over then is not counted
PATIENCE = 60  # seconds; a mutant that takes longer, maybe for ever, is noticed
WAYS = ["-q", "-x", "-p", "no:cacheprovider"]
OURS = ("companion", "web", "hardware", "calibration", "tests")
PRELOADED = ("pytest", "hypothesis", "flask", "click", "numpy", "waitress", "coverage")


@dataclass(frozen=True)
class Group:
    """Files that are changed, and the tests that have to notice: quick ones first."""

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def paths(self) -> list[Path]:
        """The files, without those that only make a package."""
        found = sorted({path for pattern in self.files for path in HERE.glob(pattern)})
        return [path for path in found if path.name != "__init__.py"]


GROUPS = (
    Group(
        "the rules of Shelter",
        ("companion/games/shelter/**/*.py",),
        ("tests/test_scenarios.py", "tests/games/shelter"),
    ),
    Group(
        "reconciling sight and record",
        (
            "companion/table/sight/reconcile.py",
            "companion/table/sight/difference.py",
        ),
        (
            "tests/table/test_pure.py",
            "tests/table/test_disagreeing.py",
            "tests/table/test_looking.py",
            "tests/table/test_seen_through_an_evening.py",
            "tests/table/test_asking.py",
            "tests/table/test_taking_back.py",
        ),
    ),
    Group(
        "the record, its database and its copy",
        (
            "companion/canonical.py",
            "companion/table/record/data_folder.py",
            "companion/table/record/entries.py",
            "companion/table/record/mirror.py",
            "companion/table/record/record.py",
            "companion/table/record/store.py",
            "companion/table/record/verify.py",
        ),
        (
            "tests/table/test_record.py",
            "tests/table/test_record_faults.py",
            "tests/table/test_record_replaced.py",
            "tests/table/test_files.py",
            "tests/table/test_pure.py",
            "tests/table/test_commands.py",
            "tests/table/test_damage.py",
        ),
    ),
    Group(
        "who may act, and from where",
        ("web/base/access.py", "web/base/guard.py"),
        ("tests/web/test_doors.py", "tests/web/test_bounds.py"),
    ),
)


# --- what is changed --------------------------------------------------------------------------------------------------

COMPARED: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Mutant:
    """One node of one file, and what stands there instead."""

    path: Path
    node: int
    """Its place among the nodes of the file, as `sites` counts them."""
    change: int
    """Which of its changes."""
    line: int
    told: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(HERE)}:{self.line}: {self.told}"


def mutants_of(path: Path) -> list[Mutant]:
    """Every mutant of a file, in its order."""
    found = []
    for number, (node, _, _) in enumerate(sites(ast.parse(path.read_text(encoding="utf-8")))):
        for change, new in enumerate(changes(node)):
            told = f"{_head(node)}  ->  {_head(new)}"
            line = node.target.lineno if isinstance(node, ast.comprehension) else getattr(node, "lineno", 0)
            found.append(Mutant(path, number, change, line, told))
    return found


def _head(node: ast.AST) -> str:
    return ast.unparse(node).strip().partition("\n")[0]


def mutated(mutant: Mutant) -> ast.Module:
    """A file's code with the change."""
    tree = ast.parse(mutant.path.read_text(encoding="utf-8"))
    node, parent, (name, place) = list(sites(tree))[mutant.node]
    new = ast.copy_location(changes(node)[mutant.change], node)
    if place is None:
        setattr(parent, name, new)
    else:
        getattr(parent, name)[place] = new
    return ast.fix_missing_locations(tree)


def sites(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST, tuple[str, int | None]]]:
    """Every node whose change could be noticed, its parent, and where the parent has it."""
    for name, value in ast.iter_fields(node):
        for place, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(child, ast.AST) and not _is_for_readers(node, name, child):
                yield child, node, (name, place)
                yield from sites(child)


def _is_for_readers(parent: ast.AST, field: str, node: ast.AST) -> bool:
    """Types, decorators, docstrings, `if TYPE_CHECKING`, and the sentences of errors: no rule depends on them."""
    if field in ("annotation", "returns", "decorator_list", "type_params") or isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    says = isinstance(parent, ast.Call) and ast.unparse(parent.func).endswith(("Refusal", "Error"))
    return says and isinstance(node, ast.Constant) and " " in str(node.value)


def changes(node: ast.AST) -> list[Any]:
    """What may stand instead of a node."""
    return _of_statement(node) if isinstance(node, ast.stmt) else _of_expression(node)


def _of_statement(node: ast.stmt) -> list[Any]:
    match node:
        case ast.If() | ast.While():
            return _with_other_test(node)
        case ast.AugAssign() if type(node.op) in COMPUTED:
            return [_with(node, op=COMPUTED[type(node.op)]())]
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            return [_with(node, value=ast.Constant(None))]
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Delete():
            return [ast.Pass()]
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return [ast.Pass()]
        case ast.Continue():
            return [ast.Break()]
        case ast.Break():
            return [ast.Continue()]
    return []


def _of_expression(node: ast.AST) -> list[Any]:
    match node:
        case ast.Compare():
            return [_with(node, ops=_exchanged(node.ops, at)) for at in range(len(node.ops))]
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            rests = [node.values[:at] + node.values[at + 1 :] for at in range(len(node.values))]
            return [_with(node, op=other), *(rest[0] if len(rest) == 1 else _with(node, values=rest) for rest in rests)]
        case ast.UnaryOp(op=ast.Not()):
            return [node.operand]
        case ast.IfExp():
            return _with_other_test(node)
        case ast.comprehension(ifs=[_, *_]):
            return [_with(node, ifs=[])]
        case ast.BinOp() if type(node.op) in COMPUTED:
            return [_with(node, op=COMPUTED[type(node.op)]())]
        case ast.Constant():
            return [ast.Constant(new) for new in _other_than(node.value)]
    return []


def _with_other_test(node: ast.If | ast.While | ast.IfExp) -> list[Any]:
    """The contrary, unless the test is an expression that has changes of its own."""
    if isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
        return []
    return [_with(node, test=ast.UnaryOp(ast.Not(), node.test))]


def _other_than(value: object) -> list[Any]:
    match value:
        case bool():
            return [not value]
        case int():
            return [value + 1]
        case str() if value:
            return [f"XX{value}"]
    return []


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _exchanged(ops: list[ast.cmpop], at: int) -> list[ast.cmpop]:
    return [*ops[:at], COMPARED[type(ops[at])](), *ops[at + 1 :]]


# --- whether a test notices -------------------------------------------------------------------------------------------


class Instead(SourceFileLoader):
    """Finds one module with a change in it, and leaves all others to Python."""

    def __init__(self, mutant: Mutant) -> None:
        name = ".".join(mutant.path.relative_to(HERE).with_suffix("").parts)
        super().__init__(name, str(mutant.path))
        self._code = compile(mutated(mutant), str(mutant.path), "exec")

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """As `sys.meta_path` asks."""
        return spec_from_loader(name, self) if name == self.name else None

    def get_code(self, _: str) -> CodeType:
        """The code with the change."""
        return self._code


def begin(tests: Sequence[str], mutant: Mutant | None) -> int:
    """Run tests in a process of its own, with a change or without."""
    process = os.fork()
    if process:
        return process
    try:
        signal.alarm(PATIENCE)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
            del sys.modules[name]  # who measures other things as well has imported them without the change
        if mutant is not None:
            sys.meta_path.insert(0, Instead(mutant))
        import pytest  # noqa: PLC0415 - loaded before the fork

        os._exit(min(int(pytest.main([*WAYS, *tests])), 1))
    except BaseException:  # noqa: BLE001 - whatever a change breaks, it is noticed
        os._exit(1)


def noticed(tests: Sequence[str], wanted: Sequence[Mutant], seconds: float) -> dict[Mutant, bool]:
    """Which mutants fail a test, as many at once as there are cores, until the time is over."""
    found: dict[Mutant, bool] = {}
    running: dict[int, Mutant] = {}
    left, end = list(reversed(wanted)), monotonic() + seconds
    while running or (left and monotonic() < end):
        while left and len(running) < (os.cpu_count() or 1) and monotonic() < end:
            mutant = left.pop()
            running[begin(tests, mutant)] = mutant
        process, status = os.wait()
        found[running.pop(process)] = status != 0
    return found


def prepared(tests: Sequence[str]) -> None:
    """Load what does not change, and see that the tests pass without any change."""
    # The same examples every time, and no plugins that take longer to load than the tests to run.
    os.environ |= {"CI": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_cov.plugin"}
    for name in PRELOADED:
        importlib.import_module(name)
    if os.waitpid(begin(tests, None), 0)[1]:
        raise SystemExit(f"{' '.join(tests)}: failed without any change")


def of_mutants() -> list[tuple[str, str, str]]:
    """The share of a sample of mutants that some test notices, for each group."""
    rows = []
    for group in GROUPS:
        every = [mutant for path in group.paths for mutant in mutants_of(path)]
        prepared(group.tests)
        found = noticed(group.tests, random.Random(SEED).sample(every, min(SAMPLE, len(every))), SECONDS)
        tell(found)
        what = f"{group.name}: killed of {len(found)} mutants, a sample with seed {SEED} of {len(every):,}"
        rows.append((what, "90 %", f"{sum(found.values()) / len(found):.0%}"))
    return rows


def tell(found: dict[Mutant, bool]) -> None:
    """Print what no test has noticed."""
    for mutant in sorted((one for one, killed in found.items() if not killed), key=str):
        print(f"survived: {mutant}", flush=True)


def main() -> None:
    """Try every mutant of the files that are named."""
    for name in sys.argv[1:]:
        path = Path(name).resolve()
        group = next((group for group in GROUPS if path in group.paths), None)
        if group is None:
            raise SystemExit(f"{name}: belongs to no group in benchmarks/mutants.py")
        prepared(group.tests)
        found = noticed(group.tests, mutants_of(path), float("inf"))
        tell(found)
        print(f"{name}: {sum(found.values())} of {len(found)} killed", flush=True)


if __name__ == "__main__":
    main()
