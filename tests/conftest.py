"""What all tests share."""

import os
import sys
from contextlib import suppress
from functools import cache
from io import StringIO
from pathlib import Path
from types import ModuleType

from coverage import Coverage
from coverage.exceptions import CoverageException
from hypothesis import HealthCheck, settings

# No test fails because the machine is slow or busy. With CI set every run tries the same examples, since it decides
# whether something lands; everywhere else each run looks in other places.
settings.register_profile(
    "companion",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("companion")

# The rules are tested from their sources, whatever has been compiled on this machine; `compiled` tests say otherwise.
os.environ["COMPANION_RULES"] = "python"

HERE = Path(__file__).parent
BY_FIXTURE = {"browser": "browser", "mosquitto": "broker", "bots": "process"}
BY_FOLDER = {"vision": ("vision", "calibration", "recordings", "bootstrap/demo"), "process": ("appliance", "bench")}
BY_IMPORT = {
    "vision": ("cv2", "calibration", "companion.vision", "companion.app.demo", "hardware.cameras", "hardware.tabletop"),
    "process": ("subprocess", "multiprocessing", "companion.bots.policy.helper_process"),
}


def pytest_collection_modifyitems(items):
    """Mark what a test needs; and trace no lines of what goes over the same ground again and again.

    In a browser that is every page: what our code has to do with it is asked without one, and tracing doubles its cost.
    """
    for item in items:
        for mark in needs_of(item):
            item.add_marker(mark)
        if item.get_closest_marker("long") or item.get_closest_marker("browser"):
            item.add_marker("no_cover")


def needs_of(item):
    """The marks of a test: by its fixtures, its folder, and what its module and those of its fixtures import."""
    found = {mark for fixture, mark in BY_FIXTURE.items() if fixture in item.fixturenames}
    fixtures = [one.func for each in item._fixtureinfo.name2fixturedefs.values() for one in each]
    namespaces = [vars(item.module), *(getattr(one, "__globals__", {}) for one in fixtures)]
    return sorted(found.union(needs_of_folder(item.path.parent), *map(needs_of_module, namespaces)))


@cache
def needs_of_folder(folder):
    inside = folder.relative_to(HERE).as_posix() if folder.is_relative_to(HERE) else ""
    return {mark for mark, folders in BY_FOLDER.items() if inside.startswith(folders)}


def needs_of_module(namespace, known={}):  # noqa: B006 - remembered
    file = namespace.get("__file__") or "/"
    if file not in known:
        names = names_used(namespace) if is_ours(namespace) else set()
        known[file] = {
            mark
            for mark, modules in BY_IMPORT.items()
            if any(name == one or name.startswith(f"{one}.") for name in names for one in modules)
        }
    return known[file]


def is_ours(namespace):
    return Path(namespace.get("__file__") or "/").is_relative_to(HERE)


def names_used(namespace, known={}):  # noqa: B006 - remembered
    """The modules that one of the tests' imports or takes something from; helpers of the tests are followed."""
    file = namespace["__file__"]
    if file not in known:
        names = known[file] = set()
        for value in list(namespace.values()):
            name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(name, str) and name not in names:
                names.add(name)
                helper = vars(sys.modules[name]) if name in sys.modules else {}
                names |= names_used(helper) if is_ours(helper) else set()
    return known[file]


def pytest_terminal_summary(terminalreporter, config):
    """Which lines are missed, where too many are: before the names of what failed, which stay last."""
    goal = config.getoption("cov_fail_under", None)
    if goal and not config.getoption("no_cov"):
        measured, table = Coverage(), StringIO()
        with suppress(CoverageException):
            measured.load()
            if measured.report(file=table) < goal:
                terminalreporter.write(table.getvalue())
