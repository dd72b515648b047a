"""What `pip install .` brings: every file that the packages need, and nothing of tests or benchmarks."""

import ast
import importlib
import re
import subprocess
import sys
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "hardware", "web", "calibration")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, made of a copy: building leaves traces."""
    folder = tmp_path_factory.mktemp("wheel")
    for name in (*PACKAGES, "pyproject.toml", "README.md", "LICENSE"):
        subprocess.run(["cp", "-r", ROOT / name, folder], check=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", "out", "."]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (made,) = (folder / "out").glob("*.whl")
    with zipfile.ZipFile(made) as file:
        return {name: file.read(name) if name.endswith("METADATA") else b"" for name in file.namelist()}


def test_every_file_of_the_packages_is_installed(wheel):
    wanted = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted - wheel.keys() == set()


def test_nothing_else_is(wheel):
    assert {name.partition("/")[0] for name in wheel if ".dist-info" not in name} == set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_packages_that_are_imported_are_ours(package):
    assert Path(importlib.import_module(package).__file__).is_relative_to(ROOT)


def test_it_brings_everything_that_the_companion_needs(wheel):
    """`pip install .` alone, without the pins: the same packages, none of them an extra."""
    (metadata,) = (text.decode() for name, text in wheel.items() if name.endswith("METADATA"))
    needed = re.findall(r"^Requires-Dist: ([a-z0-9-]+)[^;\n]*$", metadata, re.MULTILINE)
    assert sorted(needed) == sorted((ROOT / "requirements.in").read_text(encoding="utf-8").split())


def test_what_is_imported_is_brought():
    """Whatever our packages import when they run, early or late, is ours, Python's, pinned, or a Pi's own."""
    pinned = set(re.findall(r"^([a-z0-9.-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE))
    brought = {name for name, whose in packages_distributions().items() if pinned & {one.lower() for one in whose}}
    imported = set()
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for_types = [
            node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        ]
        never_run = {inner for block in for_types for part in block.body for inner in ast.walk(part)}
        for node in set(ast.walk(tree)) - never_run:
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            imported |= {name.split(".")[0] for name in names}
    assert imported - brought - {*PACKAGES} - sys.stdlib_module_names == {"picamera2"}
