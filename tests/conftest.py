"""What all tests share."""

import os

if os.environ.get("CI"):
    # What must pass before anything lands is the same every time; everywhere else each run looks in other places.
    from hypothesis import settings

    settings.register_profile("ci", derandomize=True)
    settings.load_profile("ci")
