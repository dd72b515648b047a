"""Builds the wheel. With one switch the rules in it are compiled: COMPANION_COMPILED_WHEEL=1 pip wheel --no-deps ."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).parent
IN_PLACE = "editable_wheel"  # compiled modules beside sources that change would be loaded in their stead
WANTED = bool(os.environ.get("COMPANION_COMPILED_WHEEL")) and IN_PLACE not in sys.argv


def compiler() -> str:
    """Return the mypy that compiles for everybody else, too."""
    listed = (HERE / "requirements-compile.txt").read_text(encoding="utf-8").splitlines()
    return next(line.split()[0] for line in listed if line.startswith("mypy=="))


def rules() -> list[Extension]:
    """Return the compiled modules; pip asks what building needs before it is there."""
    if find_spec("mypyc") is None:
        return []
    sys.path.insert(0, str(HERE))
    from mypyc.build import mypycify  # noqa: PLC0415 - there in the second round alone

    from companion.compiled.build import compiler_options, modules  # noqa: PLC0415

    level = os.environ.get("COMPANION_COMPILE_LEVEL", "3")
    return mypycify(compiler_options(modules("companion")), opt_level=level, debug_level="0")


setup(setup_requires=[compiler()] if WANTED else [], ext_modules=rules() if WANTED else [])
