"""Pictures of volumes as arrays, and the viewer."""

import os
import shutil
import subprocess
import tempfile

import numpy as np

from . import _arrays, _core
from ._core import Failure, InputError
from .scans import Scan
from .volumes import grid_of, save


def _window(window):
    if window is None:
        return "0.1%,99.9%"
    return window if isinstance(window, str) else f"{window[0]!r},{window[1]!r}"


def slice_of(volume, axis="z", position=None, grid=None):
    """A slice as values (rows, columns), as people look at it: z: +x to the right and +y up; others +z up.

    position: mm along the axis; None: the middle
    """
    grid = grid_of(volume, grid)
    if axis not in ("x", "y", "z"):
        raise InputError(f"axis: '{axis}' is not x, y or z")
    at = grid.center["xyz".index(axis)] if position is None else float(position)
    return _core.plane(grid, _arrays.host_float(volume), axis, at)


def colorize(values, window=None, colormap="gray"):
    """Values (rows, columns) as colours (rows, columns, 3), uint8.

    window: (low, high), or percentiles as "1%,99%"
    """
    return _core.colorize(_arrays.host_float(values), _window(window), colormap)


def render(volume, mode="dvr", *, grid=None, size=512, axis=None, position=None, window=None, colormap="gray",
           transfer="auto", iso=None, azimuth=-60.0, elevation=20.0, fov=30.0, zoom=1.0, offset=(0, 0, 0), antialias=1,
           step=0.5):
    """A picture of a volume: (rows, columns, 3), uint8, row 0 at the top.

    mode:      slice, or seen by a camera: mip (largest values), average, drr (line integrals), iso (a surface), dvr
               (light through a transfer function). mip with axis= looks along that axis
    size:      pixels of a camera's picture, one number or (rows, columns)
    window:    (low, high), or percentiles as "0.1%,99.9%"
    transfer:  dvr: a name or a file; auto: by the volume's values, as in the viewer
    iso:       value of the surface; None: of the object, or of its denser part, by the values
    azimuth, elevation, fov: degrees; fov 0 is orthographic
    offset:    mm from the middle of the volume to the middle of the picture, (x, y, z)
    antialias: n x n rays a pixel
    step:      distance of samples, in voxels

    Computed on the CPU in double precision: the reference of what `backlit render` and the viewer draw on a GPU.
    """
    grid = grid_of(volume, grid)
    if mode == "slice":
        return colorize(slice_of(volume, axis or "z", position, grid), window, colormap)
    if mode == "mip" and axis is not None:
        return colorize(_core.plane(grid, _arrays.host_float(volume), axis, None), window, colormap)
    if axis is not None or position is not None:
        raise InputError("axis, position: belong to mode slice")
    rows, columns = (size, size) if np.ndim(size) == 0 else size
    return _core.render(grid, _arrays.host_float(volume), mode, _window(window), transfer, colormap,
                        None if iso is None else float(iso), [azimuth, elevation, fov, zoom], list(map(float, offset)),
                        [int(columns), int(rows)], int(antialias), float(step))


def show(what, grid=None, program=None):
    """Opens backlit-view on a volume, a scan or a file and goes on; returns the process.

    program: the viewer; left out, $BACKLIT_VIEW or backlit-view of the PATH
    """
    program = program or os.environ.get("BACKLIT_VIEW") or shutil.which("backlit-view")
    if not program:
        raise Failure("backlit-view: was not found; install Backlit's programs, or set BACKLIT_VIEW to the viewer")
    if isinstance(what, (str, os.PathLike)):
        return subprocess.Popen([program, os.fspath(what)])
    folder = tempfile.mkdtemp(prefix="backlit-")  # the viewer reads it when it likes
    path = os.path.join(folder, "scan.scan.toml" if isinstance(what, Scan) else "volume.mha")
    save(path, what, *([] if isinstance(what, Scan) else [grid]))
    return subprocess.Popen([program, path])
