"""What all tests share."""

import os
from contextlib import suppress
from io import StringIO

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


def pytest_terminal_summary(terminalreporter, config):
    """Which lines are missed, where too many are: before the names of what failed, which stay last."""
    goal = config.getoption("cov_fail_under", None)
    if goal and not config.getoption("no_cov"):
        measured, table = Coverage(), StringIO()
        with suppress(CoverageException):
            measured.load()
            if measured.report(file=table) < goal:
                terminalreporter.write(table.getvalue())
