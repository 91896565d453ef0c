"""Scans: projections with their geometry, from files, arrays and phantoms."""

from __future__ import annotations

import copy
import inspect
import os
from typing import Any

import numpy as np

from . import _arrays, _core, _options
from ._core import InputError, ScanFact
from ._types import Array, ArrayT, Path
from .geometry import Geometry, VolumeGrid, described, geometry as any_geometry, volume as any_volume
from .volumes import load_phantom


class Scan:
    """Line integrals with their geometry. Those of a file are read when somebody needs them.

    geometry:    where source and detector are
    projections: (views, rows, columns), fp32; read at first use
    volume:      the grid to reconstruct: what the file says, or what every view sees
    water:       1/mm, what water attenuates, where the file says
    notes:       what had to be assumed when it was read, and which faults were looked for
    corrections: those that were made, with what they changed
    facts:       of a scanner's own format: the values that make the geometry, each with meaning, value and source, its
                 place in the file
    unused:      fields of such a file that are not used: "Name = value"
    directions:  turning sense and flips: what was taken, and why

    What a file says stays with the scan when views are chosen, the axis is moved or faults are corrected. print(scan)
    shows it.
    """

    def __init__(self, source, geometry, volume=None, notes=(), name="", corrections=()):
        self._source = source
        self.geometry = geometry
        self._volume = volume
        self.notes = list(notes)
        self.name = name
        self.corrections = list(corrections)
        self.facts: list[ScanFact] = []
        self.unused: list[str] = []
        self.directions: list[str] = []
        self._values = None

    def _with(self, source, geometry=None):
        """The same with other views."""
        made = copy.copy(self)
        made._source, made.geometry, made._values = source, geometry or self.geometry, None
        made.notes, made.corrections = list(self.notes), list(self.corrections)
        return made

    @property
    def projections(self) -> np.ndarray:
        """Line integrals (views, rows, columns), fp32; read at first use."""
        if self._values is None:
            self._values = self._source.values()
        return self._values

    @property
    def volume(self) -> VolumeGrid:
        """The grid to reconstruct: what the file says, or what every view sees."""
        if self._volume is None:
            self._volume = self.geometry.default_volume()
        return self._volume

    @volume.setter
    def volume(self, grid: Any) -> None:
        self._volume = any_volume(grid)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(views, rows, columns)"""
        return self.geometry.shape

    @property
    def water(self) -> float | None:
        """1/mm, what water attenuates; None where the file does not say. For :func:`hounsfield`."""
        return self._source.water

    def find_center(self) -> float:
        """The column on which the rotation axis projects, found in the projections to half a pixel."""
        return self._source.find_center()

    def with_center(self, column: float | str = "find") -> Scan:
        """The same with the axis at this column; "find" looks for it."""
        column = self.find_center() if column == "find" else _arrays.number(column, "column")
        placed = self.geometry.with_center(column)
        return self._with(self._source.placed(placed._views), placed)

    def corrected(self, correct: str = "none", *, device: Any = "auto", **corrections: Any) -> Scan:
        """The same without the faults of real scanners.

        correct: "auto" looks for faults and chooses what they need (`notes` tell); "none": what is asked for alone
        device:  where corrections run, as of :func:`operator`; on CUDA the views stay in the card's memory
        """
        made = self._source.corrected(correct, _options.texts(corrections), _device(device))
        scan = self._with(made.source)
        scan.notes += made.notes
        scan.corrections += made.corrections
        return scan

    def without_stripes(self, window: int) -> Scan:
        """The same with rings suppressed; `window` is an odd number of columns."""
        return self.corrected(stripes=int(window))

    def __getitem__(self, views: slice) -> Scan:
        """Some views: scan[::4]."""
        if not isinstance(views, slice):
            raise InputError("views: give a slice, as scan[::4]")
        first, end, step = views.indices(len(self.geometry))
        if step < 1:
            raise InputError("views: give a step of 1 or more")
        return self._with(self._source.some(first, end, step), self.geometry[views])

    def save(self, path: Path) -> None:
        """Writes NAME.scan.toml and, beside it, NAME.npy."""
        path = os.fspath(path)
        if not path.endswith(".scan.toml"):
            raise InputError(f"{_arrays.words(path)}: a scan is saved as NAME.scan.toml")
        views = path.removesuffix(".scan.toml") + ".npy"
        self._source.save(views)
        _core.save_scan(self.geometry._views, os.path.basename(views), self._volume, path)

    def __repr__(self):
        return f"scan{' ' + self.name if self.name else ''}: {self.geometry!r}"

    def __str__(self):
        lines = [repr(self), *(f"{fact!r}" for fact in self.facts), *self.directions]
        if self.unused:
            lines.append(f"not used: {len(self.unused)} fields (scan.unused)")
        return "\n  ".join(lines)


def _device(device):
    return _core.Device(*_arrays.parse_device(device), 0)


def load(path: Path, *, center: float | str | None = None, views: slice | None = None, correct: str = "file",
         device: Any = "auto", **corrections: Any) -> Scan:
    """A scan from a file: *.scan.toml, or a container that carries its own geometry. Counts become line integrals.

    center:  the column on which the rotation axis projects, or "find"; left out, what the file says
    views:   a slice: which views to keep
    correct: corrections to make: "file": those that the scan file names; "auto", "none", and device: as of
             :meth:`Scan.corrected`
    """
    path = os.fspath(path)
    name = os.path.basename(path)
    place = "" if center is None else _options.text_of(center)
    loaded = _core.load_scan(path, place, correct, _options.texts(corrections), _device(device))
    volume = None if loaded.volume is None else VolumeGrid.of(loaded.volume)
    geometry = Geometry(loaded.source.views, *described(loaded.source.views))
    made = Scan(loaded.source, geometry, volume, loaded.notes, name, loaded.corrections)
    made.facts, made.unused, made.directions = loaded.facts, loaded.unused, loaded.directions
    return made if views is None else made[views]


def scan(geometry: Any, projections: Array, volume: Any = None) -> Scan:
    """A scan from arrays: a geometry and line integrals (views, rows, columns)."""
    views = any_geometry(geometry)
    source = _core.Source(views._views, _arrays.host_float(projections))
    return Scan(source, views, None if volume is None else any_volume(volume))


def correct(geometry: Any, counts: Array, flats: Array = None, darks: Array = None, *, correct: str = "none",
            device: Any = "auto", **corrections: Any) -> Scan:
    """Line integrals, -log((counts - dark) / (flat - dark)), of detector counts: a scan. Dead pixels are repaired.

    counts:       (views, rows, columns)
    flats, darks: (rows, columns), or stacks of which the median is taken; without flats the brightest one per cent of
                  each view stands in, without darks 0
    correct, device: as of :meth:`Scan.corrected`
    """
    views = any_geometry(geometry)
    source = _core.Source(views._views, _arrays.host_float(counts))
    frames = [None if f is None else _arrays.host_float(f) for f in (flats, darks)]
    made = source.from_counts(*frames, correct, _options.texts(corrections), _device(device))
    return Scan(made.source, views, notes=made.notes, corrections=made.corrections)


def _document_corrections():
    known = _core.corrections()
    lines = "\n".join(f"    # {c['title']}\n{_options.described(c['parameters'])}" for c in known)
    papers = "\n".join(f"    {c['title']}: {c['paper']}" for c in known if c["paper"])
    for function in (load, correct, Scan.corrected):
        function.__doc__ = (f"{inspect.cleandoc(function.__doc__)}\n\n"
                            f"Corrections, each off unless it is asked for, in the order in which they are made:\n\n{lines}\n")
    Scan.corrected.__doc__ += f"\nPapers:\n\n{papers}\n"


_document_corrections()


def remove_stripes(geometry: Any, projections: Array, window: int) -> Any:
    """Line integrals with rings suppressed; `window` is an odd number of columns."""
    return _arrays.same_kind(scan(geometry, projections).without_stripes(window).projections, projections)


def find_center(scan: Any, projections: Array = None) -> float:
    """The column on which the rotation axis projects, found in the projections to half a pixel.

    scan: a scan, a file of one, or a geometry or operator with projections= beside it
    """
    from .methods import problem_of

    return problem_of(scan, projections)[0].find_center()


def simulate(phantom: Any, geometry: Any, *, supersampling: int = 1, photons: float = 0, electronic: float = 0,
             scale: float = 1.0, value: float = 1.0, seed: int = 1) -> np.ndarray:
    """Exact line integrals (views, rows, columns) of an analytic phantom, with noise where photons are given.

    phantom:       one of :func:`phantoms`, or a file
    supersampling: a pixel is the mean of so many rays along rows and columns
    photons:       counts a pixel without an object; 0: no noise
    electronic:    standard deviation of the read-out noise in counts
    scale, value:  what the phantom's lengths and values are multiplied by
    """
    views = any_geometry(getattr(geometry, "geometry", geometry))
    body = load_phantom(phantom).scaled(float(scale), float(value))
    return _core.simulate(body, views._views, int(supersampling), float(photons), float(electronic),
                          int(seed))


def add_noise(projections: ArrayT, photons: float, electronic: float = 0, seed: int = 1) -> ArrayT:
    """Line integrals (views, rows, columns) as they come from Poisson counts of so many photons a pixel."""
    photons, electronic = _arrays.number(photons, "photons"), _arrays.number(electronic, "electronic")
    values = _core.add_noise(_arrays.host_float(projections), photons, electronic, int(seed))
    return _arrays.same_kind(values, projections)
