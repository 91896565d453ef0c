"""Scans: projections with their geometry, from files, arrays and phantoms."""

import os

import numpy as np

from . import _arrays, _core
from ._core import InputError
from .geometry import Geometry, VolumeGrid, geometry as any_geometry, volume as any_volume
from .volumes import load_phantom


class Scan:
    """Line integrals with their geometry. Those of a file are read when somebody needs them.

    geometry:    where source and detector are
    projections: (views, rows, columns), fp32; read at first use
    volume:      the grid to reconstruct: what the file says, or what every view sees
    notes:       what had to be assumed when it was read
    """

    def __init__(self, source, geometry, volume=None, notes=(), name=""):
        self._source = source
        self.geometry = geometry
        self._volume = volume
        self.notes = list(notes)
        self.name = name
        self._values = None

    @property
    def projections(self):
        if self._values is None:
            self._values = self._source.values()
        return self._values

    @property
    def volume(self):
        if self._volume is None:
            self._volume = self.geometry.default_volume()
        return self._volume

    @volume.setter
    def volume(self, grid):
        self._volume = any_volume(grid)

    @property
    def shape(self):
        return self.geometry.shape

    def find_center(self):
        """The column on which the rotation axis projects, found in the projections to half a pixel."""
        return self._source.find_center()

    def with_center(self, column="find"):
        """The same with the axis at this column; "find" looks for it."""
        column = self.find_center() if column == "find" else float(column)
        placed = self.geometry.with_center(column)
        return Scan(self._source.placed(placed._views), placed, self._volume, self.notes, self.name)

    def without_stripes(self, window):
        """The same with rings suppressed; `window` is an odd number of columns."""
        return Scan(self._source.without_stripes(int(window)), self.geometry, self._volume, self.notes, self.name)

    def __getitem__(self, views):
        """Some views: scan[::4]."""
        if not isinstance(views, slice):
            raise InputError("views: give a slice, as scan[::4]")
        first, end, step = views.indices(len(self.geometry))
        if step < 1:
            raise InputError("views: give a step of 1 or more")
        return Scan(self._source.some(first, end, step), self.geometry[views], self._volume, self.notes, self.name)

    def save(self, path):
        """Writes NAME.scan.toml and, beside it, NAME.npy."""
        path = os.fspath(path)
        if not path.endswith(".scan.toml"):
            raise InputError(f"{_arrays.words(path)}: a scan is saved as NAME.scan.toml")
        views = path.removesuffix(".scan.toml") + ".npy"
        self._source.save(views)
        _core.save_scan(self.geometry._views, os.path.basename(views), self._volume, path)

    def __repr__(self):
        return f"scan{' ' + self.name if self.name else ''}: {self.geometry!r}"


def load(path, *, center=None, stripes=0, views=None):
    """A scan from a file: *.scan.toml, or a container that carries its own geometry. Counts become line integrals.

    center:  the column on which the rotation axis projects, or "find"; left out, what the file says
    stripes: width in columns (odd) of the window that suppresses rings; 0: none are
    views:   a slice: which views to keep
    """
    path = os.fspath(path)
    loaded = _core.load_scan(path)
    volume = None if loaded.volume is None else VolumeGrid.of(loaded.volume)
    source = loaded.source
    made = Scan(source, Geometry(source.views, os.path.basename(path)), volume, loaded.notes, os.path.basename(path))
    if stripes:
        made = made.without_stripes(stripes)
    if center is not None:
        made = made.with_center(center)
    return made if views is None else made[views]


def scan(geometry, projections, volume=None):
    """A scan from arrays: a geometry and line integrals (views, rows, columns)."""
    views = any_geometry(geometry)
    source = _core.Source(views._views, _arrays.host_float(projections))
    return Scan(source, views, None if volume is None else any_volume(volume))


def correct(geometry, counts, flats=None, darks=None):
    """Line integrals, -log((counts - dark) / (flat - dark)), of detector counts: a scan. Dead pixels are repaired.

    counts:       (views, rows, columns)
    flats, darks: (rows, columns), or stacks of which the median is taken; without flats the brightest one per cent of
                  each view stands in, without darks 0
    """
    views = any_geometry(geometry)
    source = _core.Source(views._views, _arrays.host_float(counts))
    frames = [None if f is None else _arrays.host_float(f) for f in (flats, darks)]
    return Scan(source.corrected(*frames), views)


def remove_stripes(geometry, projections, window):
    """Line integrals with rings suppressed; `window` is an odd number of columns."""
    return _arrays.same_kind(scan(geometry, projections).without_stripes(window).projections, projections)


def find_center(geometry, projections):
    """The column on which the rotation axis projects, found in the projections to half a pixel."""
    return scan(geometry, projections).find_center()


def simulate(phantom, geometry, *, supersampling=1, photons=0, electronic=0, seed=1):
    """Exact line integrals (views, rows, columns) of an analytic phantom, with noise where photons are given.

    phantom:       one of :func:`phantoms`, or a file
    supersampling: a pixel is the mean of so many rays along rows and columns
    photons:       counts a pixel without an object; 0: no noise
    electronic:    standard deviation of the read-out noise in counts
    """
    views = any_geometry(getattr(geometry, "geometry", geometry))
    return _core.simulate(load_phantom(phantom), views._views, int(supersampling), float(photons), float(electronic),
                          int(seed))


def add_noise(projections, photons, electronic=0, seed=1):
    """Line integrals (views, rows, columns) as they come from Poisson counts of so many photons a pixel."""
    values = _core.add_noise(_arrays.host_float(projections), float(photons), float(electronic), int(seed))
    return _arrays.same_kind(values, projections)
