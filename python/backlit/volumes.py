"""Volumes as arrays that know where they are: files, phantoms, comparison."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

from . import _arrays, _core
from ._core import InputError
from ._types import Array, ArrayT, Path
from .geometry import VolumeGrid, volume as any_volume


class VolumeArray(np.ndarray):
    """A NumPy array (z, y, x) with the `grid` of its voxels. Parts and results of arithmetic are plain where their
    shape is another."""

    def __new__(cls, values, grid):
        made = np.asarray(values).view(cls)
        made.grid = grid
        return made

    def __array_finalize__(self, other):
        grid = getattr(other, "grid", None)
        self.grid = grid if grid is not None and grid.shape == self.shape else None

    def __reduce__(self):
        grid = self.grid and (self.grid.shape, self.grid.voxel, self.grid.center)
        return (_restored, (np.asarray(self), grid))


def _restored(values, grid):
    return VolumeArray(values, grid and VolumeGrid(*grid))


def grid_of(values, grid=None):
    """The grid of an array: what is given, its own, or voxels of 1 mm."""
    if grid is None:
        grid = getattr(values, "grid", None)
    return any_volume(tuple(int(n) for n in values.shape)) if grid is None else any_volume(grid)


def load_volume(path: Path) -> VolumeArray:
    """A volume (z, y, x) from a file of any format of the README's table; its `grid` is the file's. 1/mm."""
    values, grid = _core.load_volume(os.fspath(path))
    return VolumeArray(values, VolumeGrid.of(grid))


def save(path: Path, values: Any, grid: Any = None, *, bits: int = 32, range: Sequence[float] | None = None,
         fps: float | None = None) -> None:
    """Writes a volume (.mha, .nrrd, .nii.gz, .npy ...), a picture (rows, columns, 3) or a movie (frames, rows, columns, 3)
    of uint8 (.png), what :func:`isosurface` returns (.stl, .ply) or, given a :class:`Scan`, a *.scan.toml with its
    projections.

    grid:  of an array that does not know its own; without one voxels are 1 mm. The file appears whole or not at all
    bits:  16: a .tif of 16-bit counts, whose scale the file states as ImageJ does
    range: values of the counts 0 and 65535; None: the smallest and the largest
    fps:   frames a second of a movie; None: 20
    """
    from .scans import Scan

    path = os.fspath(path)
    if not hasattr(values, "ndim") and not isinstance(values, (Scan, tuple)):
        values = np.asarray(values)
    picture = path.endswith(".png") and not isinstance(values, (Scan, tuple))
    if fps is not None and not (picture and values.ndim == 4):
        raise InputError("fps: belongs to movies, (frames, rows, columns, 3) in a .png; leave it out")
    if picture or isinstance(values, (Scan, tuple)):
        for name, given in (("bits", bits != 32), ("range", range is not None)):
            if given:
                raise InputError(f"{name}: belongs to volumes in a .tif; leave it out")
    if isinstance(values, Scan):
        return values.save(path)
    if isinstance(values, tuple):
        vertices, triangles = values
        return _core.save_surface(_arrays.host_float(vertices), np.ascontiguousarray(triangles, np.uint32), path)
    if picture:
        if values.dtype != np.uint8:
            raise InputError("save: a .png takes colours of uint8; make them with bl.render() or bl.colorize()")
        return _core.save_png(np.ascontiguousarray(values), path, _arrays.number(20 if fps is None else fps, "fps"))
    if values.ndim != 3:
        raise InputError(f"save: an array of {values.ndim} axes is no volume; give (z, y, x), or a bl.scan()")
    grid, values = grid_of(values, grid), _arrays.host_float(values)
    if bits not in (16, 32):
        raise InputError(f"bits: {_arrays.words(bits)} is neither 16 nor 32")
    if bits == 16:
        if not path.lower().endswith((".tif", ".tiff")):
            raise InputError("bits: 16-bit counts need a TIFF; name the file .tif, or leave bits out")
        return _core.save_counts(grid, values, path, *_count_range(values, range))
    if range is not None:
        raise InputError("range: only 16-bit counts have one; add bits=16, or leave it out")
    if _core.holds_hounsfield(path) and values.size and np.abs(values).max() < 20:  # no HU
        warnings.warn(f"{path}: DICOM takes values for HU; bl.hounsfield(volume, water) makes them of 1/mm", stacklevel=2)
    _core.save_volume(grid, values, path)


def _count_range(values, given):
    """(low, high)"""
    if given is None:
        finite = values[np.isfinite(values)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        return low, high if high > low else low + 1
    try:
        low, high = given
        return float(low), float(high)
    except (TypeError, ValueError):
        raise InputError(f"range: {_arrays.words(given)} is not (low, high)") from None


def hounsfield(values: ArrayT, water: float | None) -> ArrayT:
    """Attenuations as Hounsfield units, 1000 (value / water - 1), in an array of the same kind.

    water: 1/mm, what water attenuates: 0.02, say, or scan.water
    """
    if water is None or not float(water) > 0:
        raise InputError(f"water: {_arrays.words(water)} is no attenuation; give it in 1/mm, such as 0.02")
    return 1000 * (values / float(water) - 1)  # type: ignore[operator, return-value]


def phantoms() -> list[str]:
    """Names of the phantoms that ship."""
    return list(_core.shipped_phantoms())


def load_phantom(name):
    """A phantom by the name of a shipped one, or a .phantom.toml."""
    return name if isinstance(name, _core.Phantom) else _core.load_phantom(os.fspath(name))


def phantom(name: Any, grid: Any, supersampling: int = 3, *, scale: float = 1.0, value: float = 1.0) -> VolumeArray:
    """An analytic phantom in the voxels of a grid, 1/mm.

    name:          one of :func:`phantoms`, or a file
    supersampling: a voxel is the mean of so many samples along each axis
    scale, value:  what lengths and values are multiplied by
    """
    grid = any_volume(grid)
    body = load_phantom(name).scaled(float(scale), float(value))
    return VolumeArray(_core.voxelize(body, grid, int(supersampling)), grid)


@overload
def compare(a: Array, b: Array, *, slices: slice | None = None, by_slice: Literal[False] = False) -> dict[str, float]: ...
@overload
def compare(a: Array, b: Array, *, slices: slice | None = None, by_slice: Literal[True]) -> dict[str, np.ndarray]: ...
def compare(a: Array, b: Array, *, slices: slice | None = None, by_slice: bool = False) -> Any:
    """How much `a` differs from the reference `b`: a dict of rmse, mean_abs, max_abs, relative_l2, relative_max,
    psnr_db and ssim (Wang et al. 2004, in three dimensions).

    slices:   compares only these, such as slice(10, 20), along the first axis
    by_slice: True: the measures of each slice alone (ssim: in its plane), as arrays, with "slice", its number
    """
    a, b = _arrays.host_float(a), _arrays.host_float(b)
    numbers = np.arange(len(a) if a.ndim else 0)
    if slices is not None:
        if not isinstance(slices, slice) or a.ndim != 3 or len(numbers[slices]) == 0:
            raise InputError(f"slices: {_arrays.words(slices)} names no slices of {a.shape}; give slice(10, 20), say")
        if a.shape == b.shape:
            a, b, numbers = np.ascontiguousarray(a[slices]), np.ascontiguousarray(b[slices]), numbers[slices]
    if not by_slice:
        return _core.compare(a, b)
    if a.ndim != 3 or a.shape != b.shape:
        raise InputError(f"by_slice: arrays of {a.shape} and {b.shape} are no two volumes of equal size; give two arrays (z, y, x) of one shape")
    rows = [_core.compare(x, y) for x, y in zip(a, b)]
    return {"slice": numbers, **{name: np.array([row[name] for row in rows]) for name in rows[0]}}


def isosurface(values: Array, value: float, grid: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """The closed surface at which a volume crosses a value: vertices (n, 3), mm, (x, y, z), and triangles (m, 3) of their
    indices, counterclockwise seen from outside. bl.save("part.stl", bl.isosurface(volume, 0.02)) writes it.

    Marching cubes: Lorensen and Cline, Computer Graphics 21(4) (1987) 163.
    """
    return _core.isosurface(grid_of(values, grid), _arrays.host_float(values), float(value))


def image_quality(values: Array, phantom: Any = "nema-iq", grid: Any = None) -> dict[str, Any]:
    """What a PET image shows of a phantom: a dict.

    Phantoms with spheres, after NEMA NU 2: background, lung_residual (per cent, None without an insert), spheres: a dict
    of diameter (mm), contrast and variability (per cent) each. Phantoms of hot rods: rods, a dict of diameter,
    valley_to_peak, peak, spread, separated, profile_mm and profile for each size.

    phantom: of the activity; one of :func:`phantoms`, or a file
    """
    return _core.image_quality(grid_of(values, grid), _arrays.host_float(values), load_phantom(phantom))
