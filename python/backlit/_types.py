"""Types of arguments, for type checkers and editors."""

import os
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

Array = Any  # of NumPy, torch, CuPy, or of a library with DLPack
ArrayT = TypeVar("ArrayT")  # one of them, where the same kind comes back
NumPyArray = np.ndarray[Any, Any]
Path = str | os.PathLike[str]
Size = int | Sequence[int]
Lengths = float | Sequence[float]
