"""Every clause of the rules is cited at the function that carries it out, or says here why none does."""

import ast
import re
import tomllib
from pathlib import Path

import companion

HOME = Path(companion.__file__).parent
CLAUSES = tomllib.loads((HOME / "games/shelter/clauses.toml").read_text(encoding="utf-8"))
CITED = re.compile(r"\b[A-Z]\d\b")
AT_NO_FUNCTION: dict[str, str] = {
    "V3": "what cards and figures look like: nothing is computed from it",
}
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def functions():
    """Every function of the rules and of the loader of their cards, with its docstring."""
    for folder in ("games/shelter", "cards"):
        for file in sorted((HOME / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, FUNCTION):
                    yield f"{file.relative_to(HOME)}:{node.name}", ast.get_docstring(node) or ""


def test_every_clause_is_cited_at_a_function():
    cited = {clause for _, told in functions() for clause in CITED.findall(told)}
    assert sorted(set(CLAUSES) - cited - set(AT_NO_FUNCTION)) == []
    assert sorted(set(AT_NO_FUNCTION) & cited) == [], "cited, and said to be cited nowhere"


def test_no_function_of_the_rules_cites_a_clause_that_does_not_exist():
    places = {"L1", "L2", "L3", "R1", "R2", "R3"}
    odd = [
        (where, clause)
        for where, told in functions()
        if where.startswith("games/shelter")
        for clause in CITED.findall(told)
        if clause not in CLAUSES and clause not in places
    ]
    assert odd == []
