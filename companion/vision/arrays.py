"""The one array type of this package: numpy's, with shapes told in docstrings."""

from typing import Any, TypeAlias

import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
