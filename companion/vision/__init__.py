"""Computer vision: pure functions that turn a picture of the table into a reading."""

import os

# Many small matrices: threads of the linear algebra cost more than they bring, and would take the cores of the pages.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
