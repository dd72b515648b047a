"""Measurements, as ratios taken side by side in one run."""

import os

from companion.compiled import modules

if modules.VARIABLE in os.environ:  # before any rule is loaded; without a word of it the sources are measured
    modules.use()
