"""What all tests share."""

import os

from hypothesis import settings

# No example is timed: how long one takes says more about a busy machine than about the code.
settings.register_profile("everywhere", deadline=None)
# What must pass before anything lands is the same every time; everywhere else each run looks in other places.
settings.register_profile("landing", deadline=None, derandomize=True)
settings.load_profile("landing" if os.environ.get("CI") else "everywhere")
