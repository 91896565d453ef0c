"""Geometries: their sizes, and their vectors."""

import numpy as np

from backlit._core import InputError

from . import _objects
from ._objects import clear  # noqa: F401  (astra.functions.clear)
from ..._adapters import astra_vectors


def geom_size(geom, dim=None):
    """The shape of a volume's or projections' array, or one of its axes."""
    shape = tuple(int(n) for n in _objects.shape_of(geom))
    return shape if dim is None else shape[dim]


def geom_2vec(proj_geom):
    """The same projection geometry, with vectors in place of angles."""
    kind = proj_geom["type"]
    vectors, (rows, columns), beam = astra_vectors(proj_geom)
    if kind in ("cone_vec", "parallel3d_vec", "fanflat_vec", "parallel_vec"):
        return proj_geom
    if kind in ("parallel", "fanflat"):
        flat = vectors.reshape(-1, 4, 3)[:, :3, :2].reshape(-1, 6)
        return {"type": f"{kind}_vec", "DetectorCount": columns, "Vectors": flat}
    return {"type": "cone_vec" if beam == "cone" else "parallel3d_vec", "DetectorRowCount": rows,
            "DetectorColCount": columns, "Vectors": vectors}


def geom_postalignment(proj_geom, factor):
    """Shifts the detector by a factor of its pixels along u, or along u and v."""
    moved = geom_2vec(proj_geom)
    vectors = moved["Vectors"].copy()
    u, v = (factor, 0.0) if not hasattr(factor, "__len__") else (factor[0], factor[1] if len(factor) > 1 else 0.0)
    if vectors.shape[1] == 6:
        if v:
            raise InputError("astra: a geometry of two dimensions has no rows to shift")
        vectors[:, 2:4] += u * vectors[:, 4:6]
    else:
        vectors[:, 3:6] += u * vectors[:, 6:9] + v * vectors[:, 9:12]
    return {**moved, "Vectors": vectors}


def move_vol_geom(geom, pos, is_relative=False):
    """The same volume geometry with its centre at (x, y[, z]), or moved by that."""
    moved = dict(geom, option=dict(geom["option"]))
    for axis, place in zip("XYZ", pos):
        low, high = (moved["option"][f"Window{end}{axis}"] for end in ("Min", "Max"))
        shift = place if is_relative else place - 0.5 * (low + high)
        moved["option"].update({f"WindowMin{axis}": low + shift, f"WindowMax{axis}": high + shift})
    return moved


def add_noise_to_sino(sinogram_in, I0, seed=None):
    """Projections, an array or a number of data2d, as they come from Poisson counts: I0 without an object, I0 / e where
    they are largest."""
    values = np.asarray(_objects.data.find(sinogram_in).values if np.ndim(sinogram_in) == 0 else sinogram_in, float)
    largest = values.max()
    if not largest > 0:
        raise InputError("astra: projections of nothing have no scale for noise; give some above 0")
    counts = np.random.default_rng(seed).poisson(I0 * np.exp(-values / largest))
    return -np.log(np.maximum(counts, 1) / I0) * largest
