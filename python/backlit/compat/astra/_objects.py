"""What ASTRA's integers stand for."""

import itertools

import numpy as np

import backlit as bl
from backlit import _arrays
from backlit._core import InputError

from .pythonutils import GPULink

_numbers = itertools.count(1)
device = "auto"


class Registry(dict):
    """Objects of one kind by their numbers."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def add(self, thing):
        number = next(_numbers)
        self[number] = thing
        return number

    def find(self, number):
        try:
            return self[int(number)]
        except (KeyError, TypeError, ValueError):
            raise InputError(f"astra: there is no {self.kind} {number}") from None

    def delete(self, numbers):
        for number in numbers if isinstance(numbers, (list, tuple)) else [numbers]:
            self.pop(number, None)


data, projectors, algorithms = Registry("data object"), Registry("projector"), Registry("algorithm")


def clear():
    """Deletes all data, projectors and algorithms."""
    for registry in (algorithms, projectors, data):
        registry.clear()


def is_flat(geometry):
    """Whether a volume or projection geometry is two-dimensional."""
    if "type" in geometry:
        return geometry["type"] in ("parallel", "parallel_vec", "fanflat", "fanflat_vec")
    return "GridSliceCount" not in geometry


def views_of(geometry):
    return len(geometry["Vectors"] if "Vectors" in geometry else geometry["ProjectionAngles"])


def shape_of(geometry):
    """ASTRA's shape: volumes (rows, columns) or (slices, rows, columns), projections (angle, column) or (row, angle,
    column)."""
    if "type" not in geometry:
        flat = (geometry["GridRowCount"], geometry["GridColCount"])
        return flat if is_flat(geometry) else (geometry["GridSliceCount"], *flat)
    if is_flat(geometry):
        return (views_of(geometry), geometry["DetectorCount"])
    return (geometry["DetectorRowCount"], views_of(geometry), geometry["DetectorColCount"])


_models = {"line": "siddon", "strip": "distance_driven", "linear": "joseph", "cuda": "joseph", "cuda3d": "joseph",
           "linear3d": "joseph"}


class Projector:
    """A pair of geometries, and Backlit's operator between them; made at its first use."""

    def __init__(self, kind, projection, volume):
        name = str(kind).removesuffix("_fanflat").removesuffix("_vec")
        if name not in _models:
            raise InputError(f"astra: projector type '{kind}' is not there; choose one of {', '.join(_models)}")
        if is_flat(projection) != is_flat(volume):
            raise InputError("astra: one geometry has two dimensions and the other three")
        self.kind, self.projection, self.volume = kind, projection, volume
        self.flat = is_flat(volume)
        self.model = _models[name]
        self._operator = None

    @property
    def operator(self):
        if self._operator is None or self._device != device:
            grid, geometry = bl.volume(self.volume), bl.from_astra(self.projection)
            self._operator = bl.operator(grid, geometry, model=self.model, order="view" if self.flat else "astra",
                                         device=device)
            self._device = device
        return self._operator

    def _ours(self, values, of_volume):
        """ASTRA's array as the operator's, sharing memory. Rows of flat volumes run downwards, from the largest y."""
        if not self.flat:
            return values
        return values[::-1][None] if of_volume else values[:, None]

    def apply(self, transposed, source, target, add=False):
        """target = (or +=) A source or A' source, in ASTRA's arrays or GPULinks."""
        source, target = (a.array if isinstance(a, GPULink) else a for a in (source, target))
        a = self.operator.T if transposed else self.operator
        a(self._ours(source, not transposed), out=self._ours(target, transposed), add=add)

    def forward(self, x):
        return self._made(False, x, shape_of(self.projection))

    def back(self, y):
        return self._made(True, y, shape_of(self.volume))

    def _made(self, transposed, source, shape):
        library, source = _arrays.kind_of(source)
        target = library.empty(shape, source)
        self.apply(transposed, source, target)
        return target

    def filtered(self, y, **options):
        """FDK, or filtered backprojection of flat beams."""
        grid, geometry = bl.volume(self.volume), bl.from_astra(self.projection)
        views = self._ours(y, False) if self.flat else np.swapaxes(y, 0, 1)
        found = bl.fdk(geometry, np.ascontiguousarray(views), volume=grid, device=device, **options)
        return np.asarray(found)[0, ::-1] if self.flat else np.asarray(found)
