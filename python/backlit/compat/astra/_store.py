"""data2d and data3d: arrays by numbers."""

import numpy as np

from backlit._core import InputError

from . import _objects, phantoms


class Data:
    def __init__(self, kind, geometry, values):
        self.kind, self.geometry, self.values = kind, geometry, values


class Store:
    """The functions of data2d or of data3d."""

    kinds = {"-vol": "volume", "-sino": "projections", "-proj2d": "projections", "-proj3d": "projections"}

    def __init__(self, axes):
        self.axes = axes

    def _checked(self, kind, geometry):
        if kind not in self.kinds:
            raise InputError(f"astra: datatype '{kind}' is not there; choose one of {', '.join(self.kinds)}")
        shape = _objects.shape_of(geometry)
        if len(shape) != self.axes:
            raise InputError(f"astra: data{self.axes}d takes no geometry of {len(shape)} axes")
        return shape

    def _values(self, shape, data):
        if np.ndim(data) == 0:
            return np.full(shape, data, np.float32)
        if tuple(np.shape(data)) != tuple(shape):
            raise InputError(f"astra: data have shape {np.shape(data)}, the geometry {tuple(shape)}")
        return np.array(data, np.float32)

    def create(self, datatype, geometry, data=None):
        """A number for an array of zeros, of a constant, or of a copy of `data`."""
        shape = self._checked(datatype, geometry)
        return _objects.data.add(Data(datatype, geometry, self._values(shape, 0 if data is None else data)))

    def link(self, datatype, geometry, data):
        """A number for `data` itself: a NumPy, torch or CuPy array."""
        shape = self._checked(datatype, geometry)
        if tuple(data.shape) != tuple(shape):
            raise InputError(f"astra: data have shape {tuple(data.shape)}, the geometry {tuple(shape)}")
        return _objects.data.add(Data(datatype, geometry, data))

    def shepp_logan(self, geometry, modified=True, returnData=True):
        """The head of Shepp and Logan (IEEE Trans. Nucl. Sci. 21 (1974) 21) that fills a volume: (number, array).

        modified: with the higher contrasts of Toft's thesis (1996)
        """
        values = phantoms.shepp_logan(self._checked("-vol", geometry), modified)
        number = self.create("-vol", geometry, values)
        return (number, self.get_shared(number)) if returnData else number

    def get(self, i):
        """A copy of the values."""
        values = _objects.data.find(i).values
        return values.copy() if hasattr(values, "copy") else values.clone()

    def get_shared(self, i):
        """The values themselves."""
        return _objects.data.find(i).values

    def store(self, i, data):
        """Copies `data`, an array or a constant, into the object."""
        kept = _objects.data.find(i)
        kept.values[...] = self._values(kept.values.shape, data) if isinstance(kept.values, np.ndarray) else data

    def get_geometry(self, i):
        return _objects.data.find(i).geometry

    def change_geometry(self, i, geometry):
        kept = _objects.data.find(i)
        if self._checked(kept.kind, geometry) != tuple(kept.values.shape):
            raise InputError("astra: the new geometry has another shape")
        kept.geometry = geometry

    def dimensions(self, i):
        return tuple(_objects.data.find(i).values.shape)

    def delete(self, ids):
        _objects.data.delete(ids)

    def clear(self):
        """Deletes all of these objects."""
        for number in [n for n, d in _objects.data.items() if len(d.values.shape) == self.axes]:
            del _objects.data[number]

    def info(self):
        """Prints what there is."""
        for number, kept in _objects.data.items():
            if len(kept.values.shape) == self.axes:
                print(f"{number}\t{kept.kind}\t{tuple(kept.values.shape)}")
