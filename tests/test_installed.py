"""What `pip install .` brings: every file that the packages need, and nothing of tests or benchmarks."""

import importlib
import subprocess
import sys
import zipfile
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
        return set(file.namelist())


def test_every_file_of_the_packages_is_installed(wheel):
    wanted = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted - wheel == set()


def test_nothing_else_is(wheel):
    assert {name.partition("/")[0] for name in wheel if ".dist-info" not in name} == set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_packages_that_are_imported_are_ours(package):
    assert Path(importlib.import_module(package).__file__).is_relative_to(ROOT)
