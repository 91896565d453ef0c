"""Types of arguments, for type checkers and editors."""

import os
from collections.abc import Sequence
from typing import Any

Array = Any  # of NumPy, torch, CuPy, or of a library with DLPack
Path = str | os.PathLike[str]
Size = int | Sequence[int]
Lengths = float | Sequence[float]
