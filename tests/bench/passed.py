"""A plugin of pytest's that notes the tests that pass, for the table of measurements."""

import os
from pathlib import Path


def pytest_runtest_logreport(report):
    if report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
        with Path(os.environ["COMPANION_PASSED"]).open("a", encoding="utf-8") as notes:
            notes.write(f"{report.nodeid}\n")
