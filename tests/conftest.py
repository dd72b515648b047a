"""What all tests share."""

import os

from hypothesis import settings

# What must pass before anything lands is the same every time; everywhere else each run looks in other places.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
