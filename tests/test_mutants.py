"""What is changed to see whether a test notices, and that noticing is told from not noticing."""

import ast
import subprocess
import sys

import pytest

from benchmarks.mutants import GROUPS, HERE, changes, mutants_of, sites

TRY = """
import companion.table.record.data_folder
from benchmarks.mutants import HERE, mutants_of, noticed, prepared
mutants = mutants_of(HERE / "companion/table/record/data_folder.py")
mutant = [one for one in mutants if one.told.startswith("os.fsync")][-1]
for tests in (["tests/table/test_files.py"], ["tests/games/test_timeline.py"]):
    prepared(tests)
    print(noticed(tests, [mutant], 60.0)[mutant])
"""


def changed(code):
    """What may stand instead of each part of some code."""
    return [ast.unparse(new) for node, _, _ in sites(ast.parse(code)) for new in changes(node)]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a < b", ["a <= b"]),
        ("x = a and b", ["a or b", "b", "a"]),
        ("not a", ["a"]),
        ("[x for x in a if x.good]", ["for x in a"]),
        ("n += 1", ["n -= 1", "2"]),
        ("save(x)", ["pass"]),
        ("self.x = y", ["pass"]),
        ("if a: pass", ["if not a:\n    pass"]),
        ("def f():\n    return g(x)", ["return None"]),
        ("for x in a: continue", ["break"]),
        ("x = 'code'", ["'XXcode'"]),
        ("raise Refusal('code', 'A sentence.')", ["pass", "'XXcode'"]),
        ("def f(a: int | None) -> 'T':\n    'Say.'", []),
        ("if TYPE_CHECKING:\n    import x", []),
        ("@dataclass(frozen=True)\nclass A: pass", []),
    ],
)
def test_what_is_changed(code, expected):
    assert [one.strip() for one in changed(code)] == expected


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_files_and_tests_of_a_group_are_there(group):
    assert all(list(HERE.glob(pattern)) for pattern in (*group.files, *group.tests))
    mutants = [one for path in group.paths for one in mutants_of(path)]
    assert len(mutants) > 100
    assert len({(one.path, one.node, one.change) for one in mutants}) == len(mutants)


def test_a_change_is_noticed_by_the_tests_of_its_code_alone():
    told = subprocess.run([sys.executable, "-c", TRY], cwd=HERE, capture_output=True, text=True, check=True).stdout
    assert told.split() == ["True", "False"]
