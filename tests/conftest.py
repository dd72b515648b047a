"""What all tests share."""

import os
from contextlib import suppress
from io import StringIO

from coverage import Coverage
from coverage.exceptions import CoverageException

if os.environ.get("CI"):
    # What must pass before anything lands is the same every time; everywhere else each run looks in other places.
    from hypothesis import settings

    settings.register_profile("ci", derandomize=True)
    settings.load_profile("ci")


def pytest_terminal_summary(terminalreporter, config):
    """Which lines are missed, where too many are: before the names of what failed, which stay last."""
    goal = config.getoption("cov_fail_under", None)
    if goal and not config.getoption("no_cov"):
        measured, table = Coverage(), StringIO()
        with suppress(CoverageException):
            measured.load()
            if measured.report(file=table) < goal:
                terminalreporter.write(table.getvalue())
